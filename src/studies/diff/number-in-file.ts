// Finds the numbers of a rule in the files of its configuration, whichever program they are of: each number is doubled,
// and the files are read again. The one that doubles the rate of the rule, or halves it, and changes no other rule, is
// its limit. The one that changes only how many requests it admits at once is its burst.
import { isFailure, type Failure } from "../../kit/reading/failure.ts";
import { client } from "../../limiter/core/client.ts";
import { memoryStore } from "../../limiter/store/memory.ts";
import type { ConfigurationFile, ReadRule } from "../../lab/implementations/reading.ts";
import { startCounting } from "../../lab/implementations/started-rules.ts";
import type { RulesCandidate } from "../replay/rules.ts";

/** The files of a configuration, which can be read with other texts. */
export interface EditableConfiguration {
  readonly files: readonly ConfigurationFile[];
  readonly candidate: RulesCandidate;
  readonly readAgain: (files: readonly ConfigurationFile[]) => RulesCandidate | Failure;
}

export interface NumberInFile {
  readonly file: string;
  readonly line: number; // from 1
  readonly from: number; // index of the first digit in its line
  readonly to: number;
  readonly value: number;
  readonly decimals: number; // of the numbers that are tried in its place
  readonly name: string; // before it in its line, such as "burst"; empty: there is none
  readonly unit: string; // after it
}

/** The numbers of one rule. `time`: less of it is a larger limit. */
export interface NumbersOfRule {
  readonly rate: NumberInFile | null;
  readonly time: NumberInFile | null;
  readonly burst: NumberInFile | null;
}

/** More numbers take too long. */
const MOST_NUMBERS = 2000;
/** Lines before and after a rule in which its burst is. */
const NEAR = 12;

const NUMBER = /(?<![\w.$])\d{1,9}(?:\.\d{1,6})?(?![\d.])/g;

export function findNumbers(configuration: EditableConfiguration, rule: ReadRule): NumbersOfRule {
  const numbers = numbersNear(configuration, rule);
  let rate: NumberInFile | null = null;
  let time: NumberInFile | null = null;
  let burst: NumberInFile | null = null;
  for (const number of numbers) {
    const isNear = isNearRule(number, rule) || (rate !== null && isNearRule(number, rate));
    const isDone = (rate ?? time) !== null && (burst !== null || !isNear);
    if (isDone) continue;
    const effect = effectOf(configuration, rule, number);
    if (effect === "rate") rate ??= number;
    if (effect === "time") time ??= withDecimals(configuration, rule, number);
    if (effect === "burst" && isNear) burst ??= number;
  }
  return { rate, time: rate === null ? time : null, burst };
}

const isNearRule = (
  number: Pick<NumberInFile, "file" | "line">,
  rule: Pick<ReadRule, "file" | "line">,
): boolean => number.file === rule.file && Math.abs(number.line - rule.line) <= NEAR;

type Effect = "rate" | "time" | "burst" | "none";

function effectOf(
  configuration: EditableConfiguration,
  rule: ReadRule,
  number: NumberInFile,
): Effect {
  const { rules } = configuration.candidate.configuration;
  const { candidate } = replaceNumber(configuration, number, 2 * number.value || 1);
  if (isFailure(candidate)) return "none";
  const { rules: after } = candidate.configuration;
  if (after.length !== rules.length) return "none";
  const own = rules.indexOf(rule);
  const isOther = (each: ReadRule): boolean =>
    each !== rule && (each.counters === undefined || each.counters !== rule.counters);
  if (rules.some((each, index) => isOther(each) && textOf(each) !== textOf(after[index]!)))
    return "none";
  const times = (index: number): number => speedOf(after[index]!) / speedOf(rules[index]!);
  const areTimes = (wanted: number): boolean =>
    rules.every((each, index) => isOther(each) || Math.abs(times(index) - wanted) < 0.01);
  if (areTimes(2)) return "rate";
  if (areTimes(0.5)) return "time";
  return areTimes(1) && countAtOnce(after[own]!) > countAtOnce(rule) ? "burst" : "none";
}

