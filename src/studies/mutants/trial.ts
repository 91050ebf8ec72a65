// Runs one scenario against every mutant. If the function of a mutant is never called, or its history equals the
// original's, no expectation can fail, so none is checked.
import { checkAcross, isAcross, type AcrossRun } from "../../lab/check/across.ts";
import { checkVariant } from "../../lab/check/run.ts";
import type { GaugeSample, History, Requests } from "../../lab/scenario/history.ts";
import { plan } from "../../lab/scenario/plan/plan.ts";
import { readConfiguration } from "../../limiter/world/read.ts";
import { withCostHeader } from "../../lab/scenario/read/costs.ts";
import { decode } from "../../lab/scenario/read/decode.ts";
import type { TraceFileReader } from "../../lab/scenario/read/trace.ts";
import type { Expectation, Plan, Scenario, Variant } from "../../lab/scenario/types.ts";
import type { Verdict } from "../../lab/scenario/verdict.ts";
import type { NamedMutant } from "./mutant.ts";
import { runUnder, watchRun, type IsEqual, type WatchedRun } from "./switchboard.ts";

interface ExpectationTrial {
  readonly id: string;
  readonly line: number;
  readonly killed: readonly string[]; // names of mutants, in the order of the catalogue
}

export interface MutantTrial {
  readonly scenario: string;
  readonly file: string;
  readonly assertions: readonly ExpectationTrial[];
  readonly untouched: number; // mutants whose function no variant called
  readonly alike: number; // mutants that would have returned the original's result in every call
  readonly same: number; // mutants that ran and left every history unchanged
  readonly differing: number;
  /** Problems of the suite: the original fails, two runs of the original differ, or a mutant throws. */
  readonly faults: readonly string[];
}

type Touches = Omit<WatchedRun<unknown>, "value">;

interface Reference extends Touches {
  readonly read: Touches; // the same for reading the configurations of the variant
  readonly variant: Variant;
  readonly plan: Plan;
  readonly history: History;
}

interface TrialOptions {
  readonly readTraceFile: TraceFileReader;
  readonly seed: number;
  readonly mutants: readonly NamedMutant[];
  /** The expectations that each mutant is known to fail; only these are checked. Null: all are checked. */
  readonly knownKills: KnownKills | null;
  /** Also runs mutants whose function returned the original's result in every call. */
  readonly isThorough: boolean;
  readonly isEqual: IsEqual;
  readonly run: RunVariant;
}

/** The expectations of one scenario that each mutant fails, by mutant. */
export type KnownKills = ReadonlyMap<string, ReadonlySet<string>>;

export type RunVariant = (variant: Variant, plan: Plan) => Promise<History>;

