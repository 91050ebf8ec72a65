// What a scenario expects: a measure of the history, and what it is compared with.
import { NO_STATUS, isLost } from "./history.ts";
import type { Micros } from "../../kit/units.ts";
import type { Network } from "./networks.ts";
import type { Json } from "../../kit/reading/shape.ts";

export interface Filter {
  readonly flow: readonly string[] | null;
  readonly as: readonly string[] | null;
  readonly api: readonly string[] | null;
  readonly endpoint: string | null; // "GET /path", as sent
  readonly status: readonly number[] | null;
  readonly stage: readonly string[] | null;
  readonly during: { readonly fromUs: Micros; readonly toUs: Micros } | null; // [from, to)
  readonly gateway: readonly number[] | null;
  readonly delayed?: boolean; // whether they waited for their turns (ALG-C10); left out: either
  readonly from: readonly Network[] | null; // addresses of the clients
}

/** In a sequence, an admitted request that waited for its turn (ALG-C10). */
export const DELAYED = "delayed";

/** In place of the status of a request that got no response (LIM-C18). */
export const LOST = "lost";

export const formatStatus = (status: number): string => (isLost(status) ? LOST : String(status));

export const parseStatus = (text: string): number => (text === LOST ? NO_STATUS : Number(text));

/** If the specification leaves open a larger share of the decisions, a comparison with it shows too little. */
export const MOST_OPEN_SHARE = 0.1;

/** A larger share, for a scenario whose subject leaves decisions open. */
export interface OpenBound {
  readonly atMost: number;
  readonly because: string;
}

/** "5*200 3*429": statuses or event names, run-length. */
export type Runs = readonly { readonly times: number; readonly what: string }[];

export type Comparison =
  | { readonly op: "equals"; readonly value: number }
  | { readonly op: "atLeast" | "atMost"; readonly value: number }
  | { readonly op: "between"; readonly from: number; readonly to: number };

/** Comparisons that look at the other variants of the scenario along one axis of the matrix. */
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
      readonly open?: OpenBound; // left out: MOST_OPEN_SHARE
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
      readonly kind: "timeToAdmission"; // from the planned time to the answer of the admitted attempt
      readonly filter: Filter; // of first attempts
      readonly percentile: number | null; // null: of every request
      readonly comparison: Comparison; // microseconds
    }
  | {
      readonly kind: "gaveUp"; // requests of which no attempt was admitted
      readonly filter: Filter; // of first attempts
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
      readonly withinUs: Micros | null; // eventually: from the stage's start
      readonly sometimes: readonly number[]; // values that must be seen
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
      readonly nth: number | "all" | "last"; // among the filtered, from 0
      readonly status: number | null;
      readonly headers: Readonly<Record<string, string | number | null>>; // null: absent
      readonly body: Json | null; // subset
    }
  | {
      readonly kind: "answer"; // to calls
      readonly call: readonly string[];
      readonly nth: number | "all" | "last";
      readonly status: number | null;
      readonly headers: Readonly<Record<string, string | number | null>>; // null: absent
      readonly body: Json | null; // subset
    }
  | {
      readonly kind: "deliveries"; // attempts, to webhooks
      readonly webhook: readonly string[] | null;
      readonly event: string | null; // a glob
      readonly url: string | null;
      readonly during: Filter["during"];
      readonly nth: number | "all" | "last"; // among the filtered, from 0
      readonly matches: Json | null; // subset
      readonly count: Comparison | null;
      readonly ids: Comparison | null; // of the deliveries that the attempts belong to
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
/** Holds in every run, for every configuration and every client. */
export type Invariant = (typeof INVARIANTS)[number];

export interface Expectation {
  readonly id: string;
  readonly line: number; // of the file
  readonly proves: readonly string[]; // its own, else the scenario's
  readonly measure: Measure;
}
