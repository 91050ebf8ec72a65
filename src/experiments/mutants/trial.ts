// One scenario against every mutant. Whatever is the same as with the reference is not judged again: a
// mutant whose function was never called, and one whose history came out equal.
import { checkAcross, isAcross, type Run } from "../../check/across.ts";
import { checkVariant } from "../../check/run.ts";
import type { GaugeSample, History, Requests } from "../../scenario/history.ts";
import { plan } from "../../scenario/plan/plan.ts";
import { readConfiguration } from "../../world/read.ts";
import { decode } from "../../scenario/read/decode.ts";
import type { TraceFileReader } from "../../scenario/read/trace.ts";
import type { Expectation, Plan, Scenario, Variant } from "../../scenario/types.ts";
import type { Verdict } from "../../scenario/verdict.ts";
import type { NamedMutant } from "./mutant.ts";
import { under, watched, type IsEqual, type Watched } from "./switchboard.ts";

export interface Assertion {
  readonly id: string;
  readonly line: number;
  readonly killed: readonly string[]; // mutants, in the order of the catalogue
}

export interface Trial {
  readonly scenario: string;
  readonly file: string;
  readonly assertions: readonly Assertion[];
  readonly untouched: number; // mutants whose function no variant called
  readonly alike: number; // mutants that would have answered every call as the reference does
  readonly same: number; // mutants that were called and changed nothing
  readonly differing: number;
  /** What must never be: the reference failing, differing from itself, or a mutant that throws. */
  readonly faults: readonly string[];
}

type Touches = Omit<Watched<unknown>, "value">;

interface Reference extends Touches {
  readonly read: Touches; // the reader of its configurations
  readonly variant: Variant;
  readonly plan: Plan;
  readonly history: History;
}

export interface TrialOptions {
  readonly beside: TraceFileReader;
  readonly seed: number;
  readonly mutants: readonly NamedMutant[];
  /** Which assertions each mutant is known to fail: nothing else is tried. Null: everything is. */
  readonly known: Known | null;
  /** Plays those who get the same answers as well: nothing is taken as equal that was not seen to be. */
  readonly isThorough: boolean;
  readonly isEqual: IsEqual;
  readonly play: Play;
}

/** Mutant -> assertions of this scenario. */
export type Known = ReadonlyMap<string, ReadonlySet<string>>;

export type Play = (variant: Variant, plan: Plan) => Promise<History>;

