// Reads a configuration of any kind that Weir knows: a limit as text, a world, or the files of another limiter.
import { existsSync } from "node:fs";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { oneLine } from "../kit/reading/legible.ts";
import { readWorldFile } from "../gateway/settings/world.ts";
import type { ConfigurationFile, Includes } from "../lab/implementations/reading.ts";
import {
  includesNextTo,
  readConfigurationFile,
} from "../lab/implementations/configuration-files.node.ts";
import { readFileOrFolder } from "../lab/implementations/configuration-folder.node.ts";
import { readRules } from "../lab/implementations/read-configuration.ts";
import { KINDS } from "../lab/implementations/readers.ts";
import { readRevision } from "./git-revision.node.ts";
import type { Candidate } from "../studies/replay/candidates.ts";
import type { EditableConfiguration } from "../studies/diff/number-in-file.ts";
import { onFleet } from "../studies/replay/fleet.ts";
import { fieldsOfRules, type RulesCandidate } from "../studies/replay/rules.ts";
import type { Selector } from "../studies/replay/selectors.ts";
import { hasThrottling, senderFieldsOf, type WorldCandidate } from "../studies/replay/worlds.ts";
import { hasOption, type Arguments } from "./arguments.ts";
import { readFleet } from "./fleet-option.node.ts";
import { limitersIn, limitsIn, type ConfiguredCandidate } from "./replay-question.ts";

export interface ConfigurationQuestion {
  readonly values: ReadonlyMap<string, string>; // of --set
  readonly clientsAre: WorldCandidate["clientsAre"];
  readonly kind: string | null; // of --kind; null: found by the text
  readonly warn: (line: string) => void;
}

/** Reads --set, --kind and --key of a command line. `key` is what a client is. */
export function configurationQuestion(
  { lists, values }: Arguments,
  warn: (line: string) => void,
  key: string = values.get("key") ?? "ip",
): ConfigurationQuestion | Failure {
  const set = new Map<string, string>();
  for (const typed of lists.get("set") ?? []) {
    const [, name, value] = /^\$?(\w+)=(.*)$/s.exec(typed) ?? [];
    if (name === undefined || value === undefined)
      return new Failure(
        `--set must be NAME=VALUE, such as --set http_x_plan=free; got "${typed}"`,
      );
    set.set(name, value);
  }
  const clientsAre = key === "ip" ? "addresses" : "keys";
  return { values: set, clientsAre, kind: values.get("kind") ?? null, warn };
}

/** Reads the files of --config, and the fleet of --fleet. */
export function readConfigured(
  args: Arguments,
  warn: (line: string) => void,
): readonly ConfiguredCandidate[] | Failure {
  const files = args.lists.get("config") ?? [];
  const unused = ["kind", "set", "fleet"].find((name) => hasOption(args, name));
  if (files.length === 0)
    return unused === undefined ? [] : new Failure(`--${unused} needs --config; add --config FILE`);
  if (args.values.has("queue"))
    return new Failure("--config works on one machine only; leave out --queue");
  const question = configurationQuestion(args, warn);
  if (isFailure(question)) return question;
  const typed = args.values.get("fleet");
  const fleet = typed === undefined ? undefined : readFleet(typed);
  if (isFailure(fleet)) return fleet;
  const configured: ConfiguredCandidate[] = [];
  for (const file of files) {
    const candidate = readConfiguration(file, question);
    if (isFailure(candidate)) return candidate;
    configured.push({
      candidate: onFleet(candidate, fleet),
      fields: fieldsOfCandidate(candidate),
    });
  }
  return configured;
}

/** The fields of a request that a candidate reads. */
export const fieldsOfCandidate = (candidate: Candidate): readonly Selector[] => {
  if (candidate.kind === "limit") return [];
  return candidate.kind === "rules" ? fieldsOfRules(candidate) : senderFieldsOf(candidate);
};

