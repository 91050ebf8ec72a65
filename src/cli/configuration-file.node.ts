// Reads a configuration of any kind that Weir knows: a limit as text, a world, or the files of another limiter.
import { existsSync, globSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { oneLine } from "../kit/reading/legible.ts";
import { readText } from "../kit/reading/text-file.node.ts";
import { readWorldFile } from "../gateway/settings/world.ts";
import type { ConfigurationFile, Includes } from "../lab/implementations/reading.ts";
import { findReader, KINDS } from "../lab/implementations/readers.ts";
import { readFolder } from "./configuration-folder.node.ts";
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

const MOST_BYTES = 5_000_000;

/** Reads --set, --kind and --key of a command line. */
export function configurationQuestion(
  { lists, values }: Arguments,
  warn: (line: string) => void,
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
  const clientsAre = (values.get("key") ?? "ip") === "ip" ? "addresses" : "keys";
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
  const isFolder = existsSync(typed) && statSync(typed).isDirectory();
  const file = isFolder ? readFolder(typed, question.kind) : readFileOf(typed);
  if (isFailure(file)) return file;
  return readAs(file, includesNextTo(typed), question, typed);
}

/** Reads the file of another limiter, so that it can be read again with other numbers. */
export function readEditable(
  typed: string,
  question: ConfigurationQuestion,
): EditableConfiguration | Failure {
  const main = readFileOf(typed);
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

const TEMPLATE = /\{\{[^{}]*\}\}|\{%[^%]*%\}|<%.*?%>/s;

const isTemplate = (text: string): boolean => TEMPLATE.test(text) && !isJson(text);

/** The texts of JSON may be templates of the program itself. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

const notRendered = (file: string): Failure =>
  new Failure(`${file} is a template; render it, and name the rendered file`);

const refuseTemplates =
  (includes: Includes): Includes =>
  (pattern) => {
    const files = includes(pattern);
    const template = isFailure(files) ? undefined : files.find(({ text }) => isTemplate(text));
    return template === undefined ? files : notRendered(template.file);
  };

/** A file without any of these fields is no world, and the errors of a world do not help. */
const WORLD_FIELD = /^[\s{"']*(?:apis|policies|keys|gateway)["']?\s*:/m;

function readAs(
  main: ConfigurationFile,
  includes: Includes,
  { values, clientsAre, kind, warn }: ConfigurationQuestion,
  typed: string,
): Candidate | Failure {
  const file = main.others === undefined ? main.file : typed;
  if (isTemplate(main.text)) return notRendered(file);
  const reader = findReader(main, kind);
  if (isFailure(reader)) return reader;
  if (reader !== null) {
    if (reader.isProvedBy === "documentation")
      warn(
        oneLine(
          `warning: ${file}: the reader of ${reader.kind} follows its documentation, and was not compared with ${reader.kind} itself`,
        ),
      );
    const configuration = reader.read(main, refuseTemplates(includes), values);
    return isFailure(configuration) ? configuration : { kind: "rules", file, configuration };
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

function readFileOf(path: string): ConfigurationFile | Failure {
  if (existsSync(path) && statSync(path).size > MOST_BYTES)
    return new Failure(`${path} has more than 5 MB, which is no configuration of limits`);
  const text = readText(path);
  return isFailure(text) ? text : { file: path, text };
}

/** Included files are named relative to the folder of the main file. */
const includesNextTo =
  (main: string): Includes =>
  (pattern) => {
    const path = isAbsolute(pattern) ? pattern : join(dirname(main), pattern);
    if (/[*?[]/.test(path)) return collect(globSync(path).toSorted());
    if (!existsSync(path)) return new Failure(`include ${pattern}: ${path} does not exist`);
    return collect([path]);
  };

function collect(paths: readonly string[]): readonly ConfigurationFile[] | Failure {
  const files: ConfigurationFile[] = [];
  for (const path of paths) {
    const file = readFileOf(path);
    if (isFailure(file)) return file;
    files.push(file);
  }
  return files;
}
