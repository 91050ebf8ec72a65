// The oracle's sliding window counter (ALG-C9): two windows by the clock, the older one weighted.
import { isRaced, pastOf } from "../../oracle/past.ts";
import { onlyAdmitted, type OracleRule } from "../../oracle/rule.ts";
import { evaluateTwoWindows } from "../../oracle/two-windows.ts";
import { modulo } from "../../oracle/window.ts";

export const rule: OracleRule = {
  answer: ({ limit }, { entry: { moment, cost }, world, inSteps, epochUs }, ledger) => {
    const { rate, perUs } = limit;
    const past = pastOf(ledger, moment, world, { sinceUs: moment.loUs - 2 * perUs, inSteps });
    return {
      answer: evaluateTwoWindows(past, moment, {
        rate,
        perUs,
        cost,
        epochUs,
        isRaced: isRaced(world, inSteps),
      }),
      proposal: null,
    };
  },
  fillers: ({ limit: { perUs } }, { entry, epochUs }, past) => {
    const { loUs } = entry.moment;
    const startUs = loUs - modulo(epochUs + loUs, perUs) - perUs;
    return onlyAdmitted(past).filter(({ attempt }) => attempt.hiUs >= startUs);
  },
};
