// What of a suite is played: all of it, a look at it, a part, or everything that can be made of it.
import { nearest } from "../reading/problems.ts";
import {
  cellsOf,
  crossOf,
  MOST_CELLS,
  MOST_CONTROLS,
  playedOf,
  quick,
  secondsOf,
  type Cell,
} from "./cells.ts";
import { subjectsOf, type Subject } from "./subjects.ts";
import { FACTORS, type Control, type Factors, type Suite } from "./suite.ts";

export interface Wanted {
  readonly isQuick: boolean;
  readonly isCross: boolean;
  /** Names of cells, `*` being any text; null: all. */
  readonly only: readonly Named[] | null;
  readonly controls: readonly Control[]; // beside those of the suite
  readonly repeats: number | null;
  /** Somebody's gateway, whose limits and store are what they are. */
  readonly isTarget: boolean;
}

export interface Named {
  readonly text: string;
  readonly matches: (name: string) => boolean;
}

export interface Plan {
  readonly suite: Suite; // as it is played
  readonly subjects: readonly Subject[];
  readonly repeats: number; // of all together
  readonly seconds: number;
}

/** A sentence says why there is none. */
export function planOf(whole: Suite, wanted: Wanted): Plan | string {
  const short = wanted.isQuick ? quick(whole) : whole;
  const suite = wanted.repeats === null ? short : { ...short, repeats: wanted.repeats };
  const all = (wanted.isCross ? crossOf(suite) : cellsOf(suite)).filter(
    ({ factors }) => !wanted.isTarget || isLoadAlone(factors, suite.base),
  );
  if (!wanted.isCross && all.length > MOST_CELLS)
    return `${suite.id} has ${all.length} cells, and ${MOST_CELLS} are the most; leave some out, or --cross plays every combination`;
  if (!wanted.isCross && suite.controls.length > MOST_CONTROLS)
    return `${suite.id} has ${suite.controls.length} controls, and ${MOST_CONTROLS} are the most`;
  const { only } = wanted;
  // One that is misspelt beside one that is not would be missed by nobody.
  const missing = only?.find(({ matches }) => !all.some(({ name }) => matches(name)));
  if (missing !== undefined) return noCell(missing.text, all);
  const cells =
    only === null ? all : all.filter(({ name }) => only.some(({ matches }) => matches(name)));
  const controls = wanted.isTarget ? [] : [...new Set([...suite.controls, ...wanted.controls])];
  const names = new Set(cells.map(({ name }) => name));
  return {
    suite: { ...suite, gates: suite.gates.filter(({ cell }) => names.has(cell)) },
    subjects: subjectsOf(suite, cells, controls),
    repeats: suite.repeats * playedOf(cells.length, controls.length),
    seconds: secondsOf(suite, cells.length, controls.length),
  };
}

const noCell = (text: string, cells: readonly Cell[]): string =>
  notFound(
    "cell",
    text,
    cells.map(({ name }) => name),
  );

export const noCase = (text: string, cases: readonly string[]): string =>
  notFound("case", text, cases);

function notFound(what: string, text: string, names: readonly string[]): string {
  const near = nearest(text, names);
  const way = near === null ? "weir bench --list shows them" : `did you mean ${near}?`;
  return `there is no ${what} ${text}; ${way}`;
}

/** What can be changed from outside. */
const OF_THE_LOAD: ReadonlySet<keyof Factors> = new Set(["connections", "load_model"]);

const isLoadAlone = (factors: Factors, base: Factors): boolean =>
  FACTORS.every((factor) => OF_THE_LOAD.has(factor) || factors[factor] === base[factor]);
