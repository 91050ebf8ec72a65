// The playground without YAML: a few numbers and names become the scenario that `weir try` would run for them.
import { ALGORITHMS, readsBurst } from "../../limiter/core/algorithms.ts";
import { micros, SECOND } from "../../kit/units.ts";
import { formatTry } from "../../studies/try/as-scenario.ts";
import { POPULATION_NAMES, type PopulationName } from "../../studies/try/populations.ts";
import type { TriedLimiter } from "../../studies/try/question.ts";
import { behaviourCalled, TRY_RETRIES, type TryRetry } from "../../studies/try/retries.ts";
import { PROFILE_NAMES } from "../../limiter/spec/profiles.ts";

export interface FormNumber {
  readonly name: string;
  readonly label: string;
  readonly unit: string; // written after the value
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly usual: number;
}

export interface FormChoice {
  readonly name: string;
  readonly label: string;
  readonly groups: readonly {
    readonly title: string | null;
    readonly names: readonly string[];
  }[];
  readonly usual: string;
}

const LIMITERS: FormChoice["groups"] = [
  { title: "algorithms", names: ALGORITHMS },
  { title: "other people's limiters", names: PROFILE_NAMES },
];

export const FORM_CHOICES = [
  { name: "first", label: "Limiter", groups: LIMITERS, usual: "fixed_window" },
  { name: "second", label: "compared with", groups: LIMITERS, usual: "token_bucket" },
  {
    name: "population",
    label: "Requests come",
    groups: [{ title: null, names: POPULATION_NAMES }],
    usual: "random",
  },
  {
    name: "retry",
    label: "When refused",
    groups: [{ title: null, names: TRY_RETRIES }],
    usual: "none",
  },
] as const satisfies readonly FormChoice[];

/** The ranges allow at most 18,000 requests a variant (20 clients, one a scraper), so a run keeps up with dragging. */
export const FORM_NUMBERS = [
  { name: "rate", label: "Rate", unit: "requests", least: 1, most: 100, step: 1, usual: 10 },
  { name: "per", label: "per", unit: "s", least: 1, most: 60, step: 1, usual: 5 },
  {
    name: "burst",
    label: "Burst",
    unit: "(gcra)",
    least: 1,
    most: 50,
    step: 1,
    usual: 1,
  },
  { name: "clients", label: "Clients", unit: "", least: 1, most: 20, step: 1, usual: 5 },
  {
    name: "each",
    label: "Each sends",
    unit: "per s",
    least: 0.5,
    most: 5,
    step: 0.5,
    usual: 2.5,
  },
  {
    name: "atOnce",
    label: "and at once",
    unit: "per 10 s",
    least: 0,
    most: 50,
    step: 1,
    usual: 5,
  },
  { name: "gateways", label: "Gateways", unit: "", least: 1, most: 8, step: 1, usual: 1 },
  { name: "seconds", label: "For", unit: "s", least: 10, most: 60, step: 5, usual: 30 },
] as const satisfies readonly FormNumber[];

export type FormNumbers = Readonly<Record<(typeof FORM_NUMBERS)[number]["name"], number>>;
export type FormNames = Readonly<Record<(typeof FORM_CHOICES)[number]["name"], string>>;

/** The state of all controls of the form. */
export interface FormState {
  readonly numbers: FormNumbers;
  readonly names: FormNames;
}

/** Reads the state from an address, which may contain anything. Null if the form cannot show it. */
export function formStateIn(value: unknown): FormState | null {
  const { numbers, names } = (value ?? {}) as Readonly<
    Partial<Record<keyof FormState, Readonly<Record<string, unknown>> | null>>
  >;
  const isPosition = FORM_NUMBERS.every(({ name, least, most, step }) => {
    const number = numbers?.[name];
    if (typeof number !== "number" || number < least || number > most) return false;
    return Number.isInteger((number - least) / step);
  });
  const isChoice = FORM_CHOICES.every(({ name, groups }) =>
    groups.some((group) => (group.names as readonly unknown[]).includes(names?.[name])),
  );
  if (!isPosition || !isChoice) return null;
  return {
    numbers: Object.fromEntries(
      FORM_NUMBERS.map(({ name }) => [name, numbers![name]]),
    ) as FormNumbers,
    names: Object.fromEntries(FORM_CHOICES.map(({ name }) => [name, names![name]])) as FormNames,
  };
}

const EVERY = micros(10 * SECOND);

/** A scenario with one variant for each limiter. */
export function formScenario({ numbers, names }: FormState): string {
  const limit = { rate: numbers.rate, perUs: micros(numbers.per * SECOND) };
  const limiters = [...new Set([names.first, names.second])].map((name) =>
    limiterCalled(name, numbers.burst),
  );
  const retry = names.retry as TryRetry;
  return formatTry(
    {
      clients: numbers.clients,
      population: names.population as PopulationName,
      rate: numbers.each,
      bursts:
        numbers.atOnce === 0
          ? null
          : { count: numbers.atOnce, everyUs: EVERY, jitterUs: micros(0), isTogether: true },
      retries: [{ name: retry, behaviour: behaviourCalled(retry, limit) }],
      isSequential: false,
      perAddress: null,
      forUs: micros(numbers.seconds * SECOND),
      gateways: numbers.gateways,
      limits: [limit],
      limiters,
    },
    micros(0),
    null,
  );
}

function limiterCalled(name: string, burst: number): TriedLimiter {
  const algorithm = ALGORITHMS.find((each) => each === name);
  if (algorithm === undefined) return { kind: "profile", name, burst: null };
  return { kind: "algorithm", name, burst: readsBurst(algorithm) && burst > 1 ? burst : null };
}
