// Evaluates a hand-written history, and formats the answers.
import { isDecided, type Expected, type OracleResults } from "#src/lab/oracle/expected.ts";
import { evaluateHistory } from "#src/lab/oracle/evaluate-history.ts";
import { worldOf, type OracleWorld } from "#src/lab/oracle/world.ts";
import type { OracleConfiguration } from "#src/lab/oracle/configured.ts";
import { configurationOf } from "#src/lab/oracle/reader.ts";
import { rawOf } from "../../histories/raw.ts";
import { historyOf, type HistoryText } from "../../histories/history.ts";
import {
  configuration,
  variantOf,
  type VariantText,
  type WorldText,
} from "../../histories/world.ts";

export function evaluate(world: VariantText, history: HistoryText): OracleResults {
  const flows = history.flows ?? [{ name: "only" }];
  return evaluateHistory(historyOf({ ...history, flows }), oracleWorld({ ...world, flows }));
}

/** The configuration that the oracle reads from the text of a world. */
export const readWorld = (text: WorldText): OracleConfiguration =>
  configurationOf(rawOf(configuration(text)));

export function oracleWorld(text: VariantText): OracleWorld {
  const world = worldOf(variantOf(text));
  if (world === null) throw new Error("the world has errors");
  return world;
}

/** "admit", "429", "403": the only allowed decision; "open": both are allowed. */
export const inWords = (expected: Expected): string => {
  if (!isDecided(expected)) return "open";
  return expected.admit ? "admit" : String(expected.refusalStatus ?? "refuse");
};

/** Run-length, as in scenario files: "3*admit 2*429". */
export function answers(results: OracleResults): string {
  const runs: [number, string][] = [];
  for (const word of results.rows.map(inWords)) {
    const last = runs.at(-1);
    if (last?.[1] === word) last[0]++;
    else runs.push([1, word]);
  }
  return runs.map(([times, word]) => (times === 1 ? word : `${times}*${word}`)).join(" ");
}

export const retryAfter = ({ rows }: OracleResults, row: number): string => {
  const seconds = rows[row]!.retryAfter;
  if (seconds === null) return "not asserted";
  if (seconds === "absent") return seconds;
  return seconds.fromS === seconds.toS
    ? String(seconds.fromS)
    : `${seconds.fromS} to ${seconds.toS}`;
};