export async function trial(
  file: string,
  text: string,
  options: TrialOptions,
): Promise<MutantTrial> {
  const { readTraceFile, seed, knownKills, isThorough, isEqual, run } = options;
  const mutants = options.mutants.filter(({ name }) => knownKills === null || knownKills.has(name));
  const watchedMutants = isThorough ? [] : mutants;
  const { scenario } = decode(file, text, readTraceFile);
  if (scenario === null) throw new Error(`${file} has errors; weir run ${file} lists them`);
  const references: Reference[] = [];
  for (const variant of scenario.variants) {
    const own = plan(variant, scenario.id, seed);
    const read = await watchRun(watchedMutants, isEqual, () => readAgain(variant));
    const { value, ...touches } = await watchRun(watchedMutants, isEqual, () => run(variant, own));
    references.push({ read, variant, plan: own, history: value, ...touches });
  }
  const problems: string[] = [];
  const verdicts = [
    ...references.flatMap(({ variant, history }) => checkVariant(variant, history)),
    ...checkAcross(scenario, references),
  ];
  for (const { expectation, outcome } of verdicts)
    if (outcome !== "pass") problems.push(`the original: "${expectation}" is ${outcome}`);

  const killed = new Map<number, Set<string>>();
  const counts = { untouched: 0, alike: 0, same: 0, differing: 0 };
  for (const mutant of mutants) {
    try {
      const result = await tryOne(mutant, scenario, references, { knownKills, isEqual, run });
      counts[result.kind]++;
      for (const line of result.failed)
        killed.set(line, (killed.get(line) ?? new Set()).add(mutant.name));
    } catch (error) {
      problems.push(
        `${mutant.name} throws: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  for (const { variant, plan: own, history } of references)
    if (!isSame(await run(variant, own), history, isEqual))
      problems.push(`the original differs from itself after the mutants: ${variant.name}`);
  return {
    scenario: scenario.id,
    file,
    assertions: expectationsOf(scenario).map(({ id, line }) => ({
      id,
      line,
      killed: [...(killed.get(line) ?? [])],
    })),
    ...counts,
    faults: problems,
  };
}

interface MutantResult {
  readonly kind: "untouched" | "alike" | "same" | "differing";
  readonly failed: ReadonlySet<number>; // lines of the failed expectations
}

type RunOptions = Pick<TrialOptions, "knownKills" | "isEqual" | "run">;

async function tryOne(
  mutant: NamedMutant,
  scenario: Scenario,
  references: readonly Reference[],
  options: RunOptions,
): Promise<MutantResult> {
  const met = references.flatMap((reference) => [reference.read, reference]);
  if (!met.some(({ isCalledBy }) => isCalledBy(mutant)))
    return { kind: "untouched", failed: new Set() };
  if (!met.some(({ isTouchedBy }) => isTouchedBy(mutant)))
    return { kind: "alike", failed: new Set() };
  const ids = options.knownKills?.get(mutant.name);
  const isTried = ({ id }: Expectation): boolean => ids?.has(id) ?? true;
  const isCompared = scenario.variants.some(({ expectations }) =>
    expectations.some((expectation) => isOfSeveral(expectation) && isTried(expectation)),
  );
  const isVerdictTried = ({ expectation }: Verdict): boolean => ids?.has(expectation) ?? true;
  const failed = new Set<number>();
  const runs: AcrossRun[] = [];
  let kind: MutantResult["kind"] = "same";
  for (const reference of references) {
    // An expectation that failed in one variant is not checked again; only comparisons of variants need all runs.
    const open = reference.variant.expectations.filter(
      (expectation) => isTried(expectation) && !failed.has(expectation.line),
    );
    if (open.length === 0 && !isCompared) continue;
    const run = await runUnderMutant(mutant, reference, options);
    runs.push(run ?? reference);
    if (run === null) continue;
    kind = "differing";
    for (const line of linesOfFailures(
      checkVariant({ ...run.variant, expectations: open }, run.history),
    ))
      failed.add(line);
  }
  if (kind === "differing" && isCompared)
    for (const line of linesOfFailures(checkAcross(scenario, runs).filter(isVerdictTried)))
      failed.add(line);
  return { kind, failed };
}

/** Returns the run under a mutant; null if it equals the run of the original. */
async function runUnderMutant(
  mutant: NamedMutant,
  reference: Reference,
  { isEqual, run }: RunOptions,
): Promise<AcrossRun | null> {
  const isRead = reference.read.isTouchedBy(mutant);
  const variant = isRead
    ? await runUnder(mutant, () => readAgain(reference.variant))
    : reference.variant;
  const isAlike =
    variant === reference.variant ||
    (isEqual(variant.world, reference.variant.world) &&
      isEqual(variant.faults, reference.variant.faults));
  if (isAlike && !reference.isTouchedBy(mutant)) return null;
  const history = await runUnder(mutant, () => run(variant, reference.plan));
  if (
    isSame(history, reference.history, isEqual) &&
    (isAlike || isEqual(variant.world.problems, reference.variant.world.problems))
  )
    return null;
  // The expectations are read by the original; only problems of the configuration come from the mutant.
  const { problems } = variant.world;
  return {
    variant: { ...reference.variant, world: { ...reference.variant.world, problems } },
    history,
  };
}

const linesOfFailures = (verdicts: readonly Verdict[]): readonly number[] =>
  verdicts.filter(({ outcome }) => outcome === "fail").map(({ line }) => line);

const isOfSeveral = ({ measure }: Expectation): boolean => isAcross(measure);

/** Compares histories. They are mostly columns, which a simple loop compares many times faster than `isEqual`. */
const isSame = (
  { gauges, requests, ...one }: History,
  { gauges: otherGauges, requests: otherRequests, ...other }: History,
  isEqual: IsEqual,
): boolean =>
  gauges.length === otherGauges.length &&
  gauges.every((sample, index) => isSameSample(sample, otherGauges[index]!)) &&
  isSameTable(requests, otherRequests) &&
  isEqual(one, other);

function isSameTable(
  { length, ...columns }: Requests,
  { length: otherLength, ...others }: Requests,
): boolean {
  const names = Object.keys(columns) as (keyof typeof columns)[];
  return length === otherLength && names.every((name) => isSameColumn(columns[name], others[name]));
}

type Column = Exclude<Requests[keyof Requests], number>;

/** Compares columns bit by bit, all as one array type: a loop over several array types is slow for each of them. */
function isSameColumn(one: Column, other: Column): boolean {
  const bits = bitsOf(one);
  const others = bitsOf(other);
  for (let at = 0; at < bits.length; at++) if (bits[at] !== others[at]) return false;
  // Compares the last items of narrow columns, which fill no 32 bits.
  const from = (bits.length * Uint32Array.BYTES_PER_ELEMENT) / one.BYTES_PER_ELEMENT;
  for (let at = from; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

const bitsOf = ({ buffer, byteOffset, byteLength }: Column): Uint32Array =>
  new Uint32Array(buffer, byteOffset, Math.floor(byteLength / Uint32Array.BYTES_PER_ELEMENT));

const isSameSample = (one: GaugeSample, other: GaugeSample): boolean =>
  one.gauge === other.gauge &&
  one.atUs === other.atUs &&
  one.key === other.key &&
  one.budget === other.budget &&
  one.gateway === other.gateway &&
  one.value === other.value;

/** Reads only the configuration again, because mutants replace no functions that read the rest of a scenario. */
function readAgain(variant: Variant): Variant {
  const { world } = variant;
  const { configuration, problems, credentials } = readConfiguration(world.raw);
  const costHeader = world.configuration?.options.costHeader ?? null;
  const allCredentials = new Map([...world.credentials, ...credentials]);
  const isBroken = configuration === null && world.configuration !== null;
  if (isBroken) throw new Error("the configuration can't be read any more");
  return {
    ...variant,
    world: {
      ...world,
      configuration:
        world.configuration === null || configuration === null
          ? null
          : withCostHeader(configuration, costHeader),
      problems,
      credentials: allCredentials,
    },
    faults: variant.faults.map((fault) => {
      if (fault.kind !== "configure") return fault;
      const next = readConfiguration(fault.raw, [], {
        keepsDangling: "policies",
      }).configuration;
      if (next === null) throw new Error("a later configuration can't be read any more");
      return { ...fault, configuration: withCostHeader(next, costHeader) };
    }),
  };
}

/** Each expectation once, even if several variants have it. */
const expectationsOf = ({
  variants,
}: Scenario): readonly { readonly id: string; readonly line: number }[] => [
  ...new Map(
    variants
      .flatMap(({ expectations }) => expectations)
      .toSorted((a, b) => a.line - b.line)
      .map(({ id, line }) => [line, { id, line }]),
  ).values(),
];
