// Confirms a contradiction before it is printed: runs the behaviour with other seeds and, if the implementation has
// a virtual clock, in real time too. Then reduces the scenario, for a limited time, while it shows the contradiction.
import { parse } from "yaml";
import type { Json, JsonMap } from "../../kit/reading/shape.ts";
import { isJsonMap } from "../../kit/reading/shape.ts";
import { formatDuration, micros } from "../../kit/units.ts";
import type { History } from "../../lab/scenario/history.ts";
import { decode } from "../../lab/scenario/read/decode.ts";
import type { Scenario } from "../../lab/scenario/types.ts";
import type { Result } from "../../lab/scenario/verdict.ts";
import { formatScenario, type RawScenario, type ScenarioFrame } from "../swarm/as-scenario.ts";
import { reduceScenario, withTimes } from "../swarm/shrink.ts";
import { variantOf } from "../swarm/trial.ts";
import type { BehaviourFile } from "./behaviours.node.ts";
import { createPlayer, isInRealTime, playBehaviour, playModel, type Player } from "./play.node.ts";
import type { Confirmation } from "./result.ts";

const OTHER_SEEDS = 3;

/** The most seconds for a reduction. Each attempt starts the limiter; in real time it lasts as long as its traffic. */
const REDUCING_S = 60;

export async function confirm(
  player: Player,
  behaviour: BehaviourFile,
  seed: number,
  isOver: () => boolean,
): Promise<Confirmation> {
  const tried = Array.from({ length: OTHER_SEEDS }, (_, index) => seed + index + 1);
  const results: Result[] = [];
  for (const other of tried)
    if (!isOver()) results.push(await playUntilDecided(player, behaviour.scenario, other));
  const failed = results.filter(({ outcome }) => outcome === "fail");
  const seen = { seeds: failed.map((each) => each.seed), tried: tried.length };
  const other = results.find(({ outcome }) => outcome !== "fail");
  if (other !== undefined || isOver())
    return {
      ...seen,
      inRealTime: null,
      reduction: `not reduced, because it was not seen again${other === undefined ? "" : `: ${describe(other)}`}`,
      scenario: null,
      decisions: [],
    };
  const inRealTime = isInRealTime(player)
    ? null
    : await failsInRealTime(player, behaviour.scenario, seed);
  const { shown, ...reduced } = await reduce(
    player,
    behaviour,
    seed,
    failingAlways(failed),
    isOver,
  );
  return { ...seen, inRealTime, ...reduced, decisions: shown === null ? [] : decisionsIn(shown) };
}

/** Runs a scenario, and again if it neither passes nor fails, because a busy machine may have caused that. */
async function playUntilDecided(player: Player, scenario: Scenario, seed: number): Promise<Result> {
  const { result } = await playBehaviour(player, scenario, seed);
  if (result.outcome === "fail" || result.outcome === "pass") return result;
  return (await playBehaviour(player, scenario, seed)).result;
}

/** Describes a result, such as "seed 4 gives error, the program has not answered". */
const describe = ({ seed, outcome, verdicts }: Result): string => {
  const observed = verdicts.find((each) => each.outcome === outcome)?.observed;
  return `seed ${seed} gives ${outcome}${outcome === "pass" ? "" : `, ${observed}`}`;
};

/** The expectations that failed with every seed. */
const failingAlways = (results: readonly Result[]): readonly string[] =>
  results
    .map(({ verdicts }) =>
      verdicts.filter(({ outcome }) => outcome === "fail").map(({ expectation }) => expectation),
    )
    .reduce((some, others) => some.filter((each) => others.includes(each)));

