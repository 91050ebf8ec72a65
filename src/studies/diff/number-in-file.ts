// Finds the number of a rule in the files of its configuration, whichever program they are of: each number is doubled,
// and the files are read again. The one that doubles the rate of the rule, and changes no other rule, is its limit.
import { isFailure, type Failure } from "../../kit/reading/failure.ts";
import type { ConfigurationFile, ReadRule } from "../../lab/implementations/reading.ts";
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
}

/** More numbers take too long. */
const MOST_NUMBERS = 2000;

const NUMBER = /(?<![\w.$])\d{1,9}(?![\d.])/g;

/** Null: no single number is the limit of the rule. */
export function findNumber(
  configuration: EditableConfiguration,
  rule: ReadRule,
): NumberInFile | null {
  const { candidate } = configuration;
  const { rules } = candidate.configuration;
  for (const number of numbersIn(configuration).slice(0, MOST_NUMBERS)) {
    const changed = replaceNumber(configuration, number, 2 * number.value);
    if (isFailure(changed.candidate)) continue;
    const { rules: after } = changed.candidate.configuration;
    if (after.length !== rules.length) continue;
    const isOnly = rules.every((each, index) => {
      const isOwn =
        each === rule || (each.counters !== undefined && each.counters === rule.counters);
      const times = speedOf(after[index]!) / speedOf(each);
      return Math.abs(times - (isOwn ? 2 : 1)) < 0.01;
    });
    if (isOnly) return number;
  }
  return null;
}

/** In requests: twice the number may be counted in other parts of a request. */
const speedOf = ({ limit: { rate, perUs }, cost = 1 }: ReadRule): number => rate / cost / perUs;

/** The numbers on lines that have a statement about limits. */
function numbersIn({ files, candidate }: EditableConfiguration): readonly NumberInFile[] {
  return files.flatMap(({ file, text }) => {
    const lines = text.split("\n");
    const stated = candidate.configuration.statements
      .filter((statement) => statement.file === file && statement.role === "read")
      .map(({ line }) => line);
    return [...new Set(stated)].flatMap((line) =>
      [...(lines[line - 1] ?? "").matchAll(NUMBER)].map(({ 0: digits, index }) => ({
        file,
        line,
        from: index,
        to: index + digits.length,
        value: Number(digits),
      })),
    );
  });
}

export interface EditedConfiguration {
  readonly files: readonly ConfigurationFile[];
  readonly candidate: RulesCandidate | Failure;
}

export function replaceNumber(
  { files, readAgain }: Pick<EditableConfiguration, "files" | "readAgain">,
  { file, line, from, to }: NumberInFile,
  value: number,
): EditedConfiguration {
  const edited = files.map((each) => {
    if (each.file !== file) return each;
    const lines = each.text.split("\n");
    const old = lines[line - 1]!;
    lines[line - 1] = `${old.slice(0, from)}${value}${old.slice(to)}`;
    return { file, text: lines.join("\n") };
  });
  return { files: edited, candidate: readAgain(edited) };
}
