// What one level says of one request.

export interface Answer {
  readonly pass: boolean;
  readonly refuse: boolean; // both where it is open
  /** How long until it would pass, if nobody else calls; null where that is open. */
  readonly waitUs: { readonly fromUs: number; readonly toUs: number } | null;
  readonly why: string;
}

export const NO_WAIT = { fromUs: 0, toUs: 0 };

export const open = (why: string): Answer => ({ pass: true, refuse: true, waitUs: null, why });

export const never = (why: string): Answer => ({
  pass: false,
  refuse: true,
  waitUs: { fromUs: Number.POSITIVE_INFINITY, toUs: Number.POSITIVE_INFINITY },
  why,
});

/** "5" where sure, "4 to 6" where not. */
export const span = (least: number, most: number): string =>
  least === most ? String(least) : `${least} to ${most}`;
