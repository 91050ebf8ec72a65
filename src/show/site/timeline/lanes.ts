// The requests of a run as lanes over one axis of time. In each column of time a lane stacks its requests, first those
// that were admitted; each request is a place in its stack, which a reader can point at.
import { pathOf } from "../home/columns.ts";
import { MARK_ANSWERS, type RequestMarks } from "../request-marks.ts";

const ANSWERS = MARK_ANSWERS.length;

/** Some requests of one variant: all, or those of some flows. */
export interface TimelineLane {
  readonly name: string;
  readonly variant: number;
  readonly indexes: readonly number[]; // of the marks, in the order of time
}

/** A variant's lane: one for all its flows, or one for each. Flows that differ in a number share one: burst-1, burst-2. */
export function lanesOfFlows(
  variant: number,
  { flows, flow }: RequestMarks,
): readonly TimelineLane[] {
  const lanes = new Map<string, number[]>();
  const nameOf = flows.map((name) => name.replace(/[-_ ]\d+$/, ""));
  for (const name of nameOf) lanes.set(name, []);
  for (const [index, of] of flow.entries()) lanes.get(nameOf[of]!)!.push(index);
  return [...lanes].map(([name, indexes]) => ({ name, variant, indexes }));
}

export const laneOfAll = (
  name: string,
  variant: number,
  { atUs }: Pick<RequestMarks, "atUs">,
): TimelineLane => ({ name, variant, indexes: [...atUs.keys()] });

export interface LaneStacks {
  readonly columns: number;
  readonly highest: number;
  /** By answer, then by column. */
  readonly counts: readonly (readonly number[])[];
  /** The column of a request, and its level in it, from 0; null if the lane does not have the request. */
  readonly placeOf: (index: number) => { readonly column: number; readonly level: number } | null;
  /** The request at a place; -1 if there is none. */
  readonly at: (column: number, level: number) => number;
}

export function stacksOf(
  { indexes }: TimelineLane,
  { atUs, answer }: Pick<RequestMarks, "answer" | "atUs">,
  endUs: number,
  columns: number,
): LaneStacks {
  const columnOf = (index: number): number =>
    Math.min(columns - 1, Math.floor((atUs[index]! / endUs) * columns + 1e-9));
  const starts = new Uint32Array(columns * ANSWERS + 1);
  const cellOf = (index: number): number => columnOf(index) * ANSWERS + answer[index]!;
  for (const index of indexes) starts[cellOf(index) + 1]! += 1;
  for (let cell = 0; cell < columns * ANSWERS; cell++) starts[cell + 1]! += starts[cell]!;
  const next = starts.slice();
  const stacked = new Uint32Array(indexes.length);
  const slots = new Map<number, number>();
  for (const index of indexes) {
    const slot = next[cellOf(index)]!++;
    stacked[slot] = index;
    slots.set(index, slot);
  }
  const startOf = (column: number): number => starts[column * ANSWERS]!;
  const heightOf = (column: number): number => startOf(column + 1) - startOf(column);
  const all = Array.from({ length: columns }, (_, column) => column);
  return {
    columns,
    highest: all.reduce((most, column) => Math.max(most, heightOf(column)), 0),
    counts: MARK_ANSWERS.map((_, kind) =>
      all.map((column) => starts[column * ANSWERS + kind + 1]! - starts[column * ANSWERS + kind]!),
    ),
    placeOf: (index) => {
      const slot = slots.get(index);
      if (slot === undefined) return null;
      const column = columnOf(index);
      return { column, level: slot - startOf(column) };
    },
    at: (column, level) =>
      column >= 0 && column < columns && level >= 0 && level < heightOf(column)
        ? stacked[startOf(column) + level]!
        : -1,
  };
}

/** A path for each answer, one above the other. */
export function pathsOf({ counts, columns }: LaneStacks, most: number): readonly string[] {
  const below = Array.from({ length: columns }, () => 0);
  return counts.map((each) => {
    const path = pathOf(each, below, most);
    for (const [column, count] of each.entries()) below[column]! += count;
    return path;
  });
}

/** For each request of a lane, and none before the first: how many of each answer there are so far. */
export interface LaneSums {
  /** By answer: of the requests until a time, that included. */
  readonly until: (us: number) => readonly number[];
}

export function sumsOf(
  { indexes }: TimelineLane,
  { atUs, answer }: Pick<RequestMarks, "answer" | "atUs">,
): LaneSums {
  const sums = new Uint32Array((indexes.length + 1) * ANSWERS);
  for (const [order, index] of indexes.entries()) {
    sums.copyWithin((order + 1) * ANSWERS, order * ANSWERS, (order + 1) * ANSWERS);
    sums[(order + 1) * ANSWERS + answer[index]!]! += 1;
  }
  return {
    until: (us) => {
      const count = countUntil(indexes, atUs, us);
      return [...sums.subarray(count * ANSWERS, (count + 1) * ANSWERS)];
    },
  };
}

/** How many of these requests, which are in the order of time, were sent until a time. */
export function countUntil(
  indexes: readonly number[],
  atUs: ArrayLike<number>,
  us: number,
): number {
  let [low, high] = [0, indexes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (atUs[indexes[middle]!]! <= us) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The names of lanes: what differs between the variants, in few words. */
export function laneNames(variants: readonly { readonly axes: Axes }[]): readonly string[] {
  const names = Object.keys(variants[0]?.axes ?? {});
  const differing = names.filter(
    (name) => new Set(variants.map(({ axes }) => JSON.stringify(axes[name]))).size > 1,
  );
  return variants.map(({ axes }) =>
    differing.map((name) => valueWords(name, axes[name])).join(", "),
  );
}

type Axes = Readonly<Record<string, unknown>>;

function valueWords(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => valueWords("", each)).join(" and ");
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([field, each]) =>
      field === "algorithm" || field === "profile"
        ? String(each)
        : `${field} ${JSON.stringify(each)}`,
    );
    return entries.join(", ");
  }
  // A number or a yes needs the name of what it is; a word explains itself.
  return typeof value === "string" || name === "" ? String(value) : `${name} ${String(value)}`;
}
