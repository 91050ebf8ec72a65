// Reads the flags of `weir pareto` into a request, or returns their problem.
import { commandLine } from "../kit/command-line.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { WHOLE, type Shard } from "../studies/pareto/result.ts";
import {
  FLEETS,
  suiteOf,
  type ParetoSuite,
  TRAFFIC,
  type TrafficName,
} from "../studies/pareto/suite.ts";
import type { Arguments } from "./arguments.ts";
import { unknownName } from "./replay-question.ts";

/** Flags that only a new run has. */
const OF_A_RUN = ["quick", "traffic", "gateways", "seed", "shard"] as const;

type ParetoRequest =
  | { readonly kind: "verify" }
  | { readonly kind: "merge"; readonly files: readonly [string, ...string[]] }
  | { readonly kind: "resume"; readonly file: string }
  | {
      readonly kind: "run";
      readonly suite: ParetoSuite;
      readonly shard: Shard;
      readonly argv: readonly string[]; // arguments of the complete run; this run may be one part of it
    };

export function requestOf(
  { operands, switches, values }: Arguments,
  seed: number,
): ParetoRequest | Failure {
  const resumed = values.get("resume");
  const [first, ...rest] = operands;
  const ways = ["verify", "merge"].filter((name) => switches.has(name));
  if (resumed !== undefined) ways.push("resume");
  if (ways.length > 1)
    return new Failure(`--${ways[0]} and --${ways[1]} exclude each other; remove one`);
  const flag = OF_A_RUN.find((name) => switches.has(name) || values.has(name));
  if (ways.length > 0 && flag !== undefined && !(ways[0] === "verify" && flag === "seed"))
    return new Failure(`--${flag} cannot be combined with --${ways[0]}`);
  if (values.has("queue") && ways.length > 0 && resumed === undefined)
    return new Failure(`--queue cannot be combined with --${ways[0]}, which runs no cell`);
  if (switches.has("merge"))
    return first === undefined
      ? new Failure(
          `--merge needs the parts: ${commandLine("pareto --merge part-1.json part-2.json")}`,
        )
      : { kind: "merge", files: [first, ...rest] };
  if (first !== undefined) return new Failure(`"${first}" is no flag; merge parts with --merge`);
  if (switches.has("verify")) return { kind: "verify" };
  return resumed === undefined ? runOf(switches, values, seed) : { kind: "resume", file: resumed };
}

function runOf(
  switches: Arguments["switches"],
  values: Arguments["values"],
  seed: number,
): ParetoRequest | Failure {
  const traffic = trafficIn(values.get("traffic"));
  if (isFailure(traffic)) return traffic;
  const gateways = gatewaysIn(values.get("gateways"));
  if (isFailure(gateways)) return gateways;
  const shard = shardIn(values.get("shard"));
  if (isFailure(shard)) return shard;
  const isQuick = switches.has("quick");
  const argv = [
    "pareto",
    ...(isQuick ? ["--quick"] : []),
    ...(traffic === null ? [] : ["--traffic", traffic.join(",")]),
    ...(gateways === null ? [] : ["--gateways", gateways.join(",")]),
    "--seed",
    String(seed),
  ];
  return { kind: "run", suite: suiteOf({ isQuick, traffic, gateways }), shard, argv };
}

function trafficIn(typed: string | undefined): readonly TrafficName[] | null | Failure {
  if (typed === undefined) return null;
  const names: readonly string[] = TRAFFIC;
  const wanted = typed.split(",");
  const stranger = wanted.find((name) => !names.includes(name));
  return stranger === undefined
    ? TRAFFIC.filter((name) => wanted.includes(name))
    : unknownName("traffic", stranger, names);
}

function gatewaysIn(typed: string | undefined): readonly number[] | null | Failure {
  if (typed === undefined) return null;
  const sizes = FLEETS.map(({ gateways }) => gateways);
  const wanted = typed.split(",");
  const unknownSize = wanted.find((size) => !sizes.some((known) => String(known) === size));
  return unknownSize === undefined
    ? sizes.filter((size) => wanted.includes(String(size)))
    : new Failure(`--gateways must be among ${sizes.join(", ")}; got "${unknownSize}"`);
}

const MOST_SHARDS = 1000;

function shardIn(typed: string | undefined): Shard | Failure {
  if (typed === undefined) return WHOLE;
  const [, index = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(typed) ?? []).map(Number);
  return index >= 1 && index <= of && of <= MOST_SHARDS
    ? { index, of }
    : new Failure(`--shard must be a part, such as 2/5 for the second of five; got "${typed}"`);
}
