// Adjacent colours, as colour-blind readers see them.
import { expect, test } from "vitest";
import { COLOURS, coloursOf, SERIES, type ColourName } from "#src/show/figures/colours.ts";

type Three = readonly [number, number, number];

const linear = (hex: string): Three =>
  [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Three;

const times = (rows: readonly Three[], [a, b, c]: Three): Three =>
  rows.map(([x, y, z]) => x * a + y * b + z * c) as unknown as Three;

/** Machado, Oliveira and Fernandes (2009), at full severity. */
const EYES: Readonly<Record<string, readonly Three[]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  "no red": [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  "no green": [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  "no blue": [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Ottosson's OKLab, in which equal distances look alike. */
function lab(rgb: Three): Three {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  ).map((value) => Math.cbrt(Math.max(0, value))) as unknown as Three;
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

const distance = (a: Three, b: Three): number => Math.hypot(...a.map((each, at) => each - b[at]!));

/** As far as two greys of which one reflects a fifth more than the other. */
const LEAST = 0.06;

const SIDE_BY_SIDE: readonly (readonly ColourName[])[] = [
  ["admitted", "refused", "quota"],
  ["admitted", "refused", "quota", "other", "series-8", "rejected-404", "rejected-other"],
  ["up", "down"],
  ["span-0", "span-1"],
  ...SERIES.slice(0, -1).map((name, index) => [name, SERIES[index + 1]!]),
  SERIES.slice(0, 4),
];

test.each(["light", "dark"] as const)("the colours of the %s scheme are distinct", (scheme) => {
  const alike = Object.entries(EYES).flatMap(([eyes, matrix]) =>
    SIDE_BY_SIDE.flatMap((names) =>
      names.flatMap((a, at) =>
        names.slice(at + 1).flatMap((b) => {
          const labOf = (name: ColourName): Three =>
            lab(times(matrix, linear(COLOURS[name][scheme])));
          const far = distance(labOf(a), labOf(b));
          return far < LEAST ? [`${a} and ${b} with ${eyes}: ${far.toFixed(3)}`] : [];
        }),
      ),
    ),
  );
  expect(alike).toEqual([]);
});

test.each([
  ["light", "#f6f7f9"],
  ["dark", "#1c222b"],
] as const)("lines of the %s scheme have contrast to the panel below them", (scheme, panel) => {
  const luminance = (hex: string): number => {
    const [red, green, blue] = linear(hex);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const faint = Object.entries(COLOURS).flatMap(([name, each]) => {
    const [low, high] = [luminance(each[scheme]), luminance(panel)].toSorted((a, b) => a - b);
    const contrast = (high! + 0.05) / (low! + 0.05);
    // Spans are areas, with words next to them.
    return contrast < 3 && !name.startsWith("span") ? [`${name}: ${contrast.toFixed(1)}`] : [];
  });
  expect(faint).toEqual([]);
});

test("no rejection has the colour of what is admitted or refused, or of another rejection", () => {
  const answers = ["admitted", "refused 429", "refused 403"];
  const rejected = [400, 401, 403, 404, 405, 413, 431, 503].map((status) => `rejected ${status}`);
  const colourOf = coloursOf([...rejected, ...answers]);
  const variableOf = (what: string): string => colourOf(what).slice("var(--".length, -1);
  expect(new Set([...rejected, ...answers].map(variableOf)).size).toBe(11);
  const values = (name: string): unknown => COLOURS[name as ColourName];
  const taken = [...answers.map(variableOf), "series-1", "series-2"].map(values);
  for (const each of rejected) expect(taken).not.toContainEqual(values(variableOf(each)));
  const alone = coloursOf(["admitted", "rejected 503", "refused 429"]);
  expect(alone("rejected 503")).toBe("var(--rejected-other)");
});
