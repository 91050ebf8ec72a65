// One expectation on one hand-written history.
import { checkVariant } from "#src/lab/check/run.ts";
import type { Measure } from "#src/lab/scenario/types.ts";
import type { Verdict } from "#src/lab/scenario/verdict.ts";
import { historyOf, type HistoryText } from "../../histories/history.ts";
import { variantOf, type VariantText } from "../../histories/world.ts";

export function verdictOn(
  measure: Measure,
  history: HistoryText,
  variant: VariantText = {},
): Verdict {
  const flows = history.flows ?? variant.flows ?? [{ name: "only" }];
  const verdicts = checkVariant(
    variantOf({ ...variant, flows, expect: [measure] }),
    historyOf({ ...history, flows }),
  );
  const [verdict] = verdicts;
  if (verdict === undefined || verdicts.length !== 1)
    throw new Error(`${verdicts.length} verdicts on one expectation`);
  return verdict;
}
