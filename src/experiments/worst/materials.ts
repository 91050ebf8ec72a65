// What patterns are made of: the moments, distances and sizes at which this limit could change its mind.
import { SPECS } from "../../spec/by-algorithm.ts";
import { clocksOf, overlaps, factsOf, wholeRate, type Question } from "./question.ts";

export interface Materials {
  readonly perUs: number;
  readonly startsUs: readonly number[]; // at the edge of an aligned window, and just before it
  readonly gapsUs: readonly number[]; // from one burst to another
  readonly spacingsUs: readonly number[]; // of single requests
  readonly sizes: readonly number[];
  readonly full: number; // what spends a whole budget
  readonly apartUs: readonly number[]; // how far clocks are ahead of others
  readonly clients: readonly number[];
}

const MOST_CLOCKS = 4; // of a large fleet a few tell as much as all

export function materialsOf(question: Question, epochUs: number, clients: number): Materials {
  const { perUs, storeUs } = question;
  const clocks = unique(clocksOf(question)).slice(0, MOST_CLOCKS);
  const answerUs = 2 * storeUs; // there and back; a mark is written just as late behind it
  const apartUs = unique(clocks.flatMap((one) => clocks.map((other) => one - other))).filter(
    (us) => us > 0,
  );
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
      ...(overlaps(question) ? [answerUs, answerUs + 1, storeUs] : []),
    ]).filter((us) => us > 0),
    spacingsUs: unique([
      spacingOf(question),
      ...(overlaps(question) ? [answerUs + Math.ceil(storeUs / 2)] : []),
    ]),
    sizes: sizesOf(question),
    full: Math.min(wholeRate(question), question.inFlight),
    apartUs,
    clients: Array.from({ length: clients }, (_, client) => client),
  };
}

/** When one more is paid back. */
const spacingOf = ({ perUs, rate }: Question): number => Math.ceil(perUs / rate);

/** Late enough that nothing has to come before the beginning. */
function startsOf(perUs: number, epochUs: number, clocks: readonly number[]): readonly number[] {
  const furthest = Math.max(...clocks.map((us) => Math.abs(us)));
  const firstUs = (perUs - (epochUs % perUs)) % perUs;
  const edgeUs = firstUs + perUs * (2 + Math.ceil(furthest / perUs));
  return unique(clocks.flatMap((us) => [edgeUs - us, edgeUs - us - 1]));
}

function sizesOf(question: Question): readonly number[] {
  const { nodes, burst, algorithm, inFlight } = question;
  const whole = wholeRate(question);
  const spec = SPECS[algorithm];
  const isShared = spec.countedBy === "gateway";
  const share = isShared ? spec.budget(factsOf(question)) : whole;
  const wanted = [
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
    ...(overlaps(question) ? [inFlight, inFlight - 1] : []),
  ];
  return unique(wanted.filter((size) => size >= 1 && size <= inFlight));
}

const unique = (values: readonly number[]): readonly number[] => [...new Set(values)];

/** How long patterns may last at most: some windows behind the latest start. */
export const horizonUs = ({ startsUs, perUs }: Materials): number =>
  Math.max(...startsUs) + 4 * perUs;
