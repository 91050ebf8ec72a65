// When requests of single clients were admitted and refused: one row for each client on a common time axis.
import { colour } from "../colours.ts";
import { dateText, dateTitle } from "../dates.ts";
import type { Drawable, DrawableRow } from "../drawable.ts";
import { formatNumber } from "../time.ts";
import type { TimelinesFigure, TimelineRow } from "../../../lab/report/measured-figures.ts";

const ROW_HEIGHT = 40;
const AXIS_HEIGHT = 46;
const NAME = 0.22;
const [TOP, BOTTOM] = [0.42, 0.94];

export function timelinesDrawable({ title, startS, untilS, rows }: TimelinesFigure): Drawable {
  const at = (seconds: number): string => dateText(startS + seconds);
  const parts = rows.map((each, row) => partsOf(each, row, at));
  return {
    kind: "timelines",
    title,
    height: rows.length * ROW_HEIGHT + AXIS_HEIGHT,
    data: {
      band: [],
      guides: [],
      rules: [],
      dots: [],
      bars: parts.flatMap(({ bars }) => bars),
      ticks: parts.flatMap(({ ticks }) => ticks),
      names: rows.map(({ what }, row) => ({
        at: row + NAME,
        what,
        value: "",
        colour: "var(--ink)",
        ink: "var(--ink)",
      })),
    },
    signals: { from: 0, until: untilS, rows: rows.length, startS, xTitle: dateTitle(startS) },
    legend: [
      { what: "admitted", colour: colour("admitted") },
      { what: "refused", colour: colour("refused") },
    ],
  };
}

interface Parts {
  readonly bars: readonly DrawableRow[];
  readonly ticks: readonly DrawableRow[];
}

function partsOf(row: TimelineRow, index: number, at: (seconds: number) => string): Parts {
  const place = { top: index + TOP, bottom: index + BOTTOM };
  if (row.kind === "marks")
    return {
      bars: [],
      ticks: row.atS.map((from, mark) => {
        const what = row.isRefused[mark] === 1 ? "refused" : "admitted";
        return { ...place, from, colour: colour(what), tip: `${row.name}: ${what}, ${at(from)}` };
      }),
    };
  const { binS, admitted, refused } = row;
  const most = Math.max(1, ...admitted.map((count, bin) => count + refused[bin]!));
  const heightOf = (count: number): number => ((BOTTOM - TOP) * count) / most;
  const bars = admitted.flatMap((count, bin): readonly DrawableRow[] => {
    const own = refused[bin]!;
    if (count + own === 0) return [];
    const [from, to] = [bin * binS, (bin + 1) * binS];
    const tip = `${row.name}: ${formatNumber(count)} admitted and ${formatNumber(own)} refused, ${at(from)} to ${at(to)}`;
    const middle = place.bottom - heightOf(count);
    const top = middle - heightOf(own);
    return [
      { from, to, top: middle, bottom: place.bottom, colour: colour("admitted"), tip },
      { from, to, top, bottom: middle, colour: colour("refused"), tip },
    ].filter((bar) => bar.bottom > bar.top);
  });
  return { bars, ticks: [] };
}
