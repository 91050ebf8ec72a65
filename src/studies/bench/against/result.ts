// The document of a run of two versions.
import type { Factors, Control, Gate, BenchMetricName } from "../suite.ts";
import type { Better } from "../../../kit/stats/summary.ts";
import type { BenchRepeat, BenchRun } from "../result.ts";
import type { CompareWord } from "../compare/comparison.ts";
import type { PairVerdict } from "./pair-verdicts.ts";
import type { Boundary, Looks } from "./until.ts";

export const AGAINST_FORMAT = "weir-against/1";

/** One of the two versions, base or head. */
export interface Version {
  readonly path: string;
  readonly form: "source" | "dist";
  readonly commit: string | null; // null: no checkout
  readonly changed: boolean; // files differ from the commit
  readonly packages: Readonly<Record<string, string>>;
}

export type PairSide = "base" | "head";

/** One repeat of a process of a pair, or of a control that was measured after the pair. */
export interface PairRepeat extends BenchRepeat {
  readonly cell: string;
  readonly side: PairSide | null; // null: a control
  readonly pair: number;
  /** The number of the process, in the order of starts. */
  readonly start: number;
  /** The position of the repeat in the order of all repeats of its pair and round. */
  readonly turn: number;
  readonly isWarmUp: boolean; // excluded from medians and verdicts
  readonly lastedSeconds: number;
  readonly gatewayCpuUs: number | null;
  readonly loadCpuUs: number | null;
}

interface AgainstCell {
  readonly name: string;
  readonly factors: Factors | null;
  readonly control: Control | null;
}

export interface PairedGate extends Gate<BenchMetricName>, PairVerdict {
  readonly unit: string;
  readonly better: Better;
  /** The medians of all repeats, without warm-ups. */
  readonly base: number | null;
  readonly head: number | null;
  /** With --until: the number of pairs after which the gate was decided; null: it never was. */
  readonly decidedAt: number | null;
  readonly boundaries: readonly Boundary[];
}

export interface AgainstDesign {
  readonly pairs: number; // the maximum number of pairs
  readonly rounds: number; // of each pair, without the warm-up
  readonly minEffect: number;
  readonly alpha: number;
  readonly until: { readonly wanted: number; readonly looks: Looks } | null;
}

export interface AgainstResult extends BenchRun {
  readonly format: typeof AGAINST_FORMAT;
  readonly base: Version;
  readonly head: Version;
  readonly capacity: number | null;
  readonly design: AgainstDesign;
  readonly metrics: readonly BenchMetricName[];
  readonly cells: readonly AgainstCell[];
  /** The worst verdict of all gates. */
  readonly word: CompareWord;
  readonly gates: readonly PairedGate[];
  readonly pairs: number; // pairs that were measured completely
  readonly secondsAPair: number;
  /** Why no further pair was measured. */
  readonly ended: "all pairs" | "every gate is decided" | "interrupted" | "gone";
  readonly stopped: string | null; // null: the run was complete
  readonly warnings: readonly string[];
  readonly samples: string | null;
  readonly repeats: readonly PairRepeat[];
  /** A document without a footer is incomplete. */
  readonly footer: { readonly repeats: number; readonly errors: number };
}
