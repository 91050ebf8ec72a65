// Readers for the fields of a world. They report no problems, because only worlds without errors are evaluated.
import { micros, type Micros } from "../../kit/units.ts";
import type { Json } from "../../kit/reading/shape.ts";

export type WorldFields = { readonly [name: string]: Json };

export const isMembers = (value: Json | undefined): value is WorldFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const membersIn = (value: Json | undefined): WorldFields => (isMembers(value) ? value : {});

/** The name and value of each own field; inherited names such as `constructor` are left out. */
export const entriesIn = (value: Json | undefined): [string, Json][] =>
  Object.entries(membersIn(value));

export const listIn = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];

export const textsIn = (value: Json | undefined): readonly string[] =>
  listIn(value).filter((each) => typeof each === "string");

export const of = (members: WorldFields, name: string): Json | undefined =>
  Object.hasOwn(members, name) ? members[name] : undefined;

/** Follows a path of field names. */
export const at = (value: Json | undefined, ...names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>((within, name) => of(membersIn(within), name), value);

export const textIn = (value: Json | undefined): string | null =>
  typeof value === "string" && value !== "" ? value : null;

export const numberIn = (value: Json | undefined): number =>
  typeof value === "number" ? value : 0;

/** Microseconds from a number of seconds or a string such as `1m30s` (EPT-C4); scenarios allow fractions. */
export function timeIn(value: Json | undefined): Micros {
  if (typeof value !== "string") return micros(Math.round(numberIn(value) * 1e6));
  let us = 0;
  for (const [, count, unit] of value.matchAll(/(\d+(?:\.\d+)?)(us|ms|h|m|s)/g))
    us += Number(count) * LASTS[unit as keyof typeof LASTS];
  return micros(Math.round(us));
}

const LASTS = { h: 3_600_000_000, m: 60_000_000, s: 1_000_000, ms: 1_000, us: 1 };
