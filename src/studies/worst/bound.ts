// The bound of LIM-C11 for a question, if the specification has one.
import { SPECS } from "../../limiter/spec/by-algorithm.ts";
import { clocksOf, factsOf, hasOneClock, canOverlap, type WorstCaseQuestion } from "./question.ts";

export interface WorstCaseBound {
  readonly most: number | null; // null: the specification states no bound
  readonly because: string;
}

export function boundOf(question: WorstCaseQuestion): WorstCaseBound {
  const { algorithm, nodes, inFlight } = question;
  const spec = SPECS[algorithm];
  const { most, because, origin } = spec.mostInWindow(factsOf(question));
  if (spec.countedBy === "gateway")
    return nodes === 1
      ? { most, because }
      : { most: nodes * most, because: `${nodes} gateways x (${because})` };
  if (!hasOneClock(question))
    return {
      most: null,
      because: `LIM-C11 assumes one clock, and these clocks differ by up to ${clockSpread(question)}`,
    };
  if (origin !== "stated") return { most: null, because: UNSTATED[origin] };
  if (spec.overshootsBy === null) return { most, because };
  return canOverlap(question)
    ? {
        most: most - 1 + inFlight,
        because: `${because}, plus ${inFlight - 1} for ${inFlight} requests in flight together`,
      }
    : { most, because: `${because}, as nothing overlaps` };
}

/** What an algorithm admits at most by its definition, where the requirement does not state it. Null: that is not known. */
export function definitionBoundOf(question: WorstCaseQuestion): number | null {
  const spec = SPECS[question.algorithm];
  const { most, origin } = spec.mostInWindow(factsOf(question));
  const isKnown = origin !== "stated" && spec.countedBy === "store" && spec.overshootsBy === null;
  return isKnown && hasOneClock(question) ? most : null;
}

const UNSTATED = {
  derived: "LIM-C11 covers whole rates only",
  measured: "LIM-C11 gives a measured error instead",
} as const;

function clockSpread(question: WorstCaseQuestion): string {
  const clocks = clocksOf(question);
  return `${(Math.max(...clocks) - Math.min(...clocks)) / 1000}ms`;
}
