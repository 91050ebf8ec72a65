// Formats the differences between a run and its list of inconclusive variants.
import { many, oneLine } from "../kit/reading/legible.ts";
import type { InconclusiveDrift } from "../lab/run/known-inconclusive.ts";
import { fullName } from "../lab/scenario/verdict.ts";

/** The differences between a run and the list, and the file of the list. */
export interface InconclusiveReport extends InconclusiveDrift {
  readonly file: string;
}

/** Why a run fails although no variant failed; null if the list contains every inconclusive variant. */
export function whyUnlisted(report: InconclusiveReport | null): string | null {
  if (report === null || report.unlisted.length === 0) return null;
  const { file, unlisted } = report;
  return `${many(unlisted.length, "inconclusive variant")} not in ${oneLine(file)}, which count as failed`;
}

export function linesOfList(report: InconclusiveReport | null): readonly string[] {
  if (report === null) return [];
  const { file, unlisted, decided, absent } = report;
  const why = whyUnlisted(report);
  const take = (what: string, names: readonly string[]): readonly string[] =>
    names.length === 0
      ? []
      : [`${what} from ${oneLine(file)}:`, ...names.map((name) => `  ${oneLine(name)}`)];
  return [
    ...(why === null
      ? []
      : [
          `${why}:`,
          ...unlisted.map(({ scenario, variant }) => `  ${oneLine(fullName(scenario, variant))}`),
        ]),
    // A variant that is inconclusive only now and then is decided in most runs, so one run is not enough to remove it.
    ...take(
      "decided in this run; if it is decided in every run, remove it",
      decided.map(
        ({ name, inconclusive, runs }) =>
          `${name} (inconclusive in ${inconclusive} of ${many(runs, "run")})`,
      ),
    ),
    ...take("not in this run; remove it", absent),
  ];
}
