// Reads single fields. A reader returns "absent" or "faulty" instead of a value, so that callers can distinguish a
// default from an error that is already reported.
import { hasAtMostSixDecimals } from "../core/limit.ts";
import { micros, parseDuration, SECOND, secondsToMicros, type Micros } from "../../kit/units.ts";
import {
  at,
  has,
  listNames,
  member,
  nearestName,
  note,
  noteAt,
  show,
  type PlacedObject,
} from "./place.ts";

export type FieldReading<T> = T | "absent" | "faulty";

/** The value, or the default if the field is absent or faulty. */
export const orElse = <T extends number | boolean>(reading: FieldReading<T>, otherwise: T): T =>
  reading === "absent" || reading === "faulty" ? otherwise : reading;

export function numberIn(place: PlacedObject, name: string): FieldReading<number> {
  if (!has(place, name)) return "absent";
  const value = member(place, name);
  if (typeof value === "number" && Number.isFinite(value)) return value + 0; // -0 becomes 0
  noteAt(place, name, "CFG-TYPE", `${name} must be a number; got ${show(value)}`);
  return "faulty";
}

/** A number that passes the test; `must` describes the test in messages. */
export function numberThat(
  place: PlacedObject,
  name: string,
  must: string,
  test: (value: number) => boolean,
): FieldReading<number> {
  if (!has(place, name)) return "absent";
  const value = member(place, name);
  if (typeof value === "number" && test(value)) return value + 0;
  const code = typeof value === "number" ? "CFG-VALUE" : "CFG-TYPE";
  noteAt(place, name, code, `${name} must be ${must}; got ${show(value)}`);
  return "faulty";
}

export function booleanIn(place: PlacedObject, name: string): FieldReading<boolean> {
  if (!has(place, name)) return "absent";
  const value = member(place, name);
  if (typeof value === "boolean") return value;
  noteAt(place, name, "CFG-TYPE", `${name} must be true or false; got ${show(value)}`);
  return "faulty";
}

/** A non-empty string. Null if the field is absent or empty, or if it is not a string, which is reported. */
export function textIn(place: PlacedObject, name: string): string | null {
  const value = member(place, name);
  if (value === null || value === "") return null;
  if (typeof value === "string") return value;
  noteAt(place, name, "CFG-TYPE", `${name} must be a string; got ${show(value)}`);
  return null;
}

export function requireText(place: PlacedObject, name: string): string | null {
  const value = textIn(place, name);
  if (value === null && (!has(place, name) || member(place, name) === "")) {
    noteAt(place, null, "CFG-REQUIRED", `${name} is missing`, `add ${name}`);
  }
  return value;
}

export function wordIn<W extends string, D extends W | null>(
  place: PlacedObject,
  name: string,
  words: readonly W[],
  otherwise: D,
): W | D {
  if (!has(place, name)) return otherwise;
  const value = member(place, name);
  const word = words.find((candidate) => candidate === value);
  if (word !== undefined) return word;
  const similar = typeof value === "string" ? nearestName(value, words) : null;
  const suggestion = similar === null ? "" : `; did you mean "${similar}"?`;
  const message = `${name} must be one of ${listNames(words)}; got ${show(value)}${suggestion}`;
  noteAt(place, name, "CFG-VALUE", message);
  return otherwise;
}

/** An optional list; empty if the field is null or absent. */
export function listIn(place: PlacedObject, name: string): readonly unknown[] {
  const value = member(place, name);
  if (value === null || Array.isArray(value)) return value ?? [];
  noteAt(place, name, "CFG-TYPE", `${name} must be a list; got ${show(value)}`);
  return [];
}

/** The strings of a list, each with its index. */
export function textsIn(
  place: PlacedObject,
  name: string,
): readonly { readonly text: string; readonly index: number }[] {
  return listIn(place, name).flatMap((item, index) => {
    if (typeof item === "string" && item !== "") return [{ text: item, index }];
    note(
      place.findings.problems,
      "CFG-TYPE",
      [...at(place, name), index],
      `${name} must be a list of names; got ${show(item)}`,
    );
    return [];
  });
}

/**
 * A duration in a world file: a number of seconds, or text with units. Returns negative durations too, because each
 * field has its own range.
 */
export function durationIn(place: PlacedObject, name: string): FieldReading<Micros> {
  if (!has(place, name)) return "absent";
  const value = member(place, name);
  if (typeof value === "number" && hasAtMostSixDecimals(value)) return secondsToMicros(value + 0);
  const parsed = typeof value === "string" ? parseDuration(value) : null;
  if (parsed !== null) return parsed;
  const shown = show(value);
  noteAt(
    place,
    name,
    "CFG-DURATION",
    `${name} must be a duration; got ${shown}`,
    'write seconds with at most 6 decimals, or text such as "10s" or "1m30s"',
  );
  return "faulty";
}

/** The longest duration, a century: today plus a century is still an exact integer of microseconds. */
export const LONGEST = micros(100 * 365 * 86_400 * SECOND);

export function positiveDuration(place: PlacedObject, name: string, otherwise: Micros): Micros {
  const value = durationIn(place, name);
  if (value === "absent" || value === "faulty") return otherwise;
  if (value > 0 && value <= LONGEST) return value;
  noteAt(place, name, "CFG-VALUE", `${name} must be above 0 and at most 100 years`);
  return otherwise;
}
