// Selects which variants run in real time, and which of them run together.
import { setImmediate } from "node:timers/promises";
import type { Offer } from "../drivers/driver.ts";
import { durationUs, reasonsAgainst, type RealTimeOptions } from "../drivers/support.ts";
import { applyClaims } from "../implementations/claimed.ts";
import type { JsonMap } from "../../kit/reading/shape.ts";
import { decode } from "../scenario/read/decode.ts";
import type { Scenario, Variant } from "../scenario/types.ts";
import { needsOtherVariants } from "./pipeline.ts";
import { rehearse } from "./rehearsal.node.ts";
import { selectSample } from "./sample.ts";
import { rulesReaderFor, traceReaderFor, type SourceFile } from "./scenario-files.node.ts";
import { selectVariants } from "./variant-patterns.ts";

export interface RealSelection {
  readonly offer: Offer;
  readonly settings: RealTimeOptions & {
    readonly seed: number;
    readonly only: readonly string[];
    readonly sample: number; // the most variants to run
    readonly model?: JsonMap | undefined;
  };
}

export interface SelectedScenario {
  readonly source: SourceFile;
  readonly scenario: Scenario;
  readonly selected: ReadonlySet<string>; // names of variants
}

export async function selectScenarios(
  { settings, offer }: RealSelection,
  sources: readonly SourceFile[],
  isOver: () => boolean, // whether the caller no longer needs the selection
): Promise<readonly SelectedScenario[]> {
  const all = sources.map((source): SelectedScenario => {
    const scenario = applyClaims(decodeScenario(source), settings.model ?? null);
    return { source, scenario, selected: selectVariants(scenario, settings.only) ?? new Set() };
  });
  if (settings.sample === Number.POSITIVE_INFINITY) return all;
  const candidates = all.flatMap(({ scenario, selected }) =>
    scenario.variants
      .filter(
        (variant) =>
          selected.has(variant.name) &&
          reasonsAgainst(offer, scenario, variant, settings).length === 0,
      )
      .map((variant) => ({ scenario, variant, durationUs: durationUs(variant) })),
  );
  const chosen = await selectSample(candidates, settings.sample, async ({ scenario, variant }) => {
    await setImmediate(); // lets a signal end the selection between two variants
    return isOver() ? "wrong" : rehearse(scenario, variant, settings.seed);
  });
  return all.map(({ source, scenario }) => ({
    source,
    scenario,
    selected: new Set(
      chosen.filter((one) => one.scenario === scenario).map(({ variant }) => variant.name),
    ),
  }));
}

/** Long variants start first, because a long one that starts last would run alone at the end. */
export function longestFirst(all: readonly SelectedScenario[]): readonly SelectedScenario[] {
  const longestUs = ({ scenario, selected }: SelectedScenario): number =>
    Math.max(
      0,
      ...scenario.variants.filter(({ name }) => selected.has(name)).map((each) => durationUs(each)),
    );
  return all
    .map((one) => ({ one, us: longestUs(one) }))
    .toSorted((a, b) => b.us - a.us)
    .map(({ one }) => one);
}

function decodeScenario({ file, text }: SourceFile): Scenario {
  const { scenario } = decode(file, text, traceReaderFor(file), rulesReaderFor(file));
  if (scenario === null) throw new Error(`${file} has problems that were not reported`);
  return scenario;
}

/** All variants if a selected one is compared with others, else only the selected variants. */
export const variantsToRun = (
  { variants }: Scenario,
  selected: ReadonlySet<string>,
): readonly Variant[] =>
  variants.some((variant) => selected.has(variant.name) && needsOtherVariants(variant))
    ? variants
    : variants.filter(({ name }) => selected.has(name));

/** Separates variants, so that each can be repeated alone, unless an expectation compares them. */
export function variantsApart(one: SelectedScenario): readonly SelectedScenario[] {
  const own = one.scenario.variants.filter(({ name }) => one.selected.has(name));
  return own.some(needsOtherVariants)
    ? [one]
    : own.map(({ name }) => ({ ...one, selected: new Set([name]) }));
}

/** Whether every verdict is decided even if requests are late. */
export async function areDecidedLate(
  { scenario, selected }: SelectedScenario,
  seed: number,
): Promise<boolean> {
  for (const variant of scenario.variants)
    if (selected.has(variant.name) && (await rehearse(scenario, variant, seed)) !== "decided")
      return false;
  return true;
}
