// What one level says of one request.

/** What a request left at a level: it was spent, written to the log that refused it, or only looked (LIM-C1, ALG-3). */
export type Left = "admitted" | "refused" | "visited";

/** Two numbers where the timing leaves it open. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** How a budget stands behind an answer (HDR-C2). */
export interface Standing {
  readonly limit: number;
  readonly remaining: Span;
  readonly resetUs: Span; // by the gateway's clock; infinity: never
}

export interface Answer {
  readonly pass: boolean;
  readonly refuse: boolean; // both where it is open
  /** How long until it would pass, if nobody else calls; null where that is open. */
  readonly waitUs: { readonly fromUs: number; readonly toUs: number } | null;
  /** Null where that is open. */
  readonly standing: (left: Left) => Standing | null;
  readonly why: string;
}

export const NO_WAIT = { fromUs: 0, toUs: 0 };

export const UNKNOWN = (): null => null;

export const open = (why: string): Answer => ({
  pass: true,
  refuse: true,
  waitUs: null,
  standing: UNKNOWN,
  why,
});

export const never = (why: string): Answer => ({
  pass: false,
  refuse: true,
  waitUs: { fromUs: Number.POSITIVE_INFINITY, toUs: Number.POSITIVE_INFINITY },
  standing: () => NOTHING,
  why,
});

const NOTHING: Standing = {
  limit: 0,
  remaining: { from: 0, to: 0 },
  resetUs: { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY },
};

/**
 * What remains of a limit, and until when: until the next request would pass where nothing remains, else until the
 * budget is full again.
 */
export const stands = (
  limit: number,
  remaining: Span,
  nextUs: () => Span,
  fullUs: () => Span,
): Standing => {
  const ends = [...(remaining.from < 1 ? [nextUs()] : []), ...(remaining.to < 1 ? [] : [fullUs()])];
  return {
    limit,
    remaining: { from: Math.max(0, remaining.from), to: Math.max(0, remaining.to) },
    resetUs: spanning(ends),
  };
};

export const spanning = (spans: readonly Span[]): Span => ({
  from: Math.min(...spans.map(({ from }) => from)),
  to: Math.max(...spans.map(({ to }) => to)),
});

/** "5" where sure, "4 to 6" where not. */
export const span = (least: number, most: number): string =>
  least === most ? String(least) : `${least} to ${most}`;
