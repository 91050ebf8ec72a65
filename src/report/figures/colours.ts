import type { Legend } from "./drawable.ts";

/** By what is drawn; anything else is drawn in the last colour. */
const COLOURS: readonly (readonly [what: RegExp, colour: string])[] = [
  [/^admitted$|^2\d\d$/, "var(--admitted)"],
  [/429$/, "var(--refused)"],
  [/403$/, "var(--quota)"],
  [/Up$/, "var(--up)"],
  [/Down$/, "var(--down)"],
  [/^allowance/, "var(--allowance)"],
  [/^offered$/, "var(--ink-soft)"],
  [/./, "var(--other)"],
];

export const colourOf = (what: string): string => COLOURS.find(([name]) => name.test(what))![1];

export const legendOf = (names: readonly string[]): Legend =>
  [...new Set(names)].map((what) => ({ what, colour: colourOf(what) }));
