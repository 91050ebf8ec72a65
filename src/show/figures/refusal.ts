// One refusal on a time axis: the requests that filled the budget, the refused one, and when it would be admitted.
import { specCalled } from "../../limiter/spec/by-algorithm.ts";
import { formatDuration, micros, SECOND } from "../../kit/units.ts";
import type {
  BudgetReport,
  FillersReport,
  RefusalReport,
} from "../../lab/report/model-refusals.ts";
import { colour, type Colour } from "./colours.ts";
import type { Drawable, Legend, DrawableRow } from "./drawable.ts";

export interface RefusalFigure {
  readonly kind: "refusal";
  readonly title: string;
  readonly entry: RefusalReport;
  readonly budget: BudgetReport;
}

const LANE_HEIGHT = 34;
const AXIS_HEIGHT = 46;
/** Vertical positions of marks within a lane, as fractions of its height. The lane's name is above the marks. */
const TICK_FROM = 0.48;
const TICK_TO = 0.94;
const STROKE_FROM = 0.42;
const MOST_LANES = 6;
const OTHERS = "other flows";

const COLOURS: Readonly<Record<FillersReport["what"], Colour>> = {
  admitted: colour("admitted"),
  refused: colour("refused"),
  perhaps: colour("other"),
};

const REQUEST = colour("limit");
const ROOM = colour("up");
const WINDOW = colour("span-0");

const WHAT: Readonly<Record<FillersReport["what"], string>> = {
  admitted: "admitted",
  refused: "refused, and counted",
  perhaps: "perhaps counted",
};

const at = (us: number): string => formatDuration(micros(us));

export function refusalDrawable({ title, entry, budget }: RefusalFigure): Drawable {
  const { first, filledBy } = entry;
  const passesAtUs = first.explained?.passesAtUs ?? null;
  const window = windowOf(entry, budget);
  const times = filledBy.flatMap(({ fromUs, toUs }) => [fromUs, toUs]);
  const earliest = Math.min(first.atUs, ...times);
  const latest = Math.max(first.atUs, passesAtUs ?? first.atUs, ...times);
  const marginUs = Math.max(1_000, (latest - earliest) * 0.06);
  const [fromUs, untilUs] = [earliest - marginUs, latest + marginUs];
  const inSeconds = untilUs - fromUs >= 2 * SECOND;
  const scale = (us: number): number => us / (inSeconds ? SECOND : 1_000);
  const flows = [...new Set(filledBy.map(({ flow }) => flow))];
  const lanes = flows.length <= MOST_LANES ? flows : [...flows.slice(0, MOST_LANES - 1), OTHERS];
  const laneOf = (flow: string): number => {
    const lane = lanes.indexOf(flow);
    return lane < 0 ? lanes.length - 1 : lane;
  };
  const pieces = filledBy.map(({ flow, fromUs: from, toUs: to, count, what }): DrawableRow => {
    const lane = laneOf(flow);
    const when = from === to ? `at ${at(from)}` : `from ${at(from)} to ${at(to)}`;
    return {
      from: scale(from),
      to: scale(to),
      high: lane + TICK_FROM,
      low: lane + TICK_TO,
      centre: lane + (TICK_FROM + TICK_TO) / 2,
      colour: COLOURS[what],
      text: count === 1 ? "" : String(count),
      tip: `${count} of ${flow}, ${when}: ${WHAT[what]}`,
    };
  });
  const count = Math.max(1, lanes.length);
  const moments: readonly DrawableRow[] = [
    { at: scale(first.atUs), colour: REQUEST, dash: [1, 0], tip: `refused at ${at(first.atUs)}` },
    ...(passesAtUs === null
      ? []
      : [
          {
            at: scale(passesAtUs),
            colour: ROOM,
            dash: [5, 3],
            tip: `admission from ${at(passesAtUs)} on`,
          },
        ]),
  ];
  return {
    kind: "refusal",
    title,
    height: count * LANE_HEIGHT + AXIS_HEIGHT,
    data: {
      windows:
        window === null
          ? []
          : [
              {
                from: scale(Math.max(fromUs, window.fromUs)),
                to: scale(Math.min(untilUs, window.toUs)),
                colour: WINDOW,
                tip: `${window.what}, ${at(window.fromUs)} to ${at(window.toUs)}`,
              },
            ],
      names: lanes.map((text, row): DrawableRow => ({ row, text })),
      pieces,
      moments,
      strokes: moments.flatMap((moment) =>
        Array.from({ length: count }, (_, lane): DrawableRow => ({
          ...moment,
          high: lane + STROKE_FROM,
          low: lane + 1,
        })),
      ),
    },
    signals: {
      from: scale(fromUs),
      until: scale(untilUs),
      rows: count,
      xTitle: inSeconds ? "seconds" : "milliseconds",
    },
    legend: legendOf(entry, window),
  };
}

interface Window {
  readonly fromUs: number;
  readonly toUs: number;
  readonly what: string;
}

/** The band: a log's period before the request, a window up to its end, or the time since a debt began. */
function windowOf(
  { first, filledBy }: RefusalReport,
  { algorithm, perUs }: BudgetReport,
): Window | null {
  const [oldest] = filledBy;
  switch (specCalled(algorithm)?.counts) {
    case "window": {
      const passesAtUs = first.explained?.passesAtUs ?? null;
      const toUs = passesAtUs ?? first.atUs;
      const fromUs =
        perUs === null || passesAtUs === null ? (oldest?.fromUs ?? toUs) : toUs - perUs;
      return { fromUs, toUs, what: "the window" };
    }
    case "debt":
      return oldest === undefined
        ? null
        : { fromUs: oldest.fromUs, toUs: first.atUs, what: "since nothing was owed" };
    case "lookback":
    case undefined:
      return perUs === null
        ? null
        : { fromUs: first.atUs - perUs, toUs: first.atUs, what: "the window" };
  }
}

function legendOf({ filledBy, first }: RefusalReport, window: Window | null): Legend {
  const kinds = [...new Set(filledBy.map(({ what }) => what))];
  const passes = first.explained?.passesAtUs ?? null;
  return [
    ...kinds.map((what) => ({ what: WHAT[what], colour: COLOURS[what] })),
    { what: "the request", colour: REQUEST, look: "line" },
    ...(passes === null ? [] : [{ what: "admission", colour: ROOM, look: "dashed" } as const]),
    ...(window === null ? [] : [{ what: window.what, colour: WINDOW, look: "span" } as const]),
  ];
}
