// Charts of rows and of lanes. Names are above their marks, so that long names fit on a narrow page.
import type { Drawable, DrawableRow } from "../drawable.ts";
import type {
  LanesFigure,
  RowMark,
  RowsFigure,
  MarkTone,
} from "../../../lab/report/measured-figures.ts";

const ROW_HEIGHT = 34;
const AXIS_HEIGHT = 44;

/** Positions within a row, as fractions of its height: its name, and the top and bottom of its marks. */
const NAME = 0.26;
const [TOP, BOTTOM] = [0.5, 0.94];
const MIDDLE = (TOP + BOTTOM) / 2;

const TONES: Readonly<Record<MarkTone, string>> = {
  own: "var(--admitted)",
  refused: "var(--refused)",
  control: "var(--ink-soft)",
  good: "var(--pass)",
  bad: "var(--fail)",
  doubt: "var(--doubt)",
  faint: "var(--line)",
};

interface Named {
  readonly what: string;
  readonly isControl: boolean;
}

/** Controls are in parentheses, as in tables. */
export const nameOf = ({ what, isControl }: Named): string => (isControl ? `(${what})` : what);

export function rowsDrawable(figure: RowsFigure): Drawable {
  const { title, unit, scale, from, to, rows, band, references } = figure;
  const marks = rows.flatMap(({ marks: own }, row) => own.map((mark) => ({ row, mark })));
  const of = (...shapes: readonly RowMark["shape"][]): typeof marks =>
    marks.filter(({ mark }) => shapes.includes(mark.shape));
  const placeOf = ({ row, mark }: (typeof marks)[number]): DrawableRow => ({
    from: mark.from,
    to: mark.to,
    top: row + TOP,
    bottom: row + BOTTOM,
    middle: row + MIDDLE,
    colour: TONES[mark.tone],
    tip: `${nameOf(rows[row]!)}: ${mark.tip}`,
  });
  return {
    kind: ROWS_BY_SCALE[scale],
    title,
    height: rows.length * ROW_HEIGHT + AXIS_HEIGHT,
    data: {
      band: band === null ? [] : [{ from: band[0], to: band[1] }],
      guides: references.map(({ at, what }) => ({ at, tip: what })),
      bars: of("bar").map(placeOf),
      rules: of("rule").map(placeOf),
      ticks: of("tick").map(placeOf),
      dots: of("dot").map(placeOf),
      names: rows.map((row, index) => ({
        at: index + NAME,
        what: nameOf(row),
        value: row.value,
        colour: TONES[row.tone],
        ink: row.isControl ? TONES.control : "var(--ink)",
      })),
    },
    signals: { from, to, rows: rows.length, xTitle: unit, ticks: ticksOf(figure) },
    legend: [],
  };
}

/** Ticks for logarithmic scales, whose default ticks crowd at one end; other scales need none. */
function ticksOf({ scale, from, to }: RowsFigure): readonly number[] {
  switch (scale) {
    case "linear":
      return [];
    case "symlog":
      return SIZES.filter((at) => at >= from && at <= to);
    case "log":
      if (to / from >= WIDE) return sizesBetween(from, to);
      return STEPS.map((step) => multiplesOf(step, from, to)).find(
        ({ length }, index) => length >= LEAST_TICKS || index === STEPS.length - 1,
      )!;
  }
}

/** A log scale whose ends have at least this ratio has ticks at 1, 2, 5, 10 and so on. */
const WIDE = 20;
const MOST_SIZES = 10;

/** 1, 2, 5, 10 and so on, or only powers of ten if these would be too many. */
export function sizesBetween(from: number, to: number): readonly number[] {
  const powers = Array.from(
    { length: Math.max(1, Math.ceil(Math.log10(to)) + 1) },
    (_, power) => 10 ** power,
  );
  const inside = (sizes: readonly number[]): readonly number[] =>
    sizes.filter((size) => size >= from && size <= to);
  const sizes = inside(powers.flatMap((power) => [power, 2 * power, 5 * power]));
  return sizes.length > MOST_SIZES ? inside(powers) : sizes;
}

const LEAST_TICKS = 4;
const SIZES = [-1_000, -100, -10, -3, -1, 0, 1, 3, 10, 100, 1_000];
const STEPS = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005];
const multiplesOf = (step: number, from: number, to: number): readonly number[] =>
  Array.from({ length: Math.round(to / step) }, (_, at) =>
    Number(((at + 1) * step).toPrecision(6)),
  ).filter((at) => at >= from && at <= to);

const ROWS_BY_SCALE = { linear: "rows", log: "rows-log", symlog: "rows-symlog" } as const;

export function lanesDrawable({ title, unit, untilS, lanes }: LanesFigure): Drawable {
  const most = Math.max(0, ...lanes.flatMap(({ values }) => values));
  const columns = lanes.flatMap((lane, row) =>
    lane.values.map((value, at): DrawableRow => {
      const [from, to] = [lane.fromS[at]!, lane.toS[at]!];
      return {
        from,
        to,
        top: row + BOTTOM - (most === 0 ? 0 : ((BOTTOM - TOP) * value) / most),
        bottom: row + BOTTOM,
        colour: TONES[lane.isControl ? "control" : "own"],
        tip: `${nameOf(lane)}: ${formatNumber(value)} ${unit}, from ${formatNumber(from)} s to ${formatNumber(to)} s`,
      };
    }),
  );
  return {
    kind: "rows",
    title: `${title}; a full row is ${formatNumber(most)} ${unit}`,
    height: lanes.length * ROW_HEIGHT + AXIS_HEIGHT,
    data: {
      band: [],
      guides: [],
      bars: columns,
      rules: [],
      ticks: [],
      dots: [],
      names: lanes.map((lane, index) => ({
        at: index + NAME,
        // The maximum is part of the name, because at the right end it would be between the bars of two rows.
        what: `${nameOf(lane)}${lane.values.length === 0 ? "" : `: at most ${formatNumber(Math.max(...lane.values))} ${unit}`}`,
        value: "",
        colour: TONES.control,
        ink: lane.isControl ? TONES.control : "var(--ink)",
      })),
    },
    signals: { from: 0, to: untilS, rows: lanes.length, xTitle: "seconds", ticks: [] },
    legend: [],
  };
}

export const formatNumber = (value: number): string => String(Number(value.toPrecision(3)));
