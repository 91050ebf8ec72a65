// `weir serve --config nginx.conf`: a server that answers as the program of that file would.
import { existsSync, statSync } from "node:fs";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { countText, oneLine, thousands } from "../kit/reading/legible.ts";
import { listenFailure } from "../gateway/serving/listen-failure.node.ts";
import { sendReady } from "../gateway/serving/ready.node.ts";
import { wireOf } from "../gateway/serving/wire.ts";
import { readSettings } from "../gateway/settings/read.ts";
import type { Settings } from "../gateway/settings/table.ts";
import { serveSubstitute, type ServedSubstitute } from "../lab/drivers/substitute.node.ts";
import { readConfigurationFile } from "../lab/implementations/configuration-files.node.ts";
import { findReader } from "../lab/implementations/readers.ts";
import { doubtsOf } from "../lab/implementations/rules-of-file.ts";
import { lacksRemaining } from "../lab/sim/limiter-headers.ts";
import type { RulesCandidate } from "../studies/replay/rules.ts";
import { hasOption, type Arguments } from "./arguments.ts";
import { configurationQuestion, readConfiguration } from "./configuration-file.node.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import type { Signals } from "./signals.node.ts";
import type { Terminal } from "./terminal.ts";

/** Flags of Weir's own gateway. */
const OF_WEIR = ["world", "records", "data", "workers", "store", "admin-port"];

/** Whether --config names the configuration of another limiter, and no settings. */
export function namesRules({ values }: Arguments): boolean | Failure {
  const file = values.get("config");
  if (file === undefined || !existsSync(file)) return false;
  const found = statSync(file);
  if (values.has("kind") || found.isDirectory()) return true;
  if (!found.isFile()) return false; // a pipe can be read once
  const read = readConfigurationFile(file);
  const reader = isFailure(read) ? null : findReader(read, null);
  return isFailure(reader) ? reader : reader !== null;
}

export async function serveRules(
  args: Arguments,
  { err }: Terminal,
  signals: Signals,
): Promise<ExitCode> {
  const refuse = ({ problems }: Failure): ExitCode => {
    for (const problem of problems) err(oneLine(`weir serve: ${problem}`));
    return EXIT.usage;
  };
  const candidate = readServed(args, (line) => err(line));
  if (isFailure(candidate)) return refuse(candidate);
  const settings = settingsOf(args);
  if (isFailure(settings)) return refuse(settings);
  const served = await startSubstitute(candidate, settings);
  if (isFailure(served)) return refuse(served);
  const { file, configuration } = candidate;
  const upstream = upstreamOf(settings);
  const answers = upstream === null ? "admitted requests get 200" : `upstream: ${upstream.href}`;
  err(`gateway   ${served.url.origin} (${answers})`);
  err(
    oneLine(
      `rules     ${file}: ${countText(configuration.rules.length, "limit")} of ${configuration.kind}`,
    ),
  );
  for (const doubt of doubtsOf(configuration)) err(`warning: ${doubt}`);
  if (lacksRemaining(configuration.kind))
    err(
      `warning: headers of remaining requests are not known of ${configuration.kind}, and not sent`,
    );
  err("ready");
  sendReady({ gateway: served.url.origin, admin: served.url.origin });
  return untilEnded(served, file, err, signals);
}

function readServed(args: Arguments, warn: (line: string) => void): RulesCandidate | Failure {
  const file = args.values.get("config")!;
  const ofWeir = OF_WEIR.find((name) => hasOption(args, name));
  if (ofWeir !== undefined)
    return new Failure(`--${ofWeir} is of Weir's own gateway, and ${file} is not; remove one`);
  const question = configurationQuestion(args, warn);
  if (isFailure(question)) return question;
  const candidate = readConfiguration(file, question);
  if (isFailure(candidate)) return candidate;
  if (candidate.kind !== "rules")
    return new Failure(`${file} is a world of Weir; serve it with --world ${file}`);
  return candidate.configuration.rules.length === 0
    ? new Failure(`${file} has no limit, so that no request would be refused; name another file`)
    : candidate;
}

/** Those of a gateway that a substitute has as well: its address, its upstream, time-outs. */
function settingsOf({ values }: Arguments): Settings | Failure {
  const flags = new Map([...values].filter(([name]) => name !== "config" && name !== "kind"));
  const { settings, errors } = readSettings({ file: null, environment: process.env, flags });
  return settings ?? new Failure(...errors);
}

const upstreamOf = ({ upstream }: Settings): URL | null =>
  upstream === null || upstream === "echo" ? null : new URL(upstream);

async function startSubstitute(
  { configuration }: RulesCandidate,
  settings: Settings,
): Promise<ServedSubstitute | Failure> {
  try {
    return await serveSubstitute({
      configuration,
      upstream: upstreamOf(settings),
      host: settings["listen.host"],
      port: settings["listen.port"],
      wire: wireOf(settings),
    });
  } catch (error) {
    return listenFailure(error, settings, "listen.port");
  }
}

/** The first signal lets running requests finish; the second one ends them. */
function untilEnded(
  served: ServedSubstitute,
  file: string,
  err: Terminal["err"],
  signals: Signals,
): Promise<ExitCode> {
  return new Promise((resolve) => {
    let isEnding = false;
    const end = (code: ExitCode): void => {
      for (const line of countsText(served, file)) err(line);
      resolve(code);
    };
    signals.listen((signal) => {
      if (signal === "SIGHUP") err(`weir: SIGHUP: ${file} is read at the start only; start again`);
      else if (isEnding) {
        err(`weir: ${signal} again: stopping at once`);
        void served.stop().then(() => end(EXIT.interrupted));
      } else {
        isEnding = true;
        err(
          `weir: ${signal}: draining: running requests may finish, and another signal stops at once`,
        );
        void served.drain().then(() => end(EXIT.passed));
      }
    });
  });
}

function countsText(served: ServedSubstitute, file: string): readonly string[] {
  const { requests, refused } = served.counts();
  const sum = [...refused.values()].reduce((all, each) => all + each, 0);
  return [
    oneLine(`${file} refused ${thousands(sum)} of ${countText(requests, "request")}`),
    ...[...refused].map(([message, count]) => oneLine(`  ${thousands(count)} ${message}`)),
  ];
}
