// What was measured, as the document that is kept.
import { footerOf } from "./result-schema.ts";
import { BENCH_FORMAT, type BenchResult, type Repeat } from "./result.ts";
import type { Subject } from "./subjects.ts";
import { METRIC_NAMES, METRICS } from "./suite.ts";

export interface Repeated {
  readonly subject: Subject;
  readonly repeat: Repeat;
}

export type Circumstances = Omit<BenchResult, "format" | "metrics" | "cells" | "footer">;

export function resultOf(
  subjects: readonly Subject[],
  measured: readonly Repeated[],
  of: Circumstances,
): BenchResult {
  const cells = subjects.flatMap((subject) => {
    const repeats = measured.flatMap((each) => (each.subject === subject ? [each.repeat] : []));
    // Of somebody's gateway nobody here knows what it counts by.
    const known = of.target === null ? subject : { ...subject, factors: null };
    const { name, role, factors, control } = known;
    return repeats.length === 0 ? [] : [{ name, role, factors, control, repeats }];
  });
  const seen = METRIC_NAMES.filter((name) => measured.some(({ repeat }) => name in repeat.metrics));
  return {
    format: BENCH_FORMAT,
    ...of,
    metrics: Object.fromEntries(seen.map((name) => [name, METRICS[name]])),
    cells,
    footer: footerOf(cells),
  };
}
