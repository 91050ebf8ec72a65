// The oracle's GCRA (ALG-C9): a debt, and the configured burst.
import { asDebt } from "../../oracle/answer-debt.ts";
import { capacityOf } from "../../oracle/levels.ts";

export const rule = asDebt((level, { entry }) => {
  const { burst } = entry.configuration.options;
  const capacity = capacityOf(level);
  return burst === "rate" || capacity < 1 ? capacity : burst;
});
