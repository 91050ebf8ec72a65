// A report of scenarios that a test names.
import { reportOf } from "#src/lab/report/build/report-of.ts";
import type { Report, ScenarioReport } from "#src/lab/report/model.ts";

/** What a report has of its run, if a test does not examine it. */
export const RUN = {
  seed: 1,
  argv: ["run"],
  startedAt: "2026-01-01T00:00:00.000Z",
  tookSeconds: 0,
  commit: null,
  versions: {},
  isComplete: true,
  faults: [],
} satisfies Partial<Report>;

export const reportWith = (
  scenarios: readonly ScenarioReport[],
  more: Partial<Report> = {},
): Report => ({
  ...reportOf(
    {
      seed: 1,
      argv: ["run", "two words"],
      startedAt: "2026-01-02T03:04:05.678Z",
      tookSeconds: 1.5,
      commit: "0123456789abcdef",
      versions: { weir: "0.1.0" },
      isComplete: true,
      faults: [],
    },
    scenarios,
    () => "",
  ),
  ...more,
});
