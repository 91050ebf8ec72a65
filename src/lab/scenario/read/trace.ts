// The times of a trace: a list of durations or lines of a log, in the scenario or in a file in its folder.
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import { micros, SECOND, type Micros } from "../../../kit/units.ts";
import { isJsonMap, listOf, formatValue, type Json } from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";
import { duration, LONGEST } from "../../../kit/reading/duration.ts";

/** Reads a file in the scenario's folder by name. Only a caller with access to files supplies it. */
export type TraceFileReader = (name: string) => string | Failure;

/** Everything that a scenario is read from, so that no file is needed later. */
export interface ScenarioInput {
  readonly text: string;
  readonly traces: ReadonlyMap<string, string>; // by their names in the scenario
}

export const NO_TRACE_FILES: TraceFileReader = () =>
  new Failure(
    "this scenario is in no folder, so it has no trace files; list the times in the scenario",
  );

export type TraceTimes =
  | { readonly timesUs: readonly Micros[] }
  | { readonly message: string; readonly fix: string };

/** Reads the times in a file once for all variants. */
export function tracesIn(readTraceFile: TraceFileReader): (name: string) => TraceTimes {
  const timesByName = new Map<string, TraceTimes>();
  return (name) => {
    let times = timesByName.get(name);
    if (times === undefined) {
      const read = readTraceFile(name);
      times = isFailure(read)
        ? { message: `the trace cannot be read: ${read.message}`, fix: "" }
        : timesOf(read, `"${name}"`);
      timesByName.set(name, times);
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

/** Sorts times. Lines of a log may be out of order: many logs write a line only when the response is sent. */
const inOrder = (times: readonly Micros[]): readonly Micros[] => times.toSorted((a, b) => a - b);

const TIME =
  'seconds since the start ("1.25"), at most a year, or a duration ("1250ms"), or {"at": 1.25}';

function timesOf(text: string, called: string): TraceTimes {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const times: Micros[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const time = timeOf(line);
    if (time !== null) times.push(time);
    // A first line without a time is the header of a table.
    else if (times.length > 0 || index > 0 || line.startsWith("{"))
      return {
        message: `line ${index + 1} of ${called}, ${formatValue(line)}, does not begin with a time`,
        fix: `write ${TIME}`,
      };
  }
  return times.length > 0
    ? { timesUs: inOrder(times) }
    : {
        message: `${called} has no times`,
        fix: `begin the line of each request with ${TIME}; from an access log, extract these times`,
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
  const value = parseJson(line);
  const at = value !== null && isJsonMap(value) ? value["at"] : null;
  return typeof at === "number" || typeof at === "string" ? String(at) : null;
}

function parseJson(line: string): Json {
  try {
    return JSON.parse(line) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
