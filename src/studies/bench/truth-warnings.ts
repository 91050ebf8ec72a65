// Why a run does not prove that the limiters are correct, although each is within its bound.
import { isLogBased } from "../../limiter/core/algorithms.ts";
import type { Quantiles } from "./load/load.ts";
import type { AllowedRate, SubjectTruth } from "./truth-schema.ts";

type CheckedSubject = Pick<
  SubjectTruth,
  "name" | "role" | "algorithm" | "verdict" | "inFlight" | "bound"
>;

export interface TruthEvidence {
  readonly subjects: readonly CheckedSubject[];
  readonly late: Pick<Quantiles, "p99Us"> | null;
  readonly busy: string | null;
}

const LATEST_P99_US = 50_000;
/** A bound that exceeds the rate by more than this share of the rate detects no wrong limiter. */
const LOOSE = 0.2;

export function truthWarningsOf(
  { subjects, late, busy }: TruthEvidence,
  { rate }: AllowedRate,
): readonly string[] {
  const warnings: string[] = [];
  if (busy !== null) warnings.push(busy);
  if (late !== null && late.p99Us > LATEST_P99_US)
    warnings.push(
      `one arrival in a hundred was sent ${Math.round(late.p99Us / 1_000)} ms or more after its time: the load was not the documented one`,
    );
  for (const { name, role, algorithm, verdict, inFlight, bound } of subjects) {
    if (role === "control" && verdict !== "outside")
      warnings.push(`the control, ${name}, was not found to be wrong: this run proves nothing`);
    if (role === "cell" && isLogBased(algorithm) && (bound.most ?? 0) > (1 + LOOSE) * rate)
      warnings.push(
        `${name} had ${inFlight} admitted requests in flight at once, so that ${bound.most} are allowed instead of ${rate}: staying within that bound proves little`,
      );
  }
  return warnings;
}
