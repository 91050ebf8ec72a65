// What the random configurations of several programs have in common.
import { rng, type Rng } from "../../kit/chance/rng.ts";
import { isFailure } from "../../kit/reading/failure.ts";
import type { ConfigurationReader, ReadConfiguration } from "../../lab/implementations/reading.ts";
import { SOMEWHERE } from "../../lab/implementations/translation.ts";
import { factsOf, type DrawnConfiguration } from "./drawn-configuration.ts";

export const pick = <T>(random: Rng, all: readonly T[]): T => all[random.int(all.length)]!;

export const chance = (random: Rng, share: number): boolean => random.next() < share;

export const indent = (lines: readonly string[], columns: number): string =>
  lines
    .join("\n")
    .split("\n")
    .map((line) => " ".repeat(columns) + line)
    .join("\n");

const REQUESTS = 80;
const LONGEST_US = 3_000_000;

/** Times of bursts and of single requests. */
export function drawTimes(random: Rng): readonly number[] {
  let atUs = 0;
  return Array.from({ length: REQUESTS }, () => {
    if (!chance(random, 0.6))
      atUs += Math.round((2 * LONGEST_US * random.next()) / (0.4 * REQUESTS) / 2);
    return atUs;
  });
}

const MOST_DRAWS = 100;

/** Draws until the reader understands each line, because elsewhere its rules may be wrong. */
export function drawUnderstood(
  seed: number,
  reader: ConfigurationReader,
  drawOne: (random: Rng) => DrawnConfiguration,
  maySpendTwice = false,
): DrawnConfiguration {
  const random = rng(seed, `configurations of ${reader.kind}`);
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const drawn = drawOne(random.split(`${draw}`));
    const text = drawn.filesAt({ ...SOMEWHERE, variant: null })[drawn.main]!;
    const read = reader.read({ file: drawn.main, text }, () => [], drawn.values ?? new Map());
    if (isFailure(read)) throw new Error(read.message);
    const isOpen =
      read.statements.some(({ role }) => role === "not understood") ||
      read.questions.some(({ isSet }) => !isSet);
    if (isOpen || (!maySpendTwice && spendsTwice(read, drawn))) continue;
    if (countRefusable(read, drawn) >= LEAST_REFUSABLE) return drawn;
  }
  throw new Error(`no configuration of seed ${seed} is understood`);
}

/** How many requests of a drawn configuration meet a limit. */
const LEAST_REFUSABLE = 20;

const countRefusable = ({ rules }: ReadConfiguration, { requests }: DrawnConfiguration): number =>
  requests.filter((request) => {
    const facts = factsOf(request);
    return rules.some(
      ({ budgetOf, mayRefuse }) => budgetOf(facts) !== null && mayRefuse?.(facts) !== false,
    );
  }).length;

/** Whether a request spends of one budget by two rules, which a program decides one after the other. */
const spendsTwice = ({ rules }: ReadConfiguration, { requests }: DrawnConfiguration): boolean =>
  requests.some((request) => {
    const spent = rules.flatMap(({ id, counters = id, budgetOf }) => {
      const name = budgetOf(factsOf(request));
      return name === null ? [] : [JSON.stringify([counters, name])];
    });
    return new Set(spent).size < spent.length;
  });
