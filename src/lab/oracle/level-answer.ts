// The answer of one level to one request.

/** The effect of a request on a level: spent, written to the log that refused it, or only evaluated (LIM-C1, ALG-3). */
export type LevelEffect = "admitted" | "refused" | "visited";

/** The range of a value; `from` equals `to` if the timing determines the value. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The state of a budget after a response (HDR-C2). */
export interface BudgetState {
  readonly limit: number;
  readonly remaining: Span;
  readonly resetUs: Span; // by the gateway's clock; infinity: it never resets
}

/** How much of a budget was used before the request; `from` equals `to` if the timing determines it. */
export interface Usage extends Span {
  /** Attempts in a log, admitted requests in a window, owed requests of a bucket, requests that wait for their turns. */
  readonly of: "attempts" | "admitted" | "owed" | "waiting";
  readonly allowed: number; // with the request
}

export interface OracleAnswer {
  readonly pass: boolean;
  readonly refuse: boolean; // pass and refuse are both true if either decision is possible
  /** How long until the level would admit if no other requests came; null if it is not known. */
  readonly waitUs: { readonly fromUs: number; readonly toUs: number } | null;
  /** How long an admitted request waits for its turn (ALG-C10). Unset: no wait, or an unknown wait. */
  readonly turnUs?: Span;
  /** Null if the state is not known. */
  readonly stateAfter: (effect: LevelEffect) => BudgetState | null;
  readonly why: string;
  /** Unset: no number decides, such as the mark of a sentinel, or it is not known. */
  readonly usage?: Usage;
}

export const NO_WAIT = { fromUs: 0, toUs: 0 };

export const UNKNOWN = (): null => null;

export const open = (why: string): OracleAnswer => ({
  pass: true,
  refuse: true,
  waitUs: null,
  stateAfter: UNKNOWN,
  why,
});

export const never = (why: string): OracleAnswer => ({
  pass: false,
  refuse: true,
  waitUs: { fromUs: Number.POSITIVE_INFINITY, toUs: Number.POSITIVE_INFINITY },
  stateAfter: () => NOTHING,
  why,
});

const NOTHING: BudgetState = {
  limit: 0,
  remaining: { from: 0, to: 0 },
  resetUs: { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY },
};

/**
 * The state of a budget. If nothing remains, the budget resets when the next request would be admitted; otherwise when
 * it is full again.
 */
export const budgetState = (
  limit: number,
  remaining: Span,
  nextUs: () => Span,
  fullUs: () => Span,
): BudgetState => {
  const ends = [...(remaining.from < 1 ? [nextUs()] : []), ...(remaining.to < 1 ? [] : [fullUs()])];
  return {
    limit,
    remaining: { from: Math.max(0, remaining.from), to: Math.max(0, remaining.to) },
    resetUs: spanning(ends),
  };
};

/** After a refusal the budget resets when all units of the refused request would fit. */
export const stateAfterRefusal = (
  limit: number,
  remaining: Span,
  { loUs, hiUs }: { readonly loUs: number; readonly hiUs: number },
  { fromUs, toUs }: { readonly fromUs: number; readonly toUs: number },
): BudgetState => ({
  limit,
  remaining: { from: Math.max(0, remaining.from), to: Math.max(0, remaining.to) },
  resetUs: { from: loUs + fromUs, to: hiUs + toUs },
});

export const NEVER_PASSES = { fromUs: Number.POSITIVE_INFINITY, toUs: Number.POSITIVE_INFINITY };

export const spanning = (spans: readonly Span[]): Span => ({
  from: Math.min(...spans.map(({ from }) => from)),
  to: Math.max(...spans.map(({ to }) => to)),
});

/** Formats "5" if certain, "4 to 6" if not. */
export const span = (least: number, most: number): string =>
  least === most ? String(least) : `${least} to ${most}`;
