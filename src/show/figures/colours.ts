// The colours of charts, by name and for both schemes. A test checks that colour-blind readers can distinguish
// neighbouring colours.

interface InBothSchemes {
  readonly light: string;
  readonly dark: string;
}

export const COLOURS = {
  admitted: { light: "#2f7fb8", dark: "#5aa9e0" },
  delayed: { light: "#9a7000", dark: "#e6b450" },
  refused: { light: "#d4571b", dark: "#f08449" },
  quota: { light: "#7d2a6a", dark: "#f2cdec" },
  up: { light: "#1d8a5f", dark: "#63c9a0" },
  down: { light: "#8250b4", dark: "#b794e0" },
  allowance: { light: "#1c2430", dark: "#f2f4f7" },
  limit: { light: "#1c2430", dark: "#f2f4f7" },
  offered: { light: "#5a6573", dark: "#9fabba" },
  "span-0": { light: "#d9a11a", dark: "#e6b450" },
  "span-1": { light: "#6d5fb5", dark: "#9d92dd" },
  mark: { light: "#5a6573", dark: "#9fabba" },
  other: { light: "#7a6a58", dark: "#b8a48c" },
  lost: { light: "#848e9c", dark: "#626d7b" },
  "rejected-404": { light: "#6e968c", dark: "#4f7a6c" },
  "rejected-other": { light: "#50501e", dark: "#8c6e00" },
  "series-1": { light: "#0b62a4", dark: "#5aa9e0" },
  "series-2": { light: "#c8500a", dark: "#f08449" },
  "series-3": { light: "#159672", dark: "#2ba57c" },
  "series-4": { light: "#c964a8", dark: "#f4bfe0" },
  "series-5": { light: "#7a6200", dark: "#d6b94a" },
  "series-6": { light: "#6a4fc0", dark: "#b5a0f5" },
  "series-7": { light: "#16808f", dark: "#6fd0de" },
  "series-8": { light: "#30363f", dark: "#8f99a8" },
} as const satisfies Readonly<Record<string, InBothSchemes>>;

export type ColourName = keyof typeof COLOURS;
export type Colour = `var(--${ColourName})`;

export const colour = (name: ColourName): Colour => `var(--${name})`;

/** CSS declarations for a page. */
export const declarationsOf = (scheme: keyof InBothSchemes): string =>
  Object.entries(COLOURS)
    .map(([name, each]) => `--${name}: ${each[scheme]};`)
    .join(" ");

export const SERIES: readonly ColourName[] = [
  "series-1",
  "series-2",
  "series-3",
  "series-4",
  "series-5",
  "series-6",
  "series-7",
  "series-8",
];

/** Subjects that have the same colour in every chart. */
const OWN: readonly (readonly [what: RegExp, name: ColourName])[] = [
  [/^admitted$|^2\d\d$/, "admitted"],
  [/^delayed$/, "delayed"],
  [/^refused$|429$/, "refused"],
  [/^(?:refused )?403$/, "quota"],
  [/^rejected 403$/, "other"],
  [/^rejected 401$/, "series-8"],
  [/^rejected 404$/, "rejected-404"],
  [/^rejected$/, "other"],
  [/^lost$/, "lost"],
  [/Up$/, "up"],
  [/Down$/, "down"],
  [/^allowance$/, "allowance"],
  [/^offered$/, "offered"],
];

const ownOf = (what: string): ColourName | undefined => OWN.find(([name]) => name.test(what))?.[1];

/** Omits the first two of `SERIES`: they resemble admitted and refused, on which rejections are stacked. */
const REJECTIONS: readonly ColourName[] = ["rejected-other", ...SERIES.slice(2)];

/** Returns a function from a name to its colour. Colours are assigned in the order of the names. */
export function coloursOf(names: Iterable<string>): (what: string) => Colour {
  const given = new Map<string, Colour>();
  const next = (from: readonly ColourName[]): (() => ColourName) => {
    let index = 0;
    return () => from[index++ % from.length]!;
  };
  const [rejection, other] = [next(REJECTIONS), next(SERIES)];
  for (const what of new Set(names))
    given.set(what, colour(ownOf(what) ?? (what.startsWith("rejected") ? rejection() : other())));
  return (what) => given.get(what)!;
}

/** Alternating colours, because consecutive spans may overlap. */
export const spanColour = (index: number): Colour => colour(index % 2 === 0 ? "span-0" : "span-1");

export const markColour = (what: string): Colour => colour(ownOf(what) ?? "mark");
