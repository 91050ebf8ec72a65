// The requests of weir diff without a log: those of a scenario, or of clients that flags describe.
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { oneLine } from "../kit/reading/legible.ts";
import { readScenarios } from "../lab/run/read-scenarios.node.ts";
import { plan } from "../lab/scenario/plan/plan.ts";
import { parseSent, sendInstead, type NamedTraffic } from "../studies/diff/decide-planned.ts";
import { planDescribed } from "../studies/try/planned.ts";
import { hasOption, METHODS, type Arguments } from "./arguments.ts";
import { PER_ADDRESS, TRAFFIC } from "./commands-of-traffic.ts";
import { readTraffic } from "./try-question.ts";
import { variantOf } from "./variant-of.ts";

const DESCRIBING = [...TRAFFIC, PER_ADDRESS].map(({ name }) => name).concat("send");
const OF_LOGS = ["where", "format", "zone"];

/** Null: the requests are those of logs. */
export function trafficOf(args: Arguments, seed: number): NamedTraffic | null | Failure {
  const { values } = args;
  const file = values.get("scenario");
  const describing = DESCRIBING.find((name) => hasOption(args, name));
  const sources = [
    ...(args.lists.has("log") ? ["--log"] : []),
    ...(file === undefined ? [] : ["--scenario"]),
    ...(describing === undefined ? [] : [`--${describing}`]),
  ];
  const [first, second] = sources;
  if (first === undefined)
    return new Failure(
      "there are no requests; add --log, such as --log access.log, or --rate, --bursts or --scenario",
    );
  if (second !== undefined)
    return new Failure(`${first} and ${second} are two sources of requests; remove one`);
  if (values.has("variant") && file === undefined)
    return new Failure("--variant needs --scenario; add --scenario FILE");
  if (first === "--log") return null;
  const ofLogs = OF_LOGS.find((name) => hasOption(args, name));
  if (ofLogs !== undefined) return new Failure(`--${ofLogs} needs --log; remove it`);
  return file === undefined
    ? describeTraffic(args, seed)
    : ofScenario(file, values.get("variant"), seed);
}

function describeTraffic(args: Arguments, seed: number): NamedTraffic | Failure {
  const traffic = readTraffic(args);
  if (isFailure(traffic)) return traffic;
  const typed = args.values.get("send") ?? "GET /";
  const sent = parseSent(typed);
  if (sent === null || !METHODS.includes(sent.method))
    return new Failure(
      `--send: "${typed}" is no request; write a method and a path, such as 'GET /items'`,
    );
  const { variant, ...planned } = planDescribed(traffic, seed);
  return { file: null, ...planned, variant: sendInstead(variant, sent) };
}

function ofScenario(
  file: string,
  wanted: string | undefined,
  seed: number,
): NamedTraffic | Failure {
  const { scenarios, errors } = readScenarios([file]);
  const [scenario, second] = scenarios;
  if (errors.length > 0 || scenario === undefined) return new Failure(...errors);
  if (second !== undefined)
    return new Failure(`${file} has ${scenarios.length} scenarios; name the file of one`);
  const variant = variantOf(scenario, file, wanted);
  if (isFailure(variant)) return variant;
  if (variant.traffic.length === 0)
    return new Failure(`${file} has no traffic; name a scenario that has some`);
  const planned = plan(variant, scenario.id, seed);
  const part = variant.name === "" ? "" : ` (${variant.name})`;
  return { file: oneLine(file), about: `${scenario.title}${part}.`, variant, plan: planned };
}
