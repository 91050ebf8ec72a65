// Figures of measurements. Their builders decide what the numbers mean; these types define only the form.

import type { TimeFigure } from "./model-figures.ts";

/** The meaning of a mark. Each has a colour and, in addition, a sign or a word. */
export type MarkTone = "own" | "refused" | "control" | "good" | "bad" | "doubt" | "faint";

/** A tick or a dot is at `from`; a bar and a rule reach to `to`. */
export interface RowMark {
  readonly shape: "bar" | "rule" | "tick" | "dot";
  readonly from: number;
  readonly to: number;
  readonly tone: MarkTone;
  readonly tip: string;
}

export interface MeasuredRow {
  readonly what: string;
  readonly isControl: boolean;
  readonly value: string; // text at the end of the row
  readonly tone: MarkTone; // of `value`
  readonly marks: readonly RowMark[]; // later marks are drawn above earlier ones
}

/** One row for each measured thing, all on one axis. */
export interface RowsFigure {
  readonly kind: "rows";
  readonly title: string;
  readonly unit: string;
  readonly scale: Scale;
  readonly from: number;
  readonly to: number;
  readonly band: readonly [from: number, to: number] | null; // range of differences that do not matter
  readonly references: readonly { readonly at: number; readonly what: string }[];
  readonly rows: readonly MeasuredRow[];
}

/** `symlog` shows small values on both sides of zero together with large ones. */
type Scale = "linear" | "log" | "symlog";

/** One row for each measured thing over a common time. Columns show values as parts of the greatest value. */
export interface LanesFigure {
  readonly kind: "lanes";
  readonly title: string;
  readonly unit: string;
  readonly untilS: number;
  readonly lanes: readonly Lane[];
}

export interface Lane {
  readonly what: string;
  readonly isControl: boolean;
  readonly fromS: readonly number[];
  readonly toS: readonly number[];
  readonly values: readonly number[];
}

/** Response times as lines. The axis has the numbers n for which one in n responses takes longer. */
export interface PercentilesFigure {
  readonly kind: "percentiles";
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly PercentileLine[];
}

export interface PercentileLine {
  readonly what: string;
  readonly isControl: boolean;
  /** For each value, one response in this many takes longer: 100 for p99. Ascending. */
  readonly oneIn: readonly number[];
  readonly values: readonly number[];
}

/** Points with intervals in two quantities, of which less is better. No point beats a point on the front. */
export interface FrontFigure {
  readonly kind: "front";
  readonly title: string;
  readonly across: string;
  readonly up: string;
  readonly weighed: string; // the quantities by which points beat each other, which may be more than the two axes
  readonly points: readonly FrontPoint[];
}

export interface FrontPoint {
  readonly what: string;
  readonly x: number;
  readonly y: number;
  readonly low: number; // range of y
  readonly high: number;
  readonly isOnFront: boolean | null; // null if unknown
}

/** How many clients exceed each number of requests in a window, and what a limit that readers can move would refuse. */
export interface PeaksFigure {
  readonly kind: "peaks";
  readonly title: string;
  readonly unit: "requests" | "units";
  readonly per: string; // length of the window
  readonly requests: number; // total
  readonly clients: number;
  /** Limits with known results, ascending: every small integer from 1 on, then with growing gaps. */
  readonly limits: readonly number[];
  readonly start: number; // the limit that is displayed first
  /** The number of clients whose maximum exceeds each limit. */
  readonly peaksAbove: readonly number[];
  /** What each algorithm refuses at each limit. */
  readonly rules: readonly PeakRule[];
}

/** One list for each assumption about the times of requests within a second; the first list is displayed first. */
interface PeakRule {
  readonly what: string;
  readonly requestsAbove: readonly (readonly number[])[];
  readonly clientsAbove: readonly (readonly number[])[];
}

/** When requests of single clients were admitted and refused. */
export interface TimelinesFigure {
  readonly kind: "timelines";
  readonly title: string;
  readonly startS: number; // since 1970
  readonly untilS: number; // since `startS`
  readonly rows: readonly TimelineRow[];
}

/** Few requests are single marks. Many are counted in equal bins; the largest bin sets the row's height. */
export type TimelineRow = { readonly name: string; readonly what: string } & (
  | {
      readonly kind: "marks";
      readonly atS: readonly number[];
      readonly isRefused: readonly (0 | 1)[];
    }
  | {
      readonly kind: "bins";
      readonly binS: number;
      readonly admitted: readonly number[];
      readonly refused: readonly number[];
    }
);

/** A percentage as a function of a choice. */
export interface CurveFigure {
  readonly kind: "curve";
  readonly title: string;
  readonly across: string;
  readonly up: string;
  readonly isLog: boolean;
  readonly isSmall: boolean;
  readonly from: number;
  readonly to: number;
  readonly top: number; // greatest percentage of the axis
  readonly points: readonly {
    readonly x: number;
    readonly y: number;
    readonly tip: string;
    readonly isMain: boolean;
  }[];
  readonly band: { readonly from: number; readonly to: number; readonly what: string } | null;
  readonly references: readonly {
    readonly at: number;
    readonly what: string;
    readonly isMain: boolean;
  }[];
}

/** A chart over time whose axis has dates and times of the day. */
export interface DatedFigure extends TimeFigure {
  readonly startS: number; // since 1970
}

export type MeasuredFigure =
  | RowsFigure
  | LanesFigure
  | PercentilesFigure
  | FrontFigure
  | PeaksFigure
  | TimelinesFigure
  | CurveFigure
  | DatedFigure;
