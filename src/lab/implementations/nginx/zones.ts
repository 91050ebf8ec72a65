// The zones of nginx (`limit_req_zone`), and the limits that use them (`limit_req`).
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import type { Directive } from "./parse.ts";
import type { NginxPlace } from "./places.ts";

export interface Zone {
  readonly directive: Directive;
  readonly name: string;
  readonly key: string;
  readonly rate: number;
  readonly scale: 1 | 60; // seconds
  readonly written: string;
}

/** The zones by their names, or the problems of all of them. */
export function zonesOf(http: readonly Directive[]): ReadonlyMap<string, Zone> | Failure {
  const zones = new Map<string, Zone>();
  const problems: string[] = [];
  for (const directive of http) {
    if (directive.name !== "limit_req_zone") continue;
    const zone = zoneOf(directive);
    if (isFailure(zone)) problems.push(zone.message);
    else if (zones.has(zone.name))
      problems.push(`${at(directive)} defines the zone ${zone.name} again; remove one of the two`);
    else zones.set(zone.name, zone);
  }
  return problems.length > 0 ? new Failure(...problems) : zones;
}

function zoneOf(directive: Directive): Zone | Failure {
  const [key = "", ...others] = directive.words;
  const name = wordAfter("zone=", others)?.split(":", 1)[0] ?? "";
  if (name === "") return new Failure(`${at(directive)} has no zone; write zone=NAME:SIZE`);
  const written = wordAfter("rate=", others) ?? "";
  const [, rate, unit] = /^(\d+)r\/([sm])$/.exec(written) ?? [];
  if (rate === undefined || Number(rate) === 0)
    return new Failure(
      `${at(directive)} has the rate "${written}"; ${isTemplate(written) ? RENDER : "write one such as rate=10r/s or rate=30r/m"}`,
    );
  return { directive, name, key, rate: Number(rate), scale: unit === "s" ? 1 : 60, written };
}

/** The problems of limits, each once. */
export function problemsOfLimits(
  places: readonly NginxPlace[],
  zones: ReadonlyMap<string, Zone>,
): readonly string[] {
  const problems = new Set<string>();
  for (const { limits, status, directive } of places) {
    if (!Number.isInteger(status) || status < 400 || status > 599)
      problems.add(`${at(directive)} has a limit_req_status that is no integer from 400 to 599`);
    const names = limits.map(({ words }) => wordAfter("zone=", words));
    for (const [index, limit] of limits.entries()) {
      const name = names[index];
      if (name === undefined) problems.add(`${at(limit)} has no zone; write zone=NAME`);
      else if (!zones.has(name))
        problems.add(
          `${at(limit)} names the zone ${name}, which no limit_req_zone defines; add one, or name the main file that includes this one`,
        );
      else if (names.indexOf(name) !== index)
        problems.add(`${at(limit)} names the zone ${name} again in the same block; remove one`);
      const burst = wordAfter("burst=", limit.words) ?? "1";
      if (!/^\d+$/.test(burst) || Number(burst) === 0)
        problems.add(
          `${at(limit)} has the burst "${burst}"; ${isTemplate(burst) ? RENDER : "write an integer above 0"}`,
        );
    }
  }
  return [...problems];
}

/** `${NAME}`, which envsubst fills when a container starts. nginx has no variables here. */
const isTemplate = (text: string): boolean => text.includes("$");
const RENDER = "render the template first, such as by envsubst";

export const burstOf = ({ words }: Directive): number => Number(wordAfter("burst=", words) ?? 0);

/** How many requests above the rate are admitted at once; others wait for their turn. */
export function countAtOnce({ words }: Directive): number {
  const last = words.findLast((word) => word === "nodelay" || word.startsWith("delay="));
  if (last === "nodelay") return Number.POSITIVE_INFINITY;
  return Number(last?.slice("delay=".length) ?? 0);
}

const wordAfter = (start: string, words: readonly string[]): string | undefined =>
  words.find((word) => word.startsWith(start))?.slice(start.length);

const at = ({ file, line, name }: Directive): string => `${file}:${line}: ${name}`;
