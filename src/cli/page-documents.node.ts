// Reads saved documents, each with the reader of its format, as the content of a page.
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { dirname, basename, join } from "node:path";
import { existsSync } from "node:fs";
import { commandLine } from "../kit/command-line.ts";
import { AGAINST_FORMAT } from "../studies/bench/against/result.ts";
import { COMPARE_FORMAT, readComparison } from "../studies/bench/compare/comparison.ts";
import { benchPart } from "../studies/bench/report/bench-part.ts";
import { comparePart } from "../studies/bench/report/compare-part.ts";
import { readSamples } from "../studies/bench/report/samples.ts";
import { truthPart } from "../studies/bench/report/truth-part.ts";
import { readResult, BENCH_FORMAT, type BenchResult } from "../studies/bench/result.ts";
import { readTruthResult, TRUTH_FORMAT } from "../studies/bench/truth-schema.ts";
import {
  IMPLEMENTATIONS_RUN_FORMAT,
  readImplementationsRun,
} from "../studies/implementations/result.ts";
import { runPart } from "../studies/implementations/run-part.ts";
import { readSavedProofs } from "../studies/implementations/saved-proofs.node.ts";
import { answerPareto } from "../show/answers/pareto.ts";
import { paretoPart } from "../studies/pareto/pareto-part.ts";
import { readResult as readPareto } from "../studies/pareto/read-result.ts";
import { PARETO_FORMAT } from "../studies/pareto/result.ts";
import type { LimitersPart } from "../lab/report/limiters.ts";
import type { MeasuredPart } from "../lab/report/measured.ts";
import { REPORT_FORMAT } from "../lab/report/format.ts";
import type { Report } from "../lab/report/model.ts";
import { digest } from "../lab/scenario/history/digest.node.ts";
import { beginWithAnswer, leadWithAnswer } from "../show/answers/answer.ts";
import { answerBench } from "../show/answers/bench.ts";
import { answerCompare } from "../show/answers/compare.ts";
import { answerImplementations } from "../show/answers/implementations.ts";
import { answerTruth } from "../show/answers/truth.ts";
import { DEFAULT_OUT, PROOFS } from "./implementations-results.node.ts";
import { describeFormat, readReport } from "./read-report.node.ts";
import { readText } from "../kit/reading/text-file.node.ts";

export type PageDocument =
  | { readonly run: Report }
  | { readonly measured: MeasuredPart }
  | { readonly limiters: LimitersPart };

type Reader = (text: string, file: string) => PageDocument | Failure;

const readerOfMeasured =
  <T extends object>(
    read: (text: string) => T | Failure,
    part: (document: T) => MeasuredPart,
  ): Reader =>
  (text) => {
    const document = read(text);
    return isFailure(document) ? document : { measured: part(document) };
  };

const READERS: Readonly<Record<string, Reader>> = {
  [REPORT_FORMAT]: (text) => {
    const run = readReport(text);
    return isFailure(run) ? run : { run };
  },
  [BENCH_FORMAT]: (text, file) => {
    const result = readResult(text);
    if (isFailure(result)) return result;
    const part = partOfBench(result, file);
    return isFailure(part) ? part : { measured: part };
  },
  [IMPLEMENTATIONS_RUN_FORMAT]: (text) => {
    const run = readImplementationsRun(text);
    if (isFailure(run)) return run;
    const proofs = readSavedProofs(join(DEFAULT_OUT, PROOFS), run.implementations);
    return { limiters: beginWithAnswer(runPart(run, proofs), answerImplementations(run)) };
  },
  [COMPARE_FORMAT]: readerOfMeasured(readComparison, (comparison) =>
    leadWithAnswer(comparePart(comparison), answerCompare(comparison)),
  ),
  [TRUTH_FORMAT]: readerOfMeasured(readTruthResult, (result) =>
    leadWithAnswer(truthPart(result), answerTruth(result)),
  ),
  [PARETO_FORMAT]: readerOfMeasured(
    (text) => readPareto(text, (suite) => digest([JSON.stringify(suite)])),
    (result) => leadWithAnswer(paretoPart(result), answerPareto(result)),
  ),
};

export const RENDERED_FORMATS: readonly string[] = Object.keys(READERS);

/** Reads a saved document of any known format. The message of a failure starts with the name of the file. */
export function readPageDocument(file: string): PageDocument | Failure {
  const read = readText(file);
  if (isFailure(read)) return read;
  let document: unknown;
  try {
    document = JSON.parse(read);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return new Failure(`${file}: this is not JSON, or it was cut off: ${error.message}`);
  }
  const { format } = (document ?? {}) as { readonly format?: unknown };
  const reader =
    typeof format === "string" && Object.hasOwn(READERS, format) ? READERS[format] : undefined;
  if (format === AGAINST_FORMAT)
    return new Failure(
      `${file}: ${AGAINST_FORMAT} has no page; ${commandLine("bench --against PATH --markdown")} prints its table, and the file has the same verdicts under "gates"`,
    );
  if (reader === undefined)
    return new Failure(
      `${file}: ${describeFormat(format)}, and this version of Weir renders ${RENDERED_FORMATS.join(", ")}`,
    );
  const result = reader(read, file);
  return isFailure(result) ? new Failure(`${file}: ${result.message}`) : result;
}

/** Includes the samples in the folder of the result, if they exist. */
export function partOfBench(result: BenchResult, file: string): MeasuredPart | Failure {
  const part = partWithoutAnswer(result, file);
  return isFailure(part) ? part : leadWithAnswer(part, answerBench(result));
}

function partWithoutAnswer(result: BenchResult, file: string): MeasuredPart | Failure {
  const { samples } = result;
  const samplesFile =
    samples === null || basename(samples) !== samples ? null : join(dirname(file), samples);
  if (samplesFile === null || !existsSync(samplesFile)) return benchPart(result, null);
  const read = readText(samplesFile);
  if (isFailure(read)) return read;
  const sampled = readSamples(read, result);
  return isFailure(sampled)
    ? new Failure(`${samplesFile}, ${sampled.message}`)
    : benchPart(result, sampled);
}
