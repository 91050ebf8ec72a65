// The document of `weir implementations run`: verdicts, with everything that they depend on.
import { VERDICTS, type ImplementationVerdict, type JudgedBehaviour } from "./verdict.ts";

export const IMPLEMENTATIONS_RUN_FORMAT = "weir-implementations-run/1";

export interface ImplementationsRun {
  readonly format: typeof IMPLEMENTATIONS_RUN_FORMAT;
  readonly weir: string; // its version
  readonly commit: string | null;
  readonly date: string; // ISO 8601
  readonly seed: number;
  readonly behaviours: readonly { readonly id: string; readonly title: string }[];
  readonly implementations: readonly ImplementationRun[];
  readonly footer: RunFooter;
}

export interface ImplementationRun {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly kind: string;
  readonly clock: string;
  /** Why nothing was run; null: it was. */
  readonly missing: string | null;
  readonly verdicts: readonly JudgedBehaviour[];
}

export interface RunFooter extends Readonly<Record<ImplementationVerdict, number>> {
  readonly run: number;
  readonly notRun: number;
}

export function footerOf(implementations: readonly ImplementationRun[]): RunFooter {
  const all = implementations.flatMap(({ verdicts }) => verdicts);
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, all.filter((each) => each.verdict === verdict).length]),
  ) as Record<ImplementationVerdict, number>;
  const notRun = implementations.filter(({ missing }) => missing !== null).length;
  return { ...counts, run: implementations.length - notRun, notRun };
}

/** The same for one implementation alone, as it is saved. */
export function documentOf(
  run: ImplementationsRun,
  implementation: ImplementationRun,
): ImplementationsRun {
  const implementations = [implementation];
  return { ...run, implementations, footer: footerOf(implementations) };
}
