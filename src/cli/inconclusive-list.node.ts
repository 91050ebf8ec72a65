// `--inconclusive`: compares the inconclusive variants of a run with a list, or adds the run to the list.
import { existsSync } from "node:fs";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { readText, whyUnreadable, writeWhole } from "../kit/reading/text-file.node.ts";
import {
  addRun,
  compareWithList,
  EMPTY_LIST,
  inconclusiveListText,
  readInconclusiveList,
  type InconclusiveList,
} from "../lab/run/known-inconclusive.ts";
import type { Result } from "../lab/scenario/verdict.ts";
import type { Arguments } from "./arguments.ts";
import type { InconclusiveReport } from "./inconclusive-text.ts";

const OPTION = "inconclusive";

export interface KnownInconclusive {
  readonly file: string;
  readonly driver: string;
  readonly list: InconclusiveList;
  readonly isWritten: boolean;
}

/** Null if the flag is not given. */
export function readKnownInconclusive(
  { values, switches }: Arguments,
  driver: string,
): KnownInconclusive | Failure | null {
  const file = values.get(OPTION);
  if (file === undefined) return null;
  if (driver === "virtual")
    return new Failure(
      `--${OPTION} is only for real time; add --driver embedded or --driver redis`,
    );
  const isWritten = switches.has("write");
  if (isWritten && process.env["CI"] !== undefined)
    return new Failure(
      "--write is disabled if the variable CI is set: review the list, then commit it",
    );
  if (isWritten && !existsSync(file)) return { file, driver, list: EMPTY_LIST, isWritten };
  const text = readText(file);
  if (isFailure(text))
    return new Failure(`--${OPTION} ${text.message}; --write creates it from this run`);
  const list = readInconclusiveList(text);
  return isFailure(list)
    ? new Failure(`--${OPTION} ${file}: ${list.message}`)
    : { file, driver, list, isWritten };
}

/** Compares results with the list; with --write, first adds them to it. Fails if the file cannot be written. */
export function compareOrAdd(
  { file, driver, list, isWritten }: KnownInconclusive,
  results: readonly Result[],
): InconclusiveReport | Failure {
  if (!isWritten) return { file, ...compareWithList(list, driver, results) };
  const longer = addRun(list, driver, results);
  try {
    writeWhole(file, inconclusiveListText(longer));
  } catch (error) {
    return new Failure(`${file}: ${whyUnreadable(error)}`);
  }
  return { file, ...compareWithList(longer, driver, results) };
}