const textOf = ({ limit, cost, options }: ReadRule): string =>
  JSON.stringify([limit, cost, options]);

/** In requests: twice the number may be counted in other parts of a request. */
const speedOf = ({ limit: { rate, perUs }, cost = 1 }: ReadRule): number => rate / cost / perUs;

const MOST_AT_ONCE = 100_000;
const AT_US = 1_000_000_000_000;

function countAtOnce(rule: ReadRule): number {
  const decide = startCounting(rule, memoryStore());
  const sender = client("burst");
  let count = 0;
  while (count < MOST_AT_ONCE && decide(sender, AT_US, "spend").refused === null) count++;
  return count;
}

/** A short time with one more decimal, if the program reads it. */
function withDecimals(
  configuration: EditableConfiguration,
  rule: ReadRule,
  number: NumberInFile,
): NumberInFile {
  const finer = { ...number, decimals: number.decimals + 1 };
  const units = Math.round(number.value * 10 ** number.decimals);
  if (units >= 10 || finer.decimals > 3) return number;
  const value = number.value - 10 ** -finer.decimals;
  const { candidate } = replaceNumber(configuration, finer, value);
  const index = configuration.candidate.configuration.rules.indexOf(rule);
  const read = isFailure(candidate) ? undefined : candidate.configuration.rules[index];
  return read !== undefined && speedOf(read) > speedOf(rule) ? finer : number;
}

/** The numbers on lines that have a statement about limits, those near the rule first. */
function numbersNear(
  { files, candidate }: EditableConfiguration,
  rule: ReadRule,
): readonly NumberInFile[] {
  const all = files.flatMap(({ file, text }) => {
    const lines = text.split("\n");
    const stated = candidate.configuration.statements
      .filter((statement) => statement.file === file && statement.role === "read")
      .map(({ line }) => line);
    return [...new Set(stated)].flatMap((line) => numbersIn(file, line, lines[line - 1] ?? ""));
  });
  const distance = ({ file, line }: NumberInFile): number =>
    file === rule.file ? Math.abs(line - rule.line) : Number.MAX_SAFE_INTEGER;
  return all.toSorted((a, b) => distance(a) - distance(b)).slice(0, MOST_NUMBERS);
}

const numbersIn = (file: string, line: number, text: string): readonly NumberInFile[] =>
  [...text.matchAll(NUMBER)].map(({ 0: digits, index }) => {
    const to = index + digits.length;
    return {
      file,
      line,
      from: index,
      to,
      value: Number(digits),
      decimals: digits.split(".")[1]?.length ?? 0,
      name: /([\w.-]+)["']?\s*[:=]\s*["']?$/.exec(text.slice(0, index))?.[1] ?? "",
      unit: /^[a-z/]*/.exec(text.slice(to))![0],
    };
  });

export interface EditedConfiguration {
  readonly files: readonly ConfigurationFile[];
  readonly candidate: RulesCandidate | Failure;
}

export const replaceNumber = (
  configuration: Pick<EditableConfiguration, "files" | "readAgain">,
  number: NumberInFile,
  value: number,
): EditedConfiguration => replaceNumbers(configuration, [{ number, value }]);

/** Replaces numbers, which are different ones. */
export function replaceNumbers(
  { files, readAgain }: Pick<EditableConfiguration, "files" | "readAgain">,
  values: readonly { readonly number: NumberInFile; readonly value: number }[],
): EditedConfiguration {
  // From the right, because a number with more digits moves those after it.
  const ordered = values.toSorted((a, b) => b.number.from - a.number.from);
  const edited = files.map(({ file, text }) => {
    const own = ordered.filter(({ number }) => number.file === file);
    if (own.length === 0) return { file, text };
    const lines = text.split("\n");
    for (const { number, value } of own) {
      const old = lines[number.line - 1]!;
      const digits = `${Number(value.toFixed(number.decimals))}`;
      lines[number.line - 1] = `${old.slice(0, number.from)}${digits}${old.slice(number.to)}`;
    }
    return { file, text: lines.join("\n") };
  });
  return { files: edited, candidate: readAgain(edited) };
}
