// What a scenario expects: a measure of the history, and the value that it is compared with.
import { NO_STATUS, isLost } from "./history.ts";
import type { Micros } from "../../kit/units.ts";
import type { Network } from "./networks.ts";
import type { Json } from "../../kit/reading/shape.ts";

export interface Filter {
  readonly flow: readonly string[] | null;
  readonly as: readonly string[] | null;
  readonly api: readonly string[] | null;
  readonly endpoint: string | null; // "GET /path", as the client sends it
  readonly status: readonly number[] | null;
  readonly stage: readonly string[] | null;
  readonly during: { readonly fromUs: Micros; readonly toUs: Micros } | null; // from inclusive, to exclusive
  readonly gateway: readonly number[] | null;
  readonly delayed?: boolean; // whether the requests waited for their turns (ALG-C10); unset: both
  readonly from: readonly Network[] | null; // addresses of the clients
}

/** The word for an admitted request that waited for its turn, in sequences (ALG-C10). */
export const DELAYED = "delayed";

/** The word for a request without a response, in place of its status (LIM-C18). */
export const LOST = "lost";

export const formatStatus = (status: number): string => (isLost(status) ? LOST : String(status));

export const parseStatus = (text: string): number => (text === LOST ? NO_STATUS : Number(text));

/** The largest share of decisions that the specification may leave open before a comparison proves too little. */
export const MOST_OPEN_SHARE = 0.1;

/** A bound above `MOST_OPEN_SHARE`, for a scenario about decisions that the specification leaves open. */
export interface OpenBound {
  readonly atMost: number;
  readonly because: string;
}

/** Statuses or event names in order, with the number of equal neighbours: "5*200 3*429". */
export type Runs = readonly { readonly times: number; readonly what: string }[];

export type Comparison =
  | { readonly op: "equals"; readonly value: number }
  | { readonly op: "atLeast" | "atMost"; readonly value: number }
  | { readonly op: "between"; readonly from: number; readonly to: number };

/** Comparisons with the other variants of the scenario along one axis of the matrix. */
export type AcrossVariants =
  | { readonly op: "growsWith" | "constantIn"; readonly axis: string }
  | { readonly op: "lessThan"; readonly axis: string; readonly value: Json };

export type Quantity =
  | {
      readonly of: "storeOps" | "storeEntries" | "storeBytes";
      readonly per: "request" | "peak" | "total";
    }
  | { readonly of: "storeCommands"; readonly before: "answer" | "all"; readonly per: "request" };

export type Measure =
  | {
      readonly kind: "sequence";
      readonly filter: Filter;
      readonly equals: Runs | null;
      readonly agreeWith: "oracle" | null;
      readonly open?: OpenBound; // unset: MOST_OPEN_SHARE
    }
  | {
      readonly kind: "decisions";
      readonly filter: Filter;
      readonly agreeWith: "oracle";
      readonly open?: OpenBound;
    }
  | {
      readonly kind: "count";
      readonly filter: Filter;
      readonly comparison: Comparison;
      readonly among: Comparison | null;
    }
  | {
      readonly kind: "maxInAnyWindow";
      readonly filter: Filter;
      readonly windowUs: Micros;
      readonly comparison: Comparison;
    }
  | {
      readonly kind: "timeToAdmission"; // from the planned time to the response of the admitted attempt
      readonly filter: Filter; // selects first attempts
      readonly percentile: number | null; // null: every request is compared
      readonly comparison: Comparison; // in microseconds
    }
  | {
      readonly kind: "gaveUp"; // requests without an admitted attempt
      readonly filter: Filter; // selects first attempts
      readonly comparison: Comparison;
    }
  | {
      readonly kind: "events";
      readonly event: string;
      readonly key: string | null;
      readonly during: Filter["during"];
      readonly equals: Runs | null;
      readonly count: Comparison | null;
    }
  | {
      readonly kind: "gapBetween";
      readonly event: string;
      readonly key: string | null;
      readonly comparison: Comparison;
    } // microseconds
  | {
      readonly kind: "changeOf";
      readonly gauge: string;
      readonly key: string | null;
      readonly in: readonly number[];
    }
  | {
      readonly kind: "gauge";
      readonly gauge: string;
      readonly key: string | null;
      readonly stage: readonly string[] | null;
      readonly when: "always" | "never" | "eventually";
      readonly comparison: Comparison;
      readonly withinUs: Micros | null; // for `eventually`, from the start of the stage
      readonly sometimes: readonly number[]; // values that must occur
    }
  | {
      readonly kind: "quantity";
      readonly quantity: Quantity;
      readonly filter: Filter;
      readonly comparison: Comparison | AcrossVariants;
    }
  | {
      readonly kind: "response";
      readonly filter: Filter;
      readonly nth: number | "all" | "last"; // index among the selected ones, from 0
      readonly status: number | null;
      readonly headers: Readonly<Record<string, string | number | null>>; // null: the header must be absent
      readonly body: Json | null; // fields that the body must have
    }
  | {
      readonly kind: "answer"; // responses to management calls
      readonly call: readonly string[];
      readonly nth: number | "all" | "last";
      readonly status: number | null;
      readonly headers: Readonly<Record<string, string | number | null>>; // null: the header must be absent
      readonly body: Json | null; // fields that the body must have
    }
  | {
      readonly kind: "deliveries"; // attempts to deliver to webhooks
      readonly webhook: readonly string[] | null;
      readonly event: string | null; // glob that matches the event's name
      readonly url: string | null;
      readonly during: Filter["during"];
      readonly nth: number | "all" | "last"; // index among the selected ones, from 0
      readonly matches: Json | null; // fields that the attempt must have
      readonly count: Comparison | null;
      readonly ids: Comparison | null; // number of different deliveries among the attempts
    }
  | {
      readonly kind: "configuration";
      readonly level: "errors" | "warnings";
      readonly op: "equals" | "contains";
      readonly problems: readonly { readonly code: string; readonly path: string | null }[];
    }
  | { readonly kind: "invariant"; readonly rule: Invariant }
  | {
      readonly kind: "sameAs";
      readonly axis: string;
      readonly value: Json;
      readonly filter: Filter;
    };

export const INVARIANTS = [
  "requests",
  "responses",
  "bounds",
  "refusals",
  "allowance",
  "changes",
  "retry-after",
] as const;
/** A rule that holds in every run, for any configuration and any client. */
export type Invariant = (typeof INVARIANTS)[number];

export interface Expectation {
  readonly id: string;
  readonly line: number; // in the file
  readonly proves: readonly string[]; // the expectation's own requirements, else the scenario's
  readonly measure: Measure;
}
