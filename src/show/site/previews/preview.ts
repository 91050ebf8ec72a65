// The preview of a page, as other sites show it next to a link: a drawing of the page's own experiment. It has no
// words, because such a link has the title and the description of the page below it.
import type { LimitersPart } from "../../../lab/report/limiters.ts";
import { COLOURS, type ColourName } from "../../figures/colours.ts";
import { drawableOf, type Figure } from "../../figures/drawable-of.ts";
import { countOffered, highestIn, type Columns } from "../home/columns.ts";

/** The size that sites expect. */
export const PREVIEW = { width: 1200, height: 630 } as const;

const MARGIN = 60;
const WIDE = PREVIEW.width - 2 * MARGIN;
const HIGH = PREVIEW.height - 2 * MARGIN;

export const PREVIEW_COLOURS = {
  page: "#ffffff",
  line: "#d9dee5",
  panel: "#eceff3",
  good: "#63b3a1",
  bad: "#b3261e",
  doubtful: "#e6b450",
  faint: "#d9dee5",
  ...(Object.fromEntries(
    Object.entries(COLOURS).map(([name, { light }]) => [name, light]),
  ) as Readonly<Record<ColourName, string>>),
} as const;
type PreviewColour = keyof typeof PREVIEW_COLOURS;

/** A rectangle in pixels; a later one covers an earlier one. */
export interface PreviewRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly colour: PreviewColour;
}

/** Two limiters below each other, with the same requests. */
export function previewOfLanes(
  lanes: readonly Columns[],
  edge: number | null,
): readonly PreviewRect[] {
  const most = highestIn(lanes);
  const gap = MARGIN;
  const high = (HIGH - gap * (lanes.length - 1)) / lanes.length;
  const rects = lanes.flatMap((lane, index) => {
    const bottom = MARGIN + index * (high + gap) + high;
    const wide = WIDE / lane.admitted.length;
    const column = (
      at: number,
      from: number,
      count: number,
      colour: PreviewColour,
    ): PreviewRect => ({
      x: MARGIN + at * wide,
      y: bottom - ((from + count) / most) * high,
      width: wide * 0.85,
      height: (count / most) * high,
      colour,
    });
    return [
      { x: MARGIN, y: bottom, width: WIDE, height: 4, colour: "line" as const },
      ...countOffered(lane).flatMap((_, at) => [
        column(at, 0, lane.admitted[at]!, "admitted"),
        column(at, lane.admitted[at]!, lane.refused[at]!, "refused"),
      ]),
    ];
  });
  return edge === null
    ? rects
    : [
        ...rects,
        {
          x: MARGIN + edge * WIDE,
          y: MARGIN / 2,
          width: 4,
          height: HIGH + MARGIN,
          colour: "limit",
        },
      ];
}

const isColour = (name: string): name is PreviewColour => Object.hasOwn(PREVIEW_COLOURS, name);

const colourIn = (declared: unknown): PreviewColour => {
  const [, name = ""] = /^var\(--([\w-]+)\)$/.exec(String(declared)) ?? [];
  return isColour(name) ? name : "other";
};

const THICK = 6;

/** The bars and the lines of a chart over time, or the rows of another one. */
export function previewOfFigure(figure: Figure): readonly PreviewRect[] {
  const { data, signals } = drawableOf(figure);
  const [from, until] = [Number(signals["from"]), Number(signals["until"])];
  const top = Number(signals["top"] ?? signals["rows"]);
  const isDown = signals["top"] === undefined; // rows are counted from above
  const across = (value: unknown): number =>
    MARGIN + ((Number(value) - from) / (until - from)) * WIDE;
  const up = (value: unknown): number =>
    MARGIN + (isDown ? Number(value) / top : 1 - Number(value) / top) * HIGH;
  const filled = [...(data["bars"] ?? []), ...(data["pieces"] ?? [])].map((row): PreviewRect => {
    const [x, y] = [across(row["from"]), Math.min(up(row["high"]), up(row["low"]))];
    const height = Math.abs(up(row["low"]) - up(row["high"]));
    return { x, y, width: (across(row["to"]) - x) * 0.92, height, colour: colourIn(row["colour"]) };
  });
  const parts = Map.groupBy(data["lines"] ?? [], ({ part }) => part);
  const lines = [...parts.values()].flatMap((rows) =>
    rows.slice(1).flatMap((row, index): readonly PreviewRect[] => {
      const [before, colour] = [rows[index]!, colourIn(row["colour"])];
      const [x, y] = [across(before["at"]), up(before["value"])];
      const [to, end] = [across(row["at"]), up(row["value"])];
      return [
        { x, y: y - THICK / 2, width: to - x, height: THICK, colour },
        { x: to - THICK / 2, y: Math.min(y, end), width: THICK, height: Math.abs(end - y), colour },
      ];
    }),
  );
  return [
    ...filled,
    ...lines,
    { x: MARGIN, y: MARGIN + HIGH, width: WIDE, height: 4, colour: "line" },
  ];
}

/** The verdicts of limiters, one row each. */
export function previewOfVerdicts({
  limiters,
  behaviours,
  verdicts,
}: LimitersPart): readonly PreviewRect[] {
  const size = { width: WIDE / behaviours.length, height: Math.min(HIGH / limiters.length, 90) };
  const start = MARGIN + (HIGH - size.height * limiters.length) / 2;
  return limiters.flatMap(({ cells }, row) =>
    behaviours.map(({ id }, column): PreviewRect => {
      const verdict = cells.find(({ behaviour }) => behaviour === id)?.verdict;
      return {
        x: MARGIN + column * size.width,
        y: start + row * size.height,
        width: size.width - 2,
        height: size.height - 2,
        colour: verdict === undefined ? "panel" : verdicts[verdict]!.look,
      };
    }),
  );
}
