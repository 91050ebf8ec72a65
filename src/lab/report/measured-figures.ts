// Figures of measurements. Their builders decide what the numbers mean; this room only lays them out.

import type { TimeFigure } from "./model-figures.ts";

/** The meaning of a mark. Each has a colour and a sign or word in addition. */
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
  readonly value: string; // in words, at its end
  readonly tone: MarkTone; // of the words
  readonly marks: readonly RowMark[]; // later ones over earlier ones
}

/** One row for each that was measured, all on one axis. */
export interface RowsFigure {
  readonly kind: "rows";
  readonly title: string;
  readonly unit: string;
  readonly scale: Scale;
  readonly from: number;
  readonly to: number;
  readonly band: readonly [from: number, to: number] | null; // what does not matter
  readonly references: readonly { readonly at: number; readonly what: string }[];
  readonly rows: readonly MeasuredRow[];
}

/** `symlog` shows small values on both sides of zero together with large ones. */
type Scale = "linear" | "log" | "symlog";

/** One row for each, over one time: a column is as high as its value, of `most`. */
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

/** How long answers took, one line each: the axis has the number of responses of which one takes longer. */
export interface PercentilesFigure {
  readonly kind: "percentiles";
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly PercentileLine[];
}

export interface PercentileLine {
  readonly what: string;
  readonly isControl: boolean;
  /** One of this number takes longer: 100 for p99. Ascending. */
  readonly oneIn: readonly number[];
  readonly values: readonly number[];
}

/** Each as a point with its interval: less of both is better, and no point beats one on the front. */
export interface FrontFigure {
  readonly kind: "front";
  readonly title: string;
  readonly across: string;
  readonly up: string;
  readonly weighed: string; // by what one beats another: it may be more than is drawn
  readonly points: readonly FrontPoint[];
}

export interface FrontPoint {
  readonly what: string;
  readonly x: number;
  readonly y: number;
  readonly low: number; // of y
  readonly high: number;
  readonly isOnFront: boolean | null; // null: unknown
}

/** Clients by the most that they send within one window, and what a limit would refuse: the limit is a line that readers move. */
export interface PeaksFigure {
  readonly kind: "peaks";
  readonly title: string;
  readonly unit: "requests" | "units";
  readonly per: string; // the window
  readonly requests: number; // all
  readonly clients: number;
  /** The limits with counts, ascending. From 1 on each has one, and large ones are further apart. */
  readonly limits: readonly number[];
  readonly start: number; // the limit that is shown first
  /** Clients whose most is above each limit. */
  readonly peaksAbove: readonly number[];
  /** What algorithms refuse at each limit. */
  readonly rules: readonly PeakRule[];
}

/** A list for each placement of requests within seconds; the numbers that are shown first are those of the first. */
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
  readonly untilS: number; // since then
  readonly rows: readonly TimelineRow[];
}

/** A few requests have a mark each; many are counted in bins of equal length, and a row is as high as its largest bin. */
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

/** A share in percent over the values of a choice. */
export interface CurveFigure {
  readonly kind: "curve";
  readonly title: string;
  readonly across: string;
  readonly up: string;
  readonly isLog: boolean;
  readonly isSmall: boolean;
  readonly from: number;
  readonly to: number;
  readonly top: number; // of the shares
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
