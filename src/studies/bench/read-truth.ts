// The file of a suite that compares the admitted requests with the allowed ones.
import { ALGORITHMS, type Algorithm } from "../../limiter/core/algorithms.ts";
import type { Failure } from "../../kit/reading/failure.ts";
import { report } from "../../kit/reading/problems.ts";
import { MILLISECOND, SECOND, type Micros } from "../../kit/units.ts";
import { record } from "../../kit/reading/record.ts";
import {
  listOf,
  numberFrom,
  oneOf,
  mandatory,
  text,
  wholeNumber,
} from "../../kit/reading/shape.ts";
import { durationAbove0 } from "../../kit/reading/duration.ts";
import { readSuiteFile } from "./read-suite-file.ts";
import type { StoreKind } from "./suite.ts";

export interface TruthSuite {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly algorithms: readonly Algorithm[];
  readonly stores: readonly StoreKind[];
  readonly rate: number;
  readonly perUs: Micros;
  readonly demand: number;
  readonly arrivals: "constant" | "poisson";
  readonly lastsUs: Micros;
  readonly bucketsUs: readonly Micros[];
}

const MOST_A_SECOND = 1_000;

export const truthShape = record("a suite of truth", {
  id: mandatory(text, "The name of the file, without .yaml."),
  kind: mandatory(oneOf(["truth"]), "Distinguishes it from a suite that measures costs."),
  title: mandatory(text, "What it shows, in one line."),
  about: mandatory(text, "What it shows, in a paragraph."),
  algorithms: mandatory(listOf(oneOf(ALGORITHMS), 1), "The algorithms."),
  stores: mandatory(listOf(oneOf(["memory", "redis"]), 1), "Where the counters are."),
  rate: mandatory(wholeNumber(1, MOST_A_SECOND), "The limit."),
  per: mandatory(durationAbove0, "Its window, in whole milliseconds."),
  demand: mandatory(numberFrom(0.01, 100), "The load as a multiple of the limit."),
  arrivals: mandatory(oneOf(["constant", "poisson"]), "The load model."),
  duration: mandatory(durationAbove0, "How long it runs."),
  buckets: mandatory(
    listOf(durationAbove0, 1),
    "Lengths of the buckets in which requests are counted.",
  ),
});

export const readTruth = (file: string, written: string): TruthSuite | Failure =>
  readSuiteFile(file, written, "truth", (value, problems) => {
    const read = truthShape.read(value, [], problems);
    if (read === undefined) return undefined;
    const perSecond = (read.rate * read.demand * SECOND) / read.per;
    if (perSecond > MOST_A_SECOND)
      report(
        problems,
        "SCN-VALUE",
        ["demand"],
        `this sends each gateway ${Math.round(perSecond)} requests a second, and at most ${MOST_A_SECOND} are allowed`,
        "lower it: a saturated gateway shows its speed, not whether its limit is correct",
      );
    // The gateways' logs have times in whole milliseconds.
    if (read.per % MILLISECOND !== 0)
      report(problems, "SCN-VALUE", ["per"], "this must be a multiple of 1 ms");
    const { kind: _, per: perUs, duration: lastsUs, buckets: bucketsUs, ...rest } = read;
    return { ...rest, perUs, lastsUs, bucketsUs };
  });
