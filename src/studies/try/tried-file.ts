// The file of another limiter that is tried: its rules, and those of them that count the requests.
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { micros } from "../../kit/units.ts";
import { readRules, type RulesRead } from "../../lab/implementations/read-configuration.ts";
import type { Includes, ReadRule, RequestFacts } from "../../lab/implementations/reading.ts";
import { rulesOfFile } from "../../lab/implementations/rules-of-file.ts";
import type { RulesOfFile } from "../../lab/scenario/world.ts";
import { textOfRule } from "../replay/candidates.ts";
import { limitInRequests } from "../replay/rules.ts";
import type { BudgetOwner, TriedFile, TriedRule } from "./question.ts";

export type UnreadFile = Omit<TriedFile, "includes" | "rules" | "owner" | "doubts">;

/** Reads the file with its includes, and finds the limits that count the requests. */
export function readTriedFile(
  wanted: UnreadFile,
  readIncludes: Includes,
  perAddress: number | null,
): TriedFile | Failure {
  const includes = new Map<string, TriedFileParts>();
  const read = readRules(
    wanted.main,
    (pattern) => {
      const files = readIncludes(pattern);
      if (!isFailure(files)) includes.set(pattern, files);
      return files;
    },
    wanted,
    wanted.file,
  );
  if (isFailure(read)) return read;
  if (read === null)
    return new Failure(
      `${wanted.file} is recognized by no reader of configurations; --kind names one`,
    );
  const { configuration, doubts } = rulesOfFile(wanted.file, read);
  const factsOf = senders(wanted);
  const counting = configuration.rules
    .filter((rule) => rule.budgetOf(factsOf(0, 0)) !== null)
    .toSorted((a, b) => rank(a) - rank(b));
  const [lowest] = counting;
  if (lowest === undefined) return countsNothing(wanted, configuration.rules);
  return {
    ...wanted,
    includes,
    rules: counting.map(describeRule),
    owner: ownerOf(lowest, factsOf, perAddress),
    doubts: doubts(),
  };
}

type TriedFileParts =
  TriedFile["includes"] extends ReadonlyMap<string, infer Files> ? Files : never;

/** A limit that refuses comes before a dry run, and a lower one before a higher one. */
const rank = (rule: ReadRule): number => {
  const { rate, perUs } = limitInRequests(rule);
  return rule.isDryRun ? Number.MAX_VALUE : rate / perUs;
};

const describeRule = (rule: ReadRule): TriedRule => {
  const { rate, perUs } = limitInRequests(rule);
  return {
    rate,
    perUs: micros(perUs),
    rule: rule.id,
    limit: textOfRule(rule),
    file: rule.file,
    line: rule.line,
    status: rule.status,
    isDryRun: rule.isDryRun,
  };
};

type FactsOf = (address: number, client: number) => RequestFacts;

const senders =
  ({ method, path, headers }: UnreadFile): FactsOf =>
  (address, client) => {
    const sent = new Map([
      ["authorization", `client-${client}`],
      ...headers.map(([name, value]) => [name.toLowerCase(), value] as const),
    ]);
    const header: RequestFacts["header"] = (name) => sent.get(name) ?? null;
    const host = header("host") ?? "";
    return { method, target: path, address: `198.18.0.${address}`, host, header };
  };

function ownerOf(rule: ReadRule, factsOf: FactsOf, perAddress: number | null): BudgetOwner {
  const own = rule.budgetOf(factsOf(0, 0));
  if (rule.budgetOf(factsOf(1, 1)) === own) return "all";
  return perAddress !== null && rule.budgetOf(factsOf(0, 1)) === own ? "address" : "client";
}

function countsNothing({ file, method, path }: UnreadFile, rules: readonly ReadRule[]): Failure {
  const places = rules.map(({ id, file: place, line }) => `${id} (${place}:${line})`);
  return new Failure(
    rules.length === 0
      ? `${file} has no limit`
      : `no limit of ${file} counts ${method} ${path}; --path names other requests, and --header what they send, for ${places.join(", ")}`,
  );
}

/** The rules of a file that was read before. */
export function startFile(tried: TriedFile): RulesOfFile {
  const includes: Includes = (pattern) => tried.includes.get(pattern) ?? [];
  const read = readRules(tried.main, includes, tried, tried.file);
  return rulesOfFile(tried.file, requireRead(read));
}

function requireRead(read: RulesRead | null | Failure): RulesRead {
  if (read === null || isFailure(read)) throw new Error("the file was read before");
  return read;
}
