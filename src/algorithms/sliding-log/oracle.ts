// The oracle's logs (ALG-C2): attempts of the last window. The pipelined log and the sentinel count the same; what can
// happen between their steps follows from what the specification states of them.
import { answerOfLog } from "../../oracle/answer-log.ts";
import { isWritten } from "../../oracle/ledger.ts";
import type { OracleRule } from "../../oracle/rule.ts";

export const rule: OracleRule = {
  answer: answerOfLog,
  fillers: ({ limit: { perUs } }, { entry }, past) =>
    past.filter(({ attempt }) => isWritten(attempt) && attempt.hiUs > entry.moment.loUs - perUs),
};