export function readConfiguration(
  typed: string,
  question: ConfigurationQuestion,
): Candidate | Failure {
  if (!existsSync(typed) && /^[\d.]+\//.test(typed)) return limitOf(typed);
  const file = readFileOrFolder(typed, question.kind);
  if (isFailure(file)) return file;
  return readAs(file, includesNextTo(typed), question, typed);
}

/** Reads the file of another limiter, so that it can be read again with other numbers. */
export function readEditable(
  typed: string,
  question: ConfigurationQuestion,
): EditableConfiguration | Failure {
  const main = readConfigurationFile(typed);
  if (isFailure(main)) return main;
  const files = new Map<string, ConfigurationFile>();
  const readWith = (
    edited: readonly ConfigurationFile[],
    wanted: ConfigurationQuestion,
  ): RulesCandidate | Failure => {
    const texts = new Map(edited.map((each) => [each.file, each]));
    const take = (each: ConfigurationFile): ConfigurationFile => {
      const taken = texts.get(each.file) ?? each;
      files.set(each.file, taken);
      return taken;
    };
    const candidate = readAs(
      take(main),
      (pattern) => {
        const found = includesNextTo(typed)(pattern);
        return isFailure(found) ? found : found.map(take);
      },
      wanted,
      typed,
    );
    if (isFailure(candidate)) return candidate;
    return candidate.kind === "rules"
      ? candidate
      : new Failure(`${typed} is a world of Weir; only a file of another limiter is changed`);
  };
  const candidate = readWith([], question);
  if (isFailure(candidate)) return candidate;
  // The first reading has warned.
  const silent = { ...question, warn: () => {} };
  const readAgain: EditableConfiguration["readAgain"] = (edited) => readWith(edited, silent);
  return { files: [...files.values()], candidate, readAgain };
}

/** `typed` is REV:FILE. */
export function readGitConfiguration(
  typed: string,
  question: ConfigurationQuestion,
): Candidate | Failure {
  const revision = readRevision(typed, question.kind);
  return isFailure(revision) ? revision : readAs(revision.main, revision.includes, question, typed);
}

/** A file without any of these fields is no world, and the errors of a world do not help. */
const WORLD_FIELD = /^[\s{"']*(?:apis|policies|keys|gateway)["']?\s*:/m;

function readAs(
  main: ConfigurationFile,
  includes: Includes,
  { values, clientsAre, kind, warn }: ConfigurationQuestion,
  typed: string,
): Candidate | Failure {
  const file = main.others === undefined ? main.file : typed;
  const read = readRules(main, includes, { values, kind }, file);
  if (isFailure(read)) return read;
  if (read !== null) {
    if (read.doubt !== null) warn(oneLine(`warning: ${read.doubt}`));
    return { kind: "rules", file, configuration: read.configuration };
  }
  const { configuration, errors, warnings } = readWorldFile(main);
  for (const warning of warnings) warn(oneLine(warning));
  if (configuration === null)
    return WORLD_FIELD.test(main.text)
      ? new Failure(...errors)
      : new Failure(
          `${file} is no world of Weir, and no configuration that one of these readers recognizes: ${KINDS.join(", ")}; --kind names one`,
        );
  return hasThrottling(configuration)
    ? new Failure(
        `${file}: throttle_interval lets requests wait, which a replay cannot do; remove it`,
      )
    : { kind: "world", file, configuration, clientsAre };
}

/** `60/1m` or `60/1m:token_bucket`. */
function limitOf(typed: string): Candidate | Failure {
  const [size = "", algorithm = "sliding_log", ...rest] = typed.split(":");
  if (rest.length > 0)
    return new Failure(`"${typed}" is no limit; write one as in 60/1m:token_bucket`);
  const limits = limitsIn(size);
  if (isFailure(limits)) return limits;
  if (limits.length > 1) return new Failure(`"${typed}" is ${limits.length} limits; write one`);
  const limiters = limitersIn(new Map([["algorithm", algorithm]]), null);
  return isFailure(limiters) ? limiters : { kind: "limit", limit: limits[0]!, ...limiters[0]! };
}
