// Documents that were kept, each read by who knows its format, as what a page shows of them.
import { dirname, basename, join } from "node:path";
import { existsSync } from "node:fs";
import { AGAINST_FORMAT } from "../bench/against/result.ts";
import { COMPARE_FORMAT } from "../bench/compare/compare.ts";
import { readComparison } from "../bench/compare/read-comparison.ts";
import { benchPart } from "../bench/report/bench-part.ts";
import { comparePart } from "../bench/report/compare-part.ts";
import { readSamples } from "../bench/report/samples.ts";
import { truthPart } from "../bench/report/truth-part.ts";
import { readResult } from "../bench/result-schema.ts";
import { BENCH_FORMAT, type BenchResult } from "../bench/result.ts";
import { readTruthResult } from "../bench/truth-schema.ts";
import { TRUTH_FORMAT } from "../bench/truth.ts";
import { paretoPart } from "../experiments/pareto/pareto-part.ts";
import { readResult as readPareto } from "../experiments/pareto/read-result.ts";
import { PARETO_FORMAT } from "../experiments/pareto/result.ts";
import type { MeasuredPart } from "../report/measured.ts";
import { REPORT_FORMAT } from "../report/format.ts";
import type { Report } from "../report/model.ts";
import { digest } from "../scenario/history/digest.node.ts";
import { formatTold, readReport } from "./read-report.node.ts";
import { readText } from "../reading/text-file.node.ts";

export type Kept = { readonly run: Report } | { readonly measured: MeasuredPart };

type Reader = (text: string, file: string) => Kept | string;

const measured =
  <T extends object>(
    read: (text: string) => T | string,
    part: (document: T) => MeasuredPart,
  ): Reader =>
  (text) => {
    const document = read(text);
    return typeof document === "string" ? document : { measured: part(document) };
  };

const READERS: Readonly<Record<string, Reader>> = {
  [REPORT_FORMAT]: (text) => {
    const run = readReport(text);
    return typeof run === "string" ? run : { run };
  },
  [BENCH_FORMAT]: (text, file) => {
    const result = readResult(text);
    if (typeof result === "string") return result;
    const part = partOfBench(result, file);
    return "problem" in part ? part.problem : { measured: part };
  },
  [COMPARE_FORMAT]: measured(readComparison, comparePart),
  [TRUTH_FORMAT]: measured(readTruthResult, truthPart),
  [PARETO_FORMAT]: measured(
    (text) => readPareto(text, (suite) => digest([JSON.stringify(suite)])),
    paretoPart,
  ),
};

/** A sentence begins with the file that it tells of. */
export function keptIn(file: string): Kept | string {
  const read = readText(file);
  if ("problem" in read) return read.problem;
  let document: unknown;
  try {
    document = JSON.parse(read.text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `${file}: this is not JSON, or it was cut off: ${error.message}`;
  }
  const { format } = (document ?? {}) as { readonly format?: unknown };
  const reader =
    typeof format === "string" && Object.hasOwn(READERS, format) ? READERS[format] : undefined;
  if (format === AGAINST_FORMAT)
    return `${file}: ${AGAINST_FORMAT} has no page; weir bench --against --markdown prints its table, and the file has the same verdicts under "gates"`;
  if (reader === undefined)
    return `${file}: ${formatTold(format)}, and this version of Weir renders ${Object.keys(READERS).join(", ")}`;
  const kept = reader(read.text, file);
  return typeof kept === "string" ? `${file}: ${kept}` : kept;
}

/** With the samples that lie beside the file of the result, if they do. */
export function partOfBench(
  result: BenchResult,
  file: string,
): MeasuredPart | { readonly problem: string } {
  const { samples } = result;
  const beside =
    samples === null || basename(samples) !== samples ? null : join(dirname(file), samples);
  if (beside === null || !existsSync(beside)) return benchPart(result, null);
  const read = readText(beside);
  if ("problem" in read) return read;
  const sampled = readSamples(read.text, result);
  return typeof sampled === "string"
    ? { problem: `${beside}, ${sampled}` }
    : benchPart(result, sampled);
}
