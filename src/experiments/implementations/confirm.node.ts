// Before a contradiction is printed it is run with other seeds and, if the clock of the implementation moves, in real
// time too; then the scenario is reduced to the smallest that still shows it.
import { parse } from "yaml";
import { createImplementationDriver } from "../../drivers/remote.node.ts";
import type { Implementation } from "../../implementations/catalogue.node.ts";
import type { Json, JsonMap } from "../../reading/shape.ts";
import { isJsonMap } from "../../reading/shape.ts";
import { formatDuration, micros } from "../../core/units.ts";
import type { History } from "../../scenario/history.ts";
import { decode } from "../../scenario/read/decode.ts";
import type { Scenario } from "../../scenario/types.ts";
import { formatScenario, type RawScenario, type ScenarioFrame } from "../swarm/as-scenario.ts";
import { reduceScenario, withTimes } from "../swarm/shrink.ts";
import type { BehaviourFile } from "./behaviours.node.ts";
import { argumentOf, playBehaviour, playModel, type Player } from "./play.node.ts";
import type { Confirmation } from "./result.ts";

const OTHER_SEEDS = 3;

/** A reduction starts the limiter for each attempt. */
const REDUCING_MS = 30_000;

export async function confirm(
  implementation: Implementation,
  behaviour: BehaviourFile,
  seed: number,
): Promise<Confirmation> {
  const driver = createImplementationDriver(implementation);
  const { manifest } = implementation;
  const player: Player = { driver, name: argumentOf(implementation), model: manifest.model };
  try {
    const tried = Array.from({ length: OTHER_SEEDS }, (_, index) => seed + index + 1);
    const seeds: number[] = [];
    for (const other of tried) {
      const { result } = await playBehaviour(player, behaviour.scenario, other);
      if (result.outcome === "fail") seeds.push(other);
    }
    const isVirtual = manifest.clock !== "real";
    const least = isVirtual ? await reduce(player, behaviour, seed) : null;
    const shown = least?.scenario ?? behaviour.scenario;
    const { history } = await playBehaviour(player, shown, seed);
    return {
      seeds,
      tried: tried.length,
      inRealTime: isVirtual ? await failsInRealTime(implementation, behaviour, seed) : null,
      scenario: least?.text ?? null,
      decisions: history === null ? [] : decisionsIn(history),
    };
  } finally {
    await driver.close();
  }
}

/** Null: it offers no real clock, or the behaviour lasts too long. */
async function failsInRealTime(
  implementation: Implementation,
  { scenario }: BehaviourFile,
  seed: number,
): Promise<boolean | null> {
  const { manifest } = implementation;
  const start = manifest.start.map((word) => (word === "virtual" ? "real" : word));
  if (start.every((word, index) => word === manifest.start[index])) return null;
  const inRealTime: Implementation = {
    ...implementation,
    manifest: { ...manifest, start, clock: "real" },
  };
  const driver = createImplementationDriver(inRealTime);
  try {
    const player = { driver, name: argumentOf(implementation), model: manifest.model };
    const { result } = await playBehaviour(player, scenario, seed);
    const isPlayed = result.outcome === "fail" || result.outcome === "pass";
    return isPlayed ? result.outcome === "fail" : null;
  } finally {
    await driver.close();
  }
}

interface ReducedBehaviour {
  readonly scenario: Scenario;
  readonly text: string;
}

/**
 * Smaller still fails on the implementation, and still passes on the algorithm that it claims: without the second, any
 * scenario with too few requests would do.
 */
async function reduce(
  player: Player,
  { scenario, text, file }: BehaviourFile,
  seed: number,
): Promise<ReducedBehaviour | null> {
  const untilMs = performance.now() + REDUCING_MS;
  const { verdicts } = (await playBehaviour(player, scenario, seed)).result;
  const failed = verdicts.filter(({ outcome }) => outcome === "fail");
  const frame = frameOf(
    text,
    scenario.id,
    failed.map(({ expectation }) => expectation),
  );
  const read = (raw: RawScenario): ReducedBehaviour | null => {
    const written = formatScenario(raw, frame);
    const decoded = decode(file, written).scenario;
    return decoded === null ? null : { scenario: decoded, text: written };
  };
  const fails = async (raw: RawScenario): Promise<boolean> => {
    if (performance.now() > untilMs) return false;
    const reduced = read(raw);
    if (reduced === null) return false;
    const claimed = await playModel(player.model, reduced.scenario, seed);
    if (claimed.outcome !== "pass") return false;
    return (await playBehaviour(player, reduced.scenario, seed)).result.outcome === "fail";
  };
  const raw = rawOf(text);
  for (const whole of [withTimes(raw, formatScenario(raw, frame), seed), raw])
    if (await fails(whole)) return read(await reduceScenario(whole, fails));
  return null;
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

/** With the expectations that failed, and no others. */
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

/** "0.1s alice 200", one line each. */
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
