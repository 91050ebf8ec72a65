// An implementation as the site shows it.
import type { Manifest } from "../../../lab/implementations/manifest.ts";
import type { ForeignLimiter, LimitersPart } from "../../../lab/report/limiters.ts";
import type { BadgeCounts } from "./badge.ts";

export interface SiteImplementation {
  readonly id: string; // such as limits/moving-window
  readonly manifest: Manifest;
  readonly algorithm: string; // algorithm of its profile or model
  readonly profile: string | null;
  /** What its profile sets, by names of gateway options. */
  readonly options: readonly (readonly [name: string, value: string])[];
  readonly result: ImplementationResult | null; // null if no result is saved
}

/** The saved result of one implementation, as a document of its own. */
export interface ImplementationResult {
  readonly part: LimitersPart;
  readonly limiter: ForeignLimiter;
  readonly file: string;
  readonly counts: BadgeCounts;
}
