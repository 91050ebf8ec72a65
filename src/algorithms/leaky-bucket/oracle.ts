// The oracle's leaky bucket (ALG-C10): a debt whose last requests have not left yet.
import { asQueue } from "../../oracle/answer-debt.ts";
import { capacityOf } from "../../oracle/levels.ts";

export const rule = asQueue((level, { entry }) => {
  const { queue } = entry.configuration.options;
  const capacity = capacityOf(level);
  return queue === "rate" ? capacity : queue;
});