/** Whether the behaviour also fails in real time; null: no real clock, or that run neither passed nor failed. */
async function failsInRealTime(
  { implementation }: Player,
  scenario: Scenario,
  seed: number,
): Promise<boolean | null> {
  const { manifest } = implementation;
  const start = manifest.start.map((word) => (word === "virtual" ? "real" : word));
  if (start.every((word, index) => word === manifest.start[index])) return null;
  const player = createPlayer({
    ...implementation,
    manifest: { ...manifest, start, clock: "real" },
  });
  try {
    const { result } = await playBehaviour(player, scenario, seed);
    const isPlayed = result.outcome === "fail" || result.outcome === "pass";
    return isPlayed ? result.outcome === "fail" : null;
  } finally {
    await player.driver.close();
  }
}

interface Reduced extends Pick<Confirmation, "scenario" | "reduction"> {
  readonly shown: History | null; // history of the last run that failed
}

/**
 * Reduces the scenario. A smaller one must fail on the implementation and pass on its claimed algorithm, because a
 * scenario with too few requests fails on every limiter.
 */
async function reduce(
  player: Player,
  { scenario, text, file }: BehaviourFile,
  seed: number,
  failing: readonly string[],
  isOver: () => boolean,
): Promise<Reduced> {
  const untilMs = performance.now() + REDUCING_S * 1_000;
  let obstacle = "it did not fail again";
  let shown: History | null = null;
  const frame = frameOf(text, scenario.id, failing);
  const write = (raw: RawScenario): string => formatScenario(raw, frame);
  const fails = async (raw: RawScenario): Promise<boolean> => {
    if (performance.now() > untilMs || isOver()) return false;
    const smaller = decode(file, write(raw)).scenario;
    if (smaller === null) return false;
    const claimed = await playModel(player.implementation.manifest.model, smaller, seed);
    if (claimed.outcome !== "pass") {
      obstacle = "the algorithm that it claims does not pass it";
      return false;
    }
    const { result, history } = await playBehaviour(player, smaller, seed);
    if (result.outcome !== "fail") return false;
    shown = history;
    return true;
  };
  const raw = rawOf(text);
  for (const whole of [withTimes(raw, variantOf(write(raw)), seed), raw])
    if (await fails(whole)) {
      const least = await reduceScenario(whole, fails);
      const reduction =
        performance.now() > untilMs
          ? `the smallest scenario found within ${REDUCING_S} s that shows it`
          : "the smallest scenario that shows it";
      return { scenario: write(least), reduction, shown };
    }
  const { history } = await playBehaviour(player, scenario, seed);
  return { scenario: null, reduction: `not reduced, because ${obstacle}`, shown: history };
}

function mapIn(text: string): JsonMap {
  const value = parse(text) as Json;
  if (!isJsonMap(value)) throw new Error("a behaviour is a map; its file was decoded before");
  return value;
}

function rawOf(text: string): RawScenario {
  const { world, traffic, faults } = mapIn(text);
  return { world, around: {}, traffic, faults: faults ?? [] } as unknown as RawScenario;
}

/** The frame of a scenario with only the expectations that failed. */
function frameOf(text: string, id: string, failed: readonly string[]): ScenarioFrame {
  const { title, proves, expect } = mapIn(text) as unknown as ScenarioFrame;
  return {
    id,
    title,
    about: null,
    proves,
    expect: expect.filter((each) => failed.some((sentence) => sentence === each["id"])),
  };
}

const MOST_DECISIONS = 40;

/** Lists the decisions, one line each, such as "0.1s alice 200". */
function decisionsIn({ requests, header }: History): readonly string[] {
  const lines = Array.from({ length: requests.length }, (_, row) => {
    const at = formatDuration(micros(Math.round(requests.sentUs[row]!)));
    const key = header.keys[requests.key[row]!] ?? "no key";
    const wait = requests.retryAfterS[row]!;
    return `${at}  ${key}  ${requests.status[row]!}${Number.isNaN(wait) ? "" : `, wait ${wait} s`}`;
  });
  return lines.length <= MOST_DECISIONS
    ? lines
    : [...lines.slice(0, MOST_DECISIONS), `and ${lines.length - MOST_DECISIONS} more`];
}
