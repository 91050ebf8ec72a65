// A pattern of arrivals: bursts, each at one instant and from one client.
import { formatDuration, micros } from "../../kit/units.ts";
import type { Flow } from "../../lab/scenario/types.ts";

export interface Burst {
  readonly atUs: number; // from the start of the run
  readonly count: number;
  readonly client: number;
}

/** Bursts sorted by time; those of one instant keep the order in which they are sent. */
export type ArrivalPattern = readonly Burst[];

export const requestsIn = (pattern: ArrivalPattern): number =>
  pattern.reduce((sum, { count }) => sum + count, 0);

/** Builds a pattern: sorted, none before the start, and bursts of one client at one instant merged. */
export function patternOf(bursts: readonly Burst[]): ArrivalPattern {
  const sorted = bursts
    .filter(({ count }) => count > 0)
    .map((burst) => ({ ...burst, atUs: Math.max(0, Math.round(burst.atUs)) }))
    .toSorted((a, b) => a.atUs - b.atUs);
  const merged: Burst[] = [];
  for (const burst of sorted) {
    const last = merged.at(-1);
    if (last?.atUs === burst.atUs && last.client === burst.client)
      merged[merged.length - 1] = { ...last, count: last.count + burst.count };
    else merged.push(burst);
  }
  return merged;
}

/** A burst, or evenly spaced single requests. */
type Train = Burst & { readonly everyUs: number | null };

const SHORTEST_TRAIN = 3;

/** Joins bursts to trains, each of which becomes one line of a scenario file. */
function trainsOf(pattern: ArrivalPattern): readonly Train[] {
  const trains: Train[] = [];
  for (let from = 0; from < pattern.length;) {
    const first = pattern[from]!;
    const length = trainLength(pattern, from);
    const everyUs = length < SHORTEST_TRAIN ? null : pattern[from + 1]!.atUs - first.atUs;
    trains.push({ ...first, count: everyUs === null ? first.count : length, everyUs });
    from += everyUs === null ? 1 : length;
  }
  return trains;
}

function trainLength(pattern: ArrivalPattern, from: number): number {
  const everyUs = (pattern[from + 1]?.atUs ?? 0) - pattern[from]!.atUs;
  if (everyUs <= 0 || pattern[from]!.count !== 1) return 1;
  let to = from;
  while (isNext(pattern, to, everyUs)) to++;
  return to - from + 1;
}

function isNext(pattern: ArrivalPattern, at: number, everyUs: number): boolean {
  const current = pattern[at]!;
  const next = pattern[at + 1];
  return (
    next !== undefined &&
    next.count === 1 &&
    next.client === current.client &&
    next.atUs - current.atUs === everyUs
  );
}

const PATH = "/orders";

/** The traffic of the scenario. The search runs these flows, and `linesOf` writes the same flows into the file. */
export const flowsOf = (pattern: ArrivalPattern, clients: readonly string[]): readonly Flow[] =>
  trainsOf(pattern).map(({ atUs, count, client, everyUs }, index) => ({
    name: `burst ${index + 1}`,
    as: clients[client]!,
    method: "GET",
    path: PATH,
    headers: {},
    atUs: micros(atUs),
    shape:
      everyUs === null
        ? { kind: "burst", count }
        : { kind: "every", intervalUs: micros(everyUs), count },
    clients: 1,
    skew: 0,
    behaviour: { kind: "ignore" },
  }));

export const linesOf = (pattern: ArrivalPattern, clients: readonly string[]): readonly string[] =>
  flowsOf(pattern, clients).map(({ name, as, method, path, atUs, shape }) => {
    const sending =
      shape.kind === "every"
        ? `every: ${formatDuration(shape.intervalUs)}, count: ${shape.count}`
        : `burst: ${shape.kind === "burst" ? shape.count : 0}`;
    return `  - { name: ${name}, as: ${as}, send: ${method} ${path}, ${sending}, at: ${formatDuration(atUs)} }`;
  });
