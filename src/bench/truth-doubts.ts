// Why a run has not shown that the limiters are right, although none of them may be outside.
import { isLogBased } from "../core/algorithms.ts";
import type { Quantiles } from "./load/load.ts";
import type { AllowedRate, TruthOf } from "./truth.ts";

type Judged = Pick<TruthOf, "name" | "role" | "algorithm" | "verdict" | "inFlight" | "bound">;

export interface Doubted {
  readonly subjects: readonly Judged[];
  readonly late: Pick<Quantiles, "p99Us"> | null;
  readonly busy: string | null;
}

const LATEST_P99_US = 50_000;
/** Of the rate: a bound that is further above it finds nobody out. */
const LOOSE = 0.2;

export function truthDoubtsOf(
  { subjects, late, busy }: Doubted,
  { rate }: AllowedRate,
): readonly string[] {
  const found: string[] = [];
  if (busy !== null) found.push(busy);
  if (late !== null && late.p99Us > LATEST_P99_US)
    found.push(
      `one arrival in a hundred was sent ${Math.round(late.p99Us / 1_000)} ms or more after its time: this was another load than the one that is told`,
    );
  for (const { name, role, algorithm, verdict, inFlight, bound } of subjects) {
    if (role === "control" && verdict !== "outside")
      found.push(`the control, ${name}, is not seen to be wrong: this run proves nothing`);
    if (role === "cell" && isLogBased(algorithm) && (bound.most ?? 0) > (1 + LOOSE) * rate)
      found.push(
        `${name} had ${inFlight} admitted requests under way together, so that ${bound.most} are allowed where ${rate} are meant: being within that says little`,
      );
  }
  return found;
}
