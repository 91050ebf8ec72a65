// Builds the document of a run from its measured repeats.
import { footerOf, BENCH_FORMAT, type BenchResult, type BenchRepeat } from "./result.ts";
import type { BenchSubject } from "./subjects.ts";
import { METRIC_NAMES, METRICS } from "./suite.ts";

export interface SubjectRepeat {
  readonly subject: BenchSubject;
  readonly repeat: BenchRepeat;
}

export type Circumstances = Omit<BenchResult, "format" | "metrics" | "cells" | "footer">;

export function resultOf(
  subjects: readonly BenchSubject[],
  measured: readonly SubjectRepeat[],
  of: Circumstances,
): BenchResult {
  const cells = subjects.flatMap((subject) => {
    const repeats = measured.flatMap((each) => (each.subject === subject ? [each.repeat] : []));
    // The algorithm and the store of a target gateway are unknown.
    const described = of.target === null ? subject : { ...subject, factors: null };
    const { name, role, factors, control } = described;
    return repeats.length === 0 ? [] : [{ name, role, factors, control, repeats }];
  });
  const measuredNames = METRIC_NAMES.filter((name) =>
    measured.some(({ repeat }) => name in repeat.metrics),
  );
  return {
    format: BENCH_FORMAT,
    ...of,
    metrics: Object.fromEntries(measuredNames.map((name) => [name, METRICS[name]])),
    cells,
    footer: footerOf(cells),
  };
}
