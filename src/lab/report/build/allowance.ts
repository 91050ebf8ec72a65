// The allowance of each smoothed budget, from its threshold to its rate and back.
import type { BudgetText, History } from "../../scenario/history.ts";
import type { Variant } from "../../scenario/types.ts";
import type { World } from "../../scenario/world.ts";
import type { StepLine, TimeFigure } from "../model-figures.ts";
import type { Bins } from "./bins.ts";
import { allowancesOf } from "./gauges.ts";
import type { TimeFrame } from "./setting.ts";
import { stepsOf } from "./steps.ts";

/** The chart of the allowances; null if none ever changed. */
export function allowanceFigure(
  variant: Variant,
  history: History,
  bins: Bins,
  setting: TimeFrame,
): TimeFigure | null {
  const { drawn, cut } = allowancesOf(history.gauges);
  if (!drawn.some(({ samples }) => samples.some(({ value }) => value !== samples[0]!.value)))
    return null;
  const names = new Set(drawn.map(({ samples }) => samples[0]!.budget));
  const texts = history.header.budgets.filter(({ name }) => names.has(name));
  return {
    kind: "time",
    shows: "allowance",
    title: `allowance${cut}`,
    unit: "requests per window",
    ...setting,
    bars: [],
    curves: [],
    lines: drawn.map(({ what, samples }) => stepsOf(what, samples, 1, bins)),
    limits: [
      ...level("threshold", thresholdsOf(variant, texts), bins),
      ...level(
        "rate",
        texts.map(({ rate }) => rate),
        bins,
      ),
    ],
    top: null,
  };
}

/** The most horizontal lines of one meaning that a reader can distinguish. */
const MOST_LEVELS = 3;

function level(what: string, values: readonly number[], { untilS }: Bins): readonly StepLine[] {
  const different = [...new Set(values)];
  return different.length > MOST_LEVELS
    ? []
    : different.map((value) => ({
        what: `${what} ${value}`,
        at: [0, untilS],
        values: [value, value],
      }));
}

/** The thresholds of limits whose rate and period are those of a budget: rate and smoothing are configured together. */
function thresholdsOf({ world, faults }: Variant, texts: readonly BudgetText[]): readonly number[] {
  const configured = [
    world.configuration,
    ...faults.map((fault) => (fault.kind === "configure" ? fault.configuration : null)),
  ].flatMap((configuration) => (configuration === null ? [] : limitsIn(configuration)));
  return configured.flatMap(({ rate, perUs, smoothing }) =>
    smoothing !== null && texts.some((text) => text.rate === rate && text.perUs === perUs)
      ? [smoothing.threshold]
      : [],
  );
}

type Configuration = NonNullable<World["configuration"]>;
type Policy = Configuration["policies"] extends ReadonlyMap<string, infer One> ? One : never;

const limitsIn = ({ keys, policies }: Configuration): readonly NonNullable<Policy["limit"]>[] =>
  [...keys.values(), ...policies.values()]
    .flatMap(({ limit, accessRights }) => [
      limit,
      ...[...(accessRights?.values() ?? [])].flatMap((right) => [
        right.limit,
        ...right.endpoints.map((endpoint) => endpoint.limit),
      ]),
    ])
    .filter((limit) => limit !== null);
