// Reads a saved comparison, or reports the problem of a file that is none.
import { z } from "zod";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { footerFailure, readDocument } from "../read-document.ts";
import {
  COMPARE_FORMAT,
  comparisonFooterOf,
  worstWordOf,
  type BenchComparison,
} from "./compare.ts";

const count = z.int().min(0);
const amount = z.number().min(0);
const text = z.string();
const metric = z.string();
const word = z.enum(["improved", "regressed", "same", "unclear"]);

const side = z
  .strictObject({ median: amount, mad: amount, min: amount, max: amount, repeats: count })
  .readonly();

const evidence = z
  .strictObject({
    base: side,
    head: side,
    ratio: amount.nullable(),
    interval: z.strictObject({ low: amount, high: amount }).readonly().nullable(),
    p: amount,
  })
  .readonly();

const figureVerdict = z
  .strictObject({
    cell: text,
    metric,
    unit: text,
    better: z.enum(["less", "more"]),
    evidence: evidence.nullable(),
    relative: z.array(z.strictObject({ control: text, evidence }).readonly()).readonly(),
    p: amount.nullable(),
    verdict: z.strictObject({ word, why: text.nullable(), needed: amount.nullable() }).readonly(),
  })
  .readonly();

const run = z
  .strictObject({ startedAt: text, commit: text.nullable(), changed: z.boolean(), node: text })
  .readonly();

const comparison = z
  .strictObject({
    format: z.literal(COMPARE_FORMAT),
    suite: z.strictObject({ id: text, title: text, hash: text }).readonly(),
    base: run,
    head: run,
    minEffect: z.number().positive(),
    alpha: z.number().positive(),
    seed: count,
    word,
    gates: z.array(figureVerdict).readonly(),
    shown: z.array(figureVerdict).readonly(),
    warnings: z.array(text).readonly(),
    moved: z.array(z.strictObject({ control: text, metric, ratio: amount }).readonly()).readonly(),
    footer: z.strictObject({ gates: count, shown: count }).readonly(),
  })
  .readonly();

export function readComparison(json: string): BenchComparison | Failure {
  const read = readDocument(json, COMPARE_FORMAT, comparison);
  if (isFailure(read)) return read;
  const worst = worstWordOf(read.gates);
  if (worst !== read.word)
    return new Failure(`word: it is ${read.word}, and its gates are ${worst}`);
  return footerFailure(read.footer, comparisonFooterOf(read)) ?? read;
}