export async function trial(file: string, text: string, options: TrialOptions): Promise<Trial> {
  const { beside, seed, known, isThorough, isEqual, play } = options;
  const mutants = options.mutants.filter(({ name }) => known === null || known.has(name));
  const asked = isThorough ? [] : mutants;
  const { scenario } = decode(file, text, beside);
  if (scenario === null) throw new Error(`${file} has faults: weir run ${file} tells them`);
  const references: Reference[] = [];
  for (const variant of scenario.variants) {
    const own = plan(variant, scenario.id, seed);
    const read = await watched(asked, isEqual, () => readAgain(variant));
    const { value, ...touches } = await watched(asked, isEqual, () => play(variant, own));
    references.push({ read, variant, plan: own, history: value, ...touches });
  }
  const faults: string[] = [];
  const verdicts = [
    ...references.flatMap(({ variant, history }) => checkVariant(variant, history)),
    ...checkAcross(scenario, references),
  ];
  for (const { expectation, outcome } of verdicts)
    if (outcome !== "pass") faults.push(`the reference: "${expectation}" is ${outcome}`);

  const killed = new Map<number, Set<string>>();
  const counts = { untouched: 0, alike: 0, same: 0, differing: 0 };
  for (const mutant of mutants) {
    try {
      const tried = await tryOne(mutant, scenario, references, { known, isEqual, play });
      counts[tried.kind]++;
      for (const line of tried.failed)
        killed.set(line, (killed.get(line) ?? new Set()).add(mutant.name));
    } catch (error) {
      faults.push(
        `${mutant.name} throws: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  for (const { variant, plan: own, history } of references)
    if (!isSame(await play(variant, own), history, isEqual))
      faults.push(`the reference differs from itself after the mutants: ${variant.name}`);
  return {
    scenario: scenario.id,
    file,
    assertions: assertionsOf(scenario).map(({ id, line }) => ({
      id,
      line,
      killed: [...(killed.get(line) ?? [])],
    })),
    ...counts,
    faults,
  };
}

interface Tried {
  readonly kind: "untouched" | "alike" | "same" | "differing";
  readonly failed: ReadonlySet<number>; // lines of expectations
}

type Given = Pick<TrialOptions, "known" | "isEqual" | "play">;

async function tryOne(
  mutant: NamedMutant,
  scenario: Scenario,
  references: readonly Reference[],
  given: Given,
): Promise<Tried> {
  const met = references.flatMap((reference) => [reference.read, reference]);
  if (!met.some(({ isCalledBy }) => isCalledBy(mutant)))
    return { kind: "untouched", failed: new Set() };
  if (!met.some(({ isTouchedBy }) => isTouchedBy(mutant)))
    return { kind: "alike", failed: new Set() };
  const asked = given.known?.get(mutant.name);
  const isAsked = ({ id }: Expectation): boolean => asked?.has(id) ?? true;
  const isCompared = scenario.variants.some(({ expectations }) =>
    expectations.some((expectation) => isOfSeveral(expectation) && isAsked(expectation)),
  );
  const isAskedOf = ({ expectation }: Verdict): boolean => asked?.has(expectation) ?? true;
  const failed = new Set<number>();
  const runs: Run[] = [];
  let kind: Tried["kind"] = "same";
  for (const reference of references) {
    // Whoever has failed in one variant has failed: only a comparison needs the others as well.
    const open = reference.variant.expectations.filter(
      (expectation) => isAsked(expectation) && !failed.has(expectation.line),
    );
    if (open.length === 0 && !isCompared) continue;
    const run = await playedUnder(mutant, reference, given);
    runs.push(run ?? reference);
    if (run === null) continue;
    kind = "differing";
    for (const line of failedIn(checkVariant({ ...run.variant, expectations: open }, run.history)))
      failed.add(line);
  }
  if (kind === "differing" && isCompared)
    for (const line of failedIn(checkAcross(scenario, runs).filter(isAskedOf))) failed.add(line);
  return { kind, failed };
}

/** Null where it comes out as with the reference. */
async function playedUnder(
  mutant: NamedMutant,
  reference: Reference,
  { isEqual, play }: Given,
): Promise<Run | null> {
  const isRead = reference.read.isTouchedBy(mutant);
  const variant = isRead
    ? await under(mutant, () => readAgain(reference.variant))
    : reference.variant;
  const isAlike =
    variant === reference.variant ||
    (isEqual(variant.world, reference.variant.world) &&
      isEqual(variant.faults, reference.variant.faults));
  if (isAlike && !reference.isTouchedBy(mutant)) return null;
  const history = await under(mutant, () => play(variant, reference.plan));
  if (
    isSame(history, reference.history, isEqual) &&
    (isAlike || isEqual(variant.world.problems, reference.variant.world.problems))
  )
    return null;
  // What the text demands is read by the reference; what the gateway said of its configuration is not.
  const { problems } = variant.world;
  return {
    variant: { ...reference.variant, world: { ...reference.variant.world, problems } },
    history,
  };
}

const failedIn = (verdicts: readonly Verdict[]): readonly number[] =>
  verdicts.filter(({ outcome }) => outcome === "fail").map(({ line }) => line);

const isOfSeveral = ({ measure }: Expectation): boolean => isAcross(measure);

/** Most of a history are samples and columns, so plain that a loop compares them many times faster than anything general. */
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

/** Bit by bit, all of them as one kind: a loop that meets several is slow for all. */
function isSameColumn(one: Column, other: Column): boolean {
  const bits = bitsOf(one);
  const others = bitsOf(other);
  for (let at = 0; at < bits.length; at++) if (bits[at] !== others[at]) return false;
  // What is left of narrow ones.
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

/** Mutants replace what reads a configuration, and nothing that reads the rest of a scenario. */
function readAgain(variant: Variant): Variant {
  const { world } = variant;
  const { configuration, problems, credentials } = readConfiguration(world.raw);
  const known = new Map([...world.credentials, ...credentials]);
  const isBroken = configuration === null && world.configuration !== null;
  if (isBroken) throw new Error("the configuration can't be read any more");
  return {
    ...variant,
    world: {
      ...world,
      configuration: world.configuration === null ? null : configuration,
      problems,
      credentials: known,
    },
    faults: variant.faults.map((fault) => {
      if (fault.kind !== "configure") return fault;
      const next = readConfiguration(fault.raw).configuration;
      if (next === null) throw new Error("a later configuration can't be read any more");
      return { ...fault, configuration: next };
    }),
  };
}

/** Each expectation once, however many variants it holds in. */
const assertionsOf = ({
  variants,
}: Scenario): readonly { readonly id: string; readonly line: number }[] => [
  ...new Map(
    variants
      .flatMap(({ expectations }) => expectations)
      .toSorted((a, b) => a.line - b.line)
      .map(({ id, line }) => [line, { id, line }]),
  ).values(),
];
