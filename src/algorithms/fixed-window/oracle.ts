// The oracle's fixed window (ALG-C3): the whole rate in windows from a request on, or by the clock.
import { inWindows } from "../../oracle/answer-window.ts";
import { capacityOf } from "../../oracle/levels.ts";

export const rule = inWindows({
  shareOf: capacityOf,
  isByClock: ({ entry }) => entry.configuration.options.fixedWindowStart === "clock",
});
