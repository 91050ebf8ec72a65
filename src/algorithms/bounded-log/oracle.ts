// The oracle's bounded log (ALG-C9): of the attempts in the window the newest, as many as the rate.
import { capacityOf } from "../../oracle/levels.ts";
import type { OracleRule } from "../../oracle/rule.ts";
import { unitsIn } from "../../oracle/ledger.ts";
import { rule as slidingLog } from "../sliding-log/oracle.ts";

export const rule: OracleRule = {
  ...slidingLog,
  fillers: (level, request, past) => [
    ...new Set(unitsIn(slidingLog.fillers(level, request, past)).slice(-capacityOf(level))),
  ],
};
