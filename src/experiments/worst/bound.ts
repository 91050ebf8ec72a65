// What LIM-C11 says of a question, where it says something.
import { SPECS } from "../../spec/by-algorithm.ts";
import { clocksOf, factsOf, haveOneClock, overlaps, type Question } from "./question.ts";

export interface Bound {
  readonly most: number | null; // null: nothing is stated
  readonly because: string;
}

export function boundOf(question: Question): Bound {
  const { algorithm, nodes, inFlight } = question;
  const spec = SPECS[algorithm];
  const { most, because, origin } = spec.mostInWindow(factsOf(question));
  if (spec.countedBy === "gateway")
    return nodes === 1
      ? { most, because }
      : { most: nodes * most, because: `${nodes} gateways x (${because})` };
  if (!haveOneClock(question))
    return {
      most: null,
      because: `LIM-C11 goes by one clock, and these are ${apart(question)} apart`,
    };
  if (origin !== "stated") return { most: null, because: UNSTATED[origin] };
  if (spec.overshootsBy === null) return { most, because };
  return overlaps(question)
    ? {
        most: most - 1 + inFlight,
        because: `${because}, and the ${inFlight - 1} others of ${inFlight} under way together`,
      }
    : { most, because: `${because}, as nothing overlaps` };
}

const UNSTATED = {
  derived: "LIM-C11 speaks of whole rates",
  measured: "LIM-C11 has it as a measured error",
} as const;

function apart(question: Question): string {
  const clocks = clocksOf(question);
  return `${(Math.max(...clocks) - Math.min(...clocks)) / 1000}ms`;
}
