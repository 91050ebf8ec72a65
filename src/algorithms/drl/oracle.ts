// The oracle's DRL (ALG-C4): windows of one gateway, with at least one request each, unless the limit admits nothing.
import { inWindows } from "../../oracle/answer-window.ts";
import { capacityOf } from "../../oracle/levels.ts";

export const rule = inWindows({
  shareOf: (level, { entry }) =>
    capacityOf(level) < 1 ? 0 : Math.max(1, Math.floor(level.limit.rate / entry.gateways)),
  isByClock: () => false,
});
