// Times of a trace, as a list of durations or as the lines of a log.
import type { Path, Problem } from "../../core/problems.ts";
import { micros, SECOND, type Micros } from "../../core/units.ts";
import { isMembers, listOf, scn, shown } from "./shape.ts";
import type { Json } from "../types.ts";
import { duration } from "./values.ts";

const durations = listOf(duration, 1);

/** Sorted, because logs are written when an answer leaves and not when a request comes. */
export function readTrace(
  value: Json,
  at: Path,
  problems: Problem[],
): readonly Micros[] | undefined {
  const times =
    typeof value === "string" ? linesOf(value, at, problems) : durations.read(value, at, problems);
  return times === undefined ? undefined : times.toSorted((a, b) => a - b);
}

function linesOf(text: string, at: Path, problems: Problem[]): readonly Micros[] | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const times: Micros[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const time = timeOf(line);
    if (time !== null) times.push(time);
    // A first line of words is the header of a table.
    else if (times.length > 0 || index > 0 || line.startsWith("{"))
      return scn(
        problems,
        "SCN-VALUE",
        at,
        `line ${index + 1} of the trace, ${shown(line)}, begins with no time`,
        'write seconds ("1.25") or a duration ("1250ms"), or {"at": 1.25}',
      );
  }
  return times.length > 0 ? times : scn(problems, "SCN-VALUE", at, "the trace has no times");
}

function timeOf(line: string): Micros | null {
  const first = line.startsWith("{") ? atOf(line) : (line.split(",", 1)[0] ?? "").trim();
  if (first === null || first === "") return null;
  const seconds = Number(first);
  if (Number.isFinite(seconds))
    return seconds >= 0 && seconds < Number.MAX_SAFE_INTEGER / SECOND
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
