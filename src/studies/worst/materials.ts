// The instants, distances and sizes at which decisions of this limit can change, and of which patterns are built.
import { SPECS } from "../../limiter/spec/by-algorithm.ts";
import { clocksOf, canOverlap, factsOf, wholeRate, type WorstCaseQuestion } from "./question.ts";

export interface Materials {
  readonly perUs: number;
  readonly startsUs: readonly number[]; // at the edge of an aligned window, and just before it
  readonly gapsUs: readonly number[]; // from one burst to another
  readonly spacingsUs: readonly number[]; // distances between single requests
  readonly sizes: readonly number[];
  readonly full: number; // requests that spend a full budget
  readonly apartUs: readonly number[]; // differences between clocks
  readonly clients: readonly number[];
}

const MOST_CLOCKS = 4; // most different clocks that are used; more of them give the same patterns

export function materialsOf(
  question: WorstCaseQuestion,
  epochUs: number,
  clients: number,
): Materials {
  const { perUs, storeUs } = question;
  const clocks = unique(clocksOf(question)).slice(0, MOST_CLOCKS);
  const roundTripUs = 2 * storeUs; // the background write of a sentinel's mark takes the same time
  const apartUs = unique(
    clocks.flatMap((clock) => clocks.map((otherClock) => clock - otherClock)),
  ).filter((us) => us > 0);
  return {
    perUs,
    startsUs: startsOf(perUs, epochUs, clocks),
    gapsUs: unique([
      perUs,
      perUs - 1,
      1,
      Math.ceil(perUs / 2),
      spacingOf(question),
      ...apartUs.flatMap((us) => [us, perUs - us, perUs - us - 1, perUs - us + 1]),
      ...(canOverlap(question) ? [roundTripUs, roundTripUs + 1, storeUs] : []),
    ]).filter((us) => us > 0),
    spacingsUs: unique([
      spacingOf(question),
      ...(canOverlap(question) ? [roundTripUs + Math.ceil(storeUs / 2)] : []),
    ]),
    sizes: sizesOf(question),
    full: Math.min(wholeRate(question), question.inFlight),
    apartUs,
    clients: Array.from({ length: clients }, (_, client) => client),
  };
}

/** The time after which a used-up limit can admit one more request. */
const spacingOf = ({ perUs, rate }: WorstCaseQuestion): number => Math.ceil(perUs / rate);

/** Start times, late enough that no burst would be before the start of the run. */
function startsOf(perUs: number, epochUs: number, clocks: readonly number[]): readonly number[] {
  const furthest = Math.max(...clocks.map((us) => Math.abs(us)));
  const firstUs = (perUs - (epochUs % perUs)) % perUs;
  const edgeUs = firstUs + perUs * (2 + Math.ceil(furthest / perUs));
  return unique(clocks.flatMap((us) => [edgeUs - us, edgeUs - us - 1]));
}

function sizesOf(question: WorstCaseQuestion): readonly number[] {
  const { nodes, burst, algorithm, inFlight } = question;
  const whole = wholeRate(question);
  const spec = SPECS[algorithm];
  const isShared = spec.countedBy === "gateway";
  const share = isShared ? spec.budget(factsOf(question)) : whole;
  const candidates = [
    1,
    share - 1,
    share,
    whole - 1,
    whole,
    2 * whole,
    ...(nodes === 1 || !isShared
      ? []
      : [nodes, nodes * (share - 1), nodes * share, 4 * nodes * share]),
    ...(spec.options.includes("burst") && burst !== "rate" ? [burst, burst - 1] : []),
    ...(canOverlap(question) ? [inFlight, inFlight - 1] : []),
  ];
  return unique(candidates.filter((size) => size >= 1 && size <= inFlight));
}

const unique = (values: readonly number[]): readonly number[] => [...new Set(values)];

/** The longest duration of a pattern: four windows after the latest start. */
export const horizonUs = ({ startsUs, perUs }: Materials): number =>
  Math.max(...startsUs) + 4 * perUs;
