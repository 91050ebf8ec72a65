// What a report says, as data. The page only draws it; a program may read it instead.
import type { Outcome, Result, Verdict } from "../scenario/verdict.ts";

export interface Report {
  readonly format: "weir-report/1";
  readonly seed: number;
  readonly scenarios: readonly ScenarioReport[];
  /** A report without it was cut off. */
  readonly footer: {
    readonly scenarios: number;
    readonly variants: number;
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
  };
}

export interface ScenarioReport {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly file: string;
  readonly proves: readonly string[];
  readonly outcome: Result["outcome"];
  readonly variants: readonly VariantReport[];
  readonly expectations: readonly ExpectationReport[];
  readonly charts: readonly Chart[]; // of the first variant
}

export interface VariantReport {
  readonly name: string;
  readonly outcome: Result["outcome"];
  readonly requests: number;
  readonly refused: number;
  readonly virtualUs: number;
}

/** One expectation over all variants that have it: the worst outcome speaks for all. */
export interface ExpectationReport {
  readonly id: string;
  readonly line: number;
  readonly proves: readonly string[];
  readonly outcome: Outcome;
  readonly variants: number;
  readonly examined: number; // over all variants
  readonly worst: Pick<Verdict, "observed" | "expected"> & { readonly variant: string };
}

export type Chart = TimeChart | SequenceChart;

interface Drawn {
  readonly title: string;
  readonly variant: string;
}

/** Requests per second over time, in steps; what an allowance was; when something happened. */
export interface TimeChart extends Drawn {
  readonly kind: "time";
  readonly untilS: number;
  readonly binS: number;
  readonly bars: readonly Point[];
  readonly lines: readonly Point[];
  readonly marks: readonly { readonly atS: number; readonly what: string }[];
}

export interface Point {
  readonly atS: number;
  readonly what: string; // "offered", "admitted", "refused 429", "allowance"
  readonly value: number;
}

/** The answers of each flow in planned order, equal ones together. */
export interface SequenceChart extends Drawn {
  readonly kind: "sequence";
  readonly runs: readonly AnswerRun[];
}

export interface AnswerRun {
  readonly flow: string; // with the time at which it starts
  readonly from: number; // 0 for the first request of the flow
  readonly to: number;
  readonly status: number;
}
