// Times of a trace: a list of durations, or the lines of a log, in the scenario or in a file beside it.
import type { Path, Problem } from "../../reading/problems.ts";
import { micros, SECOND, type Micros } from "../../core/units.ts";
import { isMembers, listOf, shown, type Json } from "../../reading/shape.ts";
import { scn } from "./codes.ts";
import { duration, LONGEST } from "../../reading/duration.ts";

/** What stands in a file beside the scenario, or why that cannot be told. Whoever has files hands it in. */
export type Beside = (name: string) => { readonly text: string } | { readonly fault: string };

export const NOTHING_BESIDE: Beside = () => ({
  fault: "where this scenario is read, there are no files beside it",
});

export type Times =
  | { readonly timesUs: readonly Micros[] }
  | { readonly message: string; readonly fix: string };

/** The times in a file, read once however many variants want them. */
export function tracesIn(beside: Beside): (name: string) => Times {
  const known = new Map<string, Times>();
  return (name) => {
    let times = known.get(name);
    if (times === undefined) {
      const read = beside(name);
      times =
        "text" in read
          ? timesOf(read.text, `"${name}"`)
          : { message: `the trace cannot be read: ${read.fault}`, fix: "" };
      known.set(name, times);
    }
    return times;
  };
}

const durations = listOf(duration, 1);

export function readTimes(
  value: Json,
  at: Path,
  problems: Problem[],
): readonly Micros[] | undefined {
  if (typeof value !== "string") {
    const times = durations.read(value, at, problems);
    return times === undefined ? undefined : inOrder(times);
  }
  const times = timesOf(value, "the trace");
  return "timesUs" in times
    ? times.timesUs
    : scn(problems, "SCN-VALUE", at, times.message, times.fix);
}

/** Logs are written when an answer leaves and not when a request comes. */
const inOrder = (times: readonly Micros[]): readonly Micros[] => times.toSorted((a, b) => a - b);

const TIME =
  'seconds since the start ("1.25"), at most a year, or a duration ("1250ms"), or {"at": 1.25}';

function timesOf(text: string, called: string): Times {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const times: Micros[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const time = timeOf(line);
    if (time !== null) times.push(time);
    // A first line of words is the header of a table.
    else if (times.length > 0 || index > 0 || line.startsWith("{"))
      return {
        message: `line ${index + 1} of ${called}, ${shown(line)}, begins with no time`,
        fix: `write ${TIME}`,
      };
  }
  return times.length > 0
    ? { timesUs: inOrder(times) }
    : {
        message: `${called} has no times`,
        fix: `a trace has a line for each request that begins with ${TIME}; of an access log, write these times`,
      };
}

function timeOf(line: string): Micros | null {
  const first = line.startsWith("{") ? atOf(line) : (line.split(",", 1)[0] ?? "").trim();
  if (first === null || first === "") return null;
  const seconds = /^0[box]/i.test(first) ? Number.NaN : Number(first);
  if (Number.isFinite(seconds))
    return seconds >= 0 && seconds <= LONGEST / SECOND
      ? micros(Math.round(seconds * SECOND))
      : null;
  return duration.read(first, [], []) ?? null;
}

function atOf(line: string): string | null {
  const value = parsedJson(line);
  const at = value !== null && isMembers(value) ? value["at"] : null;
  return typeof at === "number" || typeof at === "string" ? String(at) : null;
}

function parsedJson(line: string): Json {
  try {
    return JSON.parse(line) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
