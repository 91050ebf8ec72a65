// What LIM-C11 says of a question, where it says something.
import {
  clocksOf,
  haveOneClock,
  overlaps,
  shareOfNode,
  wholeRate,
  type Question,
} from "./question.ts";

export interface Bound {
  readonly most: number | null; // null: nothing is stated
  readonly because: string;
}

export function boundOf(question: Question): Bound {
  const { algorithm, nodes, inFlight, burst } = question;
  const whole = wholeRate(question);
  if (algorithm === "drl") {
    const share = shareOfNode(question);
    const one = 2 * share - 1;
    return nodes === 1
      ? { most: one, because: `2 x ${share} - 1` }
      : { most: nodes * one, because: `${nodes} gateways x (2 x ${share} - 1)` };
  }
  if (!haveOneClock(question))
    return {
      most: null,
      because: `LIM-C11 goes by one clock, and these are ${apart(question)} apart`,
    };
  switch (algorithm) {
    case "sliding_log":
    case "bounded_log":
      return { most: whole, because: "the rate" };
    case "sentinel":
    case "non_transactional":
      return overlaps(question)
        ? {
            most: whole - 1 + inFlight,
            because: `the rate, and the ${inFlight - 1} others of ${inFlight} under way together`,
          }
        : { most: whole, because: "the rate, as nothing overlaps" };
    case "fixed_window":
      return question.fixedWindowStart === "clock"
        ? { most: 2 * whole, because: `2 x ${whole}` }
        : { most: 2 * whole - 1, because: `2 x ${whole} - 1` };
    case "token_bucket":
      return paidBack(question, whole);
    case "gcra":
      return paidBack(question, burst === "rate" ? whole : Math.min(whole, burst));
    case "sliding_window_counter":
      return { most: null, because: "LIM-C11 has it as a measured error" };
  }
}

/** A burst, and what is paid back in less than a window. */
const paidBack = ({ rate }: Question, burst: number): Bound =>
  Number.isInteger(rate)
    ? { most: burst + rate - 1, because: `${burst} at once, and ${rate} - 1 paid back` }
    : { most: null, because: "LIM-C11 speaks of whole rates" };

function apart(question: Question): string {
  const clocks = clocksOf(question);
  return `${(Math.max(...clocks) - Math.min(...clocks)) / 1000}ms`;
}
