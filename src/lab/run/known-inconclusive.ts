// The list of variants that are known to be inconclusive in real time, and in how many runs of each driver. The list
// may only shrink, so each run is compared with it.
import { Failure } from "../../kit/reading/failure.ts";
import { fullName, type Result } from "../scenario/verdict.ts";
import { isUndecided } from "../check/counts.ts";

interface InconclusiveVariant {
  readonly scenario: string;
  readonly variant: string;
  readonly inconclusive: number; // number of runs in which it was inconclusive
}

interface InconclusiveOfDriver {
  readonly runs: number;
  readonly variants: readonly InconclusiveVariant[];
}

export interface InconclusiveList {
  readonly format: "weir-inconclusive/1";
  readonly drivers: Readonly<Record<string, InconclusiveOfDriver>>;
}

const FORMAT = "weir-inconclusive/1";

export const EMPTY_LIST: InconclusiveList = { format: FORMAT, drivers: {} };

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0;

function isOfDriver(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { runs, variants } = value;
  return (
    isCount(runs) &&
    Array.isArray(variants) &&
    variants.every(
      (one: unknown) =>
        isFields(one) &&
        typeof one["scenario"] === "string" &&
        typeof one["variant"] === "string" &&
        isCount(one["inconclusive"]) &&
        one["inconclusive"] <= runs,
    )
  );
}

export function readInconclusiveList(text: string): InconclusiveList | Failure {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return new Failure(`this is not JSON: ${error.message}`);
    throw error;
  }
  if (!isFields(value) || value["format"] !== FORMAT)
    return new Failure(`this is no list of format ${FORMAT}`);
  const { drivers } = value;
  if (!isFields(drivers)) return new Failure("it has no drivers");
  const wrong = Object.keys(drivers).find((name) => !isOfDriver(drivers[name]));
  return wrong === undefined
    ? (value as unknown as InconclusiveList)
    : new Failure(`its driver ${wrong} has a field of the wrong type`);
}

/** The text of a list's file. `addRun` sorts by name, so that a change causes a small diff. */
export const inconclusiveListText = (list: InconclusiveList): string =>
  `${JSON.stringify(list, null, 2)}\n`;

interface ListedVariant {
  readonly name: string;
  readonly inconclusive: number; // number of runs in which it was inconclusive
  readonly runs: number;
}

/** How a run differs from the list. */
export interface InconclusiveDrift {
  readonly unlisted: readonly Result[];
  readonly decided: readonly ListedVariant[]; // listed variants that passed in this run
  readonly absent: readonly string[]; // listed variants that were not in this run
}

const nameOf = ({ scenario, variant }: Pick<Result, "scenario" | "variant">): string =>
  fullName(scenario, variant);

export function compareWithList(
  { drivers }: InconclusiveList,
  driver: string,
  results: readonly Result[],
): InconclusiveDrift {
  const { runs, variants } = drivers[driver] ?? { runs: 0, variants: [] };
  const listed = variants.map(nameOf);
  const byName = new Map(results.map((result) => [nameOf(result), result]));
  return {
    unlisted: results.filter((result) => isUndecided(result) && !listed.includes(nameOf(result))),
    decided: variants
      .map((one) => ({ name: nameOf(one), inconclusive: one.inconclusive, runs }))
      .filter(({ name }) => byName.get(name)?.outcome === "pass"),
    absent: listed.filter((name) => !byName.has(name)),
  };
}

/** The list after one more run, with higher counts for variants inconclusive again, and with new variants. */
export function addRun(
  list: InconclusiveList,
  driver: string,
  results: readonly Result[],
): InconclusiveList {
  const { runs, variants } = list.drivers[driver] ?? { runs: 0, variants: [] };
  const counts = new Map(variants.map((one) => [nameOf(one), one]));
  for (const result of results.filter(isUndecided)) {
    const { scenario, variant } = result;
    const before = counts.get(nameOf(result))?.inconclusive ?? 0;
    counts.set(nameOf(result), { scenario, variant, inconclusive: before + 1 });
  }
  const sorted = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...list,
    drivers: {
      ...list.drivers,
      [driver]: { runs: runs + 1, variants: sorted.map(([, one]) => one) },
    },
  };
}
