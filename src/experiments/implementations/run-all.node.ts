// Runs all behaviours on implementations: in virtual time several side by side; in real time one implementation after the
// other, a few worlds at a time, and what stays open once more, alone.
import type { Implementation } from "../../implementations/catalogue.node.ts";
import { whyNotRunnable } from "../../implementations/home.node.ts";
import { createImplementationDriver } from "../../drivers/remote.node.ts";
import type { BehaviourFile } from "./behaviours.node.ts";
import { confirm } from "./confirm.node.ts";
import { argumentOf, playBehaviour, playModel, type Player } from "./play.node.ts";
import { commandOf } from "../../report/command-line.ts";
import type { ImplementationRun, JudgedBehaviour } from "./result.ts";
import { judge } from "./judge.ts";

export interface ImplementationsWork {
  readonly implementations: readonly Implementation[];
  readonly behaviours: readonly BehaviourFile[];
  readonly seed: number;
  readonly progress: (line: string) => void;
  readonly onDone: (run: ImplementationRun) => void;
  readonly isOver: () => boolean;
}

const VIRTUAL_AT_A_TIME = 4;
const WORLDS_AT_A_TIME = 3;
const MORE_ATTEMPTS = 2;

/** In the order of the list, whichever is done first. */
export async function runImplementations(
  work: ImplementationsWork,
): Promise<readonly ImplementationRun[]> {
  const { implementations, onDone, isOver } = work;
  const runs = new Map<string, ImplementationRun>();
  const runOne = async (implementation: Implementation): Promise<void> => {
    if (isOver()) return;
    const run = await runImplementation(work, implementation);
    if (isOver()) return;
    runs.set(implementation.id, run);
    onDone(run);
  };
  const isReal = ({ manifest }: Implementation): boolean => manifest.clock === "real";
  await inLanes(
    implementations.filter((each) => !isReal(each)),
    VIRTUAL_AT_A_TIME,
    runOne,
  );
  await inLanes(implementations.filter(isReal), 1, runOne);
  return implementations.flatMap(({ id }) => runs.get(id) ?? []);
}

async function runImplementation(
  { behaviours, seed, progress, isOver }: ImplementationsWork,
  implementation: Implementation,
): Promise<ImplementationRun> {
  const { id, manifest } = implementation;
  const { name, version, kind, language, clock, model } = manifest;
  const described = { id, name, version, kind, language, clock };
  const missing = whyNotRunnable(implementation);
  if (missing !== null) return { ...described, missing, verdicts: [] };
  const driver = createImplementationDriver(implementation);
  const player: Player = { driver, name: argumentOf(implementation), model };
  const judged = new Map<string, JudgedBehaviour>();
  const playOne = async (behaviour: BehaviourFile): Promise<void> => {
    if (isOver()) return;
    progress(`${id}: ${behaviour.id}`);
    judged.set(behaviour.id, await judgeBehaviour(player, implementation, behaviour, seed));
  };
  try {
    await inLanes(behaviours, clock === "real" ? WORLDS_AT_A_TIME : 1, playOne);
    // Alone it has the machine to itself.
    for (let attempt = 0; attempt < (clock === "real" ? MORE_ATTEMPTS : 0); attempt++)
      for (const behaviour of behaviours)
        if (mayDiffer(judged.get(behaviour.id))) await playOne(behaviour);
  } finally {
    await driver.close();
  }
  const verdicts: JudgedBehaviour[] = [];
  for (const behaviour of behaviours) {
    const one = judged.get(behaviour.id);
    if (one === undefined) continue;
    if (one.verdict !== "contradicts" || isOver()) {
      verdicts.push(one);
      continue;
    }
    progress(`${id}: ${behaviour.id} contradicts its documentation; once more`);
    const confirmed = await confirm(implementation, behaviour, seed);
    // A contradiction that no other seed shows is none that can be printed.
    verdicts.push({
      ...one,
      verdict: confirmed.seeds.length === confirmed.tried ? "contradicts" : "open",
      confirmed,
    });
  }
  return { ...described, missing: null, verdicts };
}

/** On a busy machine a verdict of real time may be that of the machine. */
const mayDiffer = (judged: JudgedBehaviour | undefined): boolean =>
  judged !== undefined && ["open", "failed", "differs", "contradicts"].includes(judged.verdict);

async function judgeBehaviour(
  player: Player,
  { manifest: { claims, model } }: Implementation,
  { id, file, scenario }: BehaviourFile,
  seed: number,
): Promise<JudgedBehaviour> {
  const { result } = await playBehaviour(player, scenario, seed);
  const mayBeOfModel = result.outcome === "fail" || result.outcome === "inconclusive";
  const ofModel = mayBeOfModel ? await playModel(model, scenario, seed) : null;
  const withSeed = seed === 1 ? [] : ["--seed", `${seed}`];
  const again = commandOf(["run", file, "--implementation", player.name, ...withSeed]);
  return { ...judge(id, result, claims[id] ?? null, ofModel), again };
}

/** `count` at a time, in their order. */
async function inLanes<T>(
  items: readonly T[],
  count: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const lane = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: count }, lane));
}
