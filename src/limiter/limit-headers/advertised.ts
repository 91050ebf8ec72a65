// What the headers of one response state about limits. A value that no header states is null, never 0.

export type ReceivedHeader = readonly [name: string, value: string];

/** The form of Reset or Retry-After: a duration, or a point in time by the server's clock. */
export type TimeForm =
  | "seconds"
  | "seconds with a fraction"
  | "milliseconds"
  | "duration with units"
  | "Unix seconds"
  | "Unix seconds with a fraction"
  | "Unix milliseconds"
  | "HTTP date"
  | "ISO date";

export interface AdvertisedTime {
  readonly form: TimeForm;
  readonly isAbsolute: boolean;
  /** A duration; if absolute, Unix time. */
  readonly seconds: number;
}

/** One budget, as one dialect describes it. */
export interface AdvertisedBudget {
  readonly name: string | null; // the name of its policy, if the dialect names policies
  readonly limit: number | null;
  readonly windowS: number | null;
  readonly remaining: number | null;
  readonly reset: AdvertisedTime | null;
}

export const NO_VALUES: AdvertisedBudget = {
  name: null,
  limit: null,
  windowS: null,
  remaining: null,
  reset: null,
};

/** A problem of headers: its place in the response, and the correction. */
export interface HeaderFinding {
  readonly code: FindingCode;
  readonly severity: "error" | "warning";
  readonly header: string | null;
  readonly column: number | null; // in the value of the header, counted from 1
  readonly message: string;
  readonly fix: string;
}

export interface DialectReading {
  readonly dialect: DialectId;
  /** The headers of this dialect, as the server spells them. */
  readonly headers: readonly string[];
  readonly budgets: readonly AdvertisedBudget[];
  /** The value of Retry-After; other resets are in the budgets. */
  readonly retryAfter: AdvertisedTime | null;
  readonly findings: readonly HeaderFinding[];
}

/** Each dialect, with its name in the report. */
export const DIALECTS = {
  "retry-after": "Retry-After (RFC 9110)",
  "ratelimit-08": "RateLimit, drafts 08 to 11",
  "ratelimit-07": "RateLimit, draft 07",
  "ratelimit-03": "RateLimit-Limit, drafts 03 to 06",
  "x-ratelimit": "X-RateLimit-*",
  "x-rate-limit": "X-Rate-Limit-* (Twitter, Okta)",
  github: "X-RateLimit-* of GitHub",
  envoy: "X-RateLimit-* of Envoy",
  discord: "X-RateLimit-* of Discord",
  kong: "X-RateLimit-*-PERIOD (Kong, OpenAI)",
  shopify: "X-Shopify-Shop-Api-Call-Limit",
} as const;

export type DialectId = keyof typeof DIALECTS;

/** The verdict on a dialect, from the worst to the best. */
export const HEADER_VERDICTS = [
  "invalid",
  "untrue",
  "inconsistent",
  "missing",
  "inconclusive",
  "valid",
] as const;

export type HeaderVerdict = (typeof HEADER_VERDICTS)[number];

interface CodeEntry {
  readonly verdict: HeaderVerdict;
  readonly about: string;
}

const code = (verdict: HeaderVerdict, about: string): CodeEntry => ({ verdict, about });

/** Every code of a finding: the verdict that it causes, and its meaning. */
export const FINDING_CODES = {
  "LINT-SYNTAX": code("invalid", "The value does not follow the grammar of the dialect."),
  "LINT-DUPLICATE": code("invalid", "The same header or parameter is present twice."),
  "LINT-MISSING": code("invalid", "A part is absent that clients of the dialect need."),
  "LINT-FORM": code("invalid", "Reset has another form than the dialect has, or changes its form."),
  "LINT-RANGE": code("inconsistent", "A value contradicts another one of the same header group."),
  "LINT-ABSENT": code("inconsistent", "Only some responses of a kind have the headers."),
  "LINT-RETRY-AFTER": code("missing", "No refusal has Retry-After."),
  "LINT-DISAGREE": code("inconsistent", "Two dialects of one response contradict each other."),
  "LINT-PAST": code("untrue", "A point in time is over when the response is sent."),
  "LINT-LOCAL-TIME": code("untrue", "A date differs from the measured time by time zones."),
  "LINT-WAIT-SHORT": code("untrue", "A request is refused again after the advertised wait."),
  "LINT-WAIT-LONG": code("untrue", "A request passes more than a second before the wait is over."),
  "LINT-REMAINING": code("untrue", "Remaining differs from the number of requests that pass."),
  "LINT-LIMIT": code("untrue", "Limit and window differ from the number of requests that pass."),
} as const satisfies Readonly<Record<string, CodeEntry>>;

export type FindingCode = keyof typeof FINDING_CODES;
