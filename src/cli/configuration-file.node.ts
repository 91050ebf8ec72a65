// Reads a configuration of any kind that Weir knows: a limit as text, a world, or the files of another limiter.
import { existsSync, globSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { oneLine } from "../kit/reading/legible.ts";
import { readText } from "../kit/reading/text-file.node.ts";
import { readWorldFile } from "../gateway/settings/world.ts";
import type { ConfigurationFile, Includes } from "../lab/implementations/reading.ts";
import { findReader, KINDS } from "../lab/implementations/readers.ts";
import { readRevision } from "./git-revision.node.ts";
import type { Candidate } from "../studies/replay/candidates.ts";
import { hasThrottling, type WorldCandidate } from "../studies/replay/worlds.ts";
import { limitersIn, limitsIn } from "./replay-question.ts";

export interface ConfigurationQuestion {
  readonly values: ReadonlyMap<string, string>; // of --set
  readonly clientsAre: WorldCandidate["clientsAre"];
  readonly kind: string | null; // of --kind; null: found by the text
  readonly warn: (line: string) => void;
}

const MOST_BYTES = 5_000_000;

export function readConfiguration(
  typed: string,
  question: ConfigurationQuestion,
): Candidate | Failure {
  if (!existsSync(typed) && /^[\d.]+\//.test(typed)) return limitOf(typed);
  const file = readFileOf(typed);
  return isFailure(file) ? file : readAs(file, includesNextTo(typed), question);
}

/** `typed` is REV:FILE. */
export function readGitConfiguration(
  typed: string,
  question: ConfigurationQuestion,
): Candidate | Failure {
  const revision = readRevision(typed);
  return isFailure(revision) ? revision : readAs(revision.main, revision.includes, question);
}

const TEMPLATE = /\{\{[^{}]*\}\}|\{%[^%]*%\}|<%.*?%>/s;

const notRendered = ({ file }: ConfigurationFile): Failure =>
  new Failure(`${file} is a template; render it, and name the rendered file`);

const refuseTemplates =
  (includes: Includes): Includes =>
  (pattern) => {
    const files = includes(pattern);
    const template = isFailure(files) ? undefined : files.find(({ text }) => TEMPLATE.test(text));
    return template === undefined ? files : notRendered(template);
  };

function readAs(
  main: ConfigurationFile,
  includes: Includes,
  { values, clientsAre, kind, warn }: ConfigurationQuestion,
): Candidate | Failure {
  const { file } = main;
  if (TEMPLATE.test(main.text)) return notRendered(main);
  const reader = findReader(main, kind);
  if (isFailure(reader)) return reader;
  if (reader !== null) {
    const configuration = reader.read(main, refuseTemplates(includes), values);
    return isFailure(configuration) ? configuration : { kind: "rules", file, configuration };
  }
  const { configuration, errors, warnings } = readWorldFile(main);
  for (const warning of warnings) warn(oneLine(warning));
  if (configuration === null)
    return new Failure(
      ...errors,
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
