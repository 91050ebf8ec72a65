// The playground without YAML: a few numbers and names become the scenario that `weir try` would run for them.
import { ALGORITHMS, readsBurst, TRAITS, type Algorithm } from "../../limiter/core/algorithms.ts";
import { micros, SECOND } from "../../kit/units.ts";
import { formatTry } from "../../studies/try/as-scenario.ts";
import { POPULATION_NAMES, type PopulationName } from "../../studies/try/populations.ts";
import type { TriedLimiter } from "../../studies/try/question.ts";
import { behaviourCalled, TRY_RETRIES, type TryRetry } from "../../studies/try/retries.ts";
import { limitText } from "../../studies/replay/candidates.ts";
import { PROFILE_NAMES, PROFILES } from "../../limiter/spec/profiles.ts";

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

/** A limit that changes during the run. */
export interface FormChange {
  readonly at: string; // as in the text
  readonly rate: number;
}

/** The state of all controls of the form, and what a reader lets happen during the run. */
export interface FormState {
  readonly numbers: FormNumbers;
  readonly names: FormNames;
  readonly faults: readonly string[]; // items as in the text
  readonly changes: readonly FormChange[];
}

export const USUAL_STATE: FormState = {
  numbers: Object.fromEntries(FORM_NUMBERS.map(({ name, usual }) => [name, usual])) as FormNumbers,
  names: Object.fromEntries(FORM_CHOICES.map(({ name, usual }) => [name, usual])) as FormNames,
  faults: [],
  changes: [],
};

/** Which fields change something: an input that both limiters ignore is not shown. */
export function fieldsInUse({
  names,
  faults,
}: Pick<FormState, "faults" | "names">): ReadonlySet<keyof FormNumbers> {
  const limiters = [names.first, names.second];
  const algorithms = limiters.map(algorithmOf);
  const used = new Set(FORM_NUMBERS.map(({ name }) => name));
  // A profile has a burst of its own.
  if (!limiters.some((name) => readsBurst(ALGORITHMS.find((each) => each === name) ?? null)))
    used.delete("burst");
  // One store counts for all gateways, unless each counts its share or one of them fails.
  const isShared = algorithms.every((each) => each === null || TRAITS[each].place === "store");
  if (isShared && faults.length === 0) used.delete("gateways");
  return used;
}

function algorithmOf(limiter: string): Algorithm | null {
  const profile = Object.entries(PROFILES).find(([name]) => name === limiter)?.[1];
  const name = profile === undefined ? limiter : profile.options["algorithm" as keyof object];
  return ALGORITHMS.find((each) => each === name) ?? null;
}

const EVERY = micros(10 * SECOND);

/** A scenario with one variant for each limiter. */
export function formScenario({
  numbers,
  names,
  faults = [],
  changes = [],
}: Pick<FormState, "names" | "numbers"> & Partial<FormState>): string {
  const limit = { rate: numbers.rate, perUs: micros(numbers.per * SECOND) };
  const limiters = [...new Set([names.first, names.second])].map((name) =>
    limiterCalled(name, numbers.burst),
  );
  const retry = names.retry as TryRetry;
  const text = formatTry(
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
  const injected =
    faults.length === 0 ? "" : `faults:\n${faults.map((each) => `  - ${each}\n`).join("")}`;
  const policy = encodeURIComponent(limitText(limit));
  const calls = changes.map(
    ({ at, rate }, index) =>
      `  - { at: ${at}, name: change ${index + 1}, call: PUT api/portal/policies/${policy}, body: { rate: ${rate} } }\n`,
  );
  return text
    .replace(/^expect:$/m, () => `${injected}expect:`)
    .replace(/^traffic:\n/m, () => `traffic:\n${calls.join("")}`);
}

function limiterCalled(name: string, burst: number): TriedLimiter {
  const algorithm = ALGORITHMS.find((each) => each === name);
  if (algorithm === undefined) return { kind: "profile", name, burst: null };
  return { kind: "algorithm", name, burst: readsBurst(algorithm) && burst > 1 ? burst : null };
}
