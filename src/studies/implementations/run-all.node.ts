// Runs all behaviours on implementations: first in virtual time, a few at a time, because they compute; then in real
// time, more at a time, because they mostly sleep. If a busy machine may have changed a verdict, tries it again, alone.
import type { Implementation } from "../../lab/implementations/catalogue.node.ts";
import { whyNotRunnable } from "../../lab/implementations/home.node.ts";
import type { BehaviourFile } from "./behaviours.node.ts";
import { confirm } from "./confirm.node.ts";
import { createPlayer, isInRealTime, leaveOut, playJudged, type Player } from "./play.node.ts";
import type { ImplementationRun, JudgedBehaviour } from "./result.ts";

export interface ImplementationsWork {
  readonly implementations: readonly Implementation[];
  readonly behaviours: readonly BehaviourFile[];
  readonly seed: number;
  readonly progress: (line: string) => void;
  readonly onDone: (run: ImplementationRun) => void;
  readonly isOver: () => boolean;
  /** When this resolves, the run no longer waits for behaviours that are still running. */
  readonly stop: Promise<unknown>;
}

const VIRTUAL_AT_A_TIME = 4;
const REAL_WORLDS_AT_A_TIME = 8;
const MORE_ATTEMPTS = 2;

/** After this many failures a program is not tried again: one that hangs takes half a minute for each behaviour. */
const MOST_FAILURES = 3;

interface Examination {
  readonly player: Player;
  readonly judged: Map<string, JudgedBehaviour>; // by the id of the behaviour
}

/** Returns the runs in the order of `implementations`, although they end in another order. */
export async function runImplementations(
  work: ImplementationsWork,
): Promise<readonly ImplementationRun[]> {
  const { implementations, behaviours, onDone, isOver, stop } = work;
  const runs = new Map<string, ImplementationRun>();
  const note = (implementation: Implementation, rest: Outcome): void => {
    const run = { ...describe(implementation), ...rest };
    runs.set(run.id, run);
    onDone(run);
  };
  const open = new Set<Examination>();
  for (const implementation of implementations) {
    const missing = whyNotRunnable(implementation);
    if (missing === null) open.add({ player: createPlayer(implementation), judged: new Map() });
    else note(implementation, { missing, verdicts: [] });
  }
  const finish = async (examination: Examination): Promise<void> => {
    await judgeDoubtful(work, examination);
    const verdicts = await confirmAll(work, examination);
    open.delete(examination);
    const { driver, implementation } = examination.player;
    await driver.close();
    if (!isOver()) note(implementation, { missing: null, verdicts });
  };
  const examineAll = async (): Promise<void> => {
    const [virtual, real] = [[...open].filter((each) => !isReal(each)), [...open].filter(isReal)];
    await inLanes(virtual, VIRTUAL_AT_A_TIME, async (examination) => {
      await judgeInOneProcess(work, examination);
      await finish(examination);
    });
    const worlds = behaviours.flatMap((behaviour) =>
      real.map((examination) => ({ examination, behaviour })),
    );
    await inLanes(worlds, REAL_WORLDS_AT_A_TIME, ({ examination, behaviour }) =>
      judgeOne(work, examination, behaviour),
    );
    for (const examination of real) await finish(examination);
  };
  const examined = examineAll();
  examined.catch(() => undefined); // after a stop, worlds under way fail because their limiters are closed
  try {
    await Promise.race([examined, stop]);
  } finally {
    await Promise.all([...open].map(({ player }) => player.driver.close()));
  }
  return implementations.flatMap(({ id }) => runs.get(id) ?? []);
}

type Outcome = Pick<ImplementationRun, "missing" | "verdicts">;

function describe({ id, manifest }: Implementation): Omit<ImplementationRun, keyof Outcome> {
  const { name, version, kind, language, clock } = manifest;
  return { id, name, version, kind, language, clock };
}

const isReal = ({ player }: Examination): boolean => isInRealTime(player);

/** Runs all behaviours in one process, because the start of a program takes longer than its decisions. */
async function judgeInOneProcess(
  work: ImplementationsWork,
  { player, judged }: Examination,
): Promise<void> {
  const reusing = { player: createPlayer(player.implementation, true), judged };
  try {
    for (const behaviour of work.behaviours) await judgeOne(work, reusing, behaviour);
  } finally {
    await reusing.player.driver.close();
  }
}

async function judgeOne(
  work: ImplementationsWork,
  examination: Examination,
  behaviour: BehaviourFile,
): Promise<void> {
  const { judged } = examination;
  if (!hasOnlyFailed(examination)) await runAndJudge(work, examination, behaviour);
  else judged.set(behaviour.id, leaveOut(examination.player, behaviour, work.seed));
}

/** Whether several behaviours were tried, and none could be run. */
function hasOnlyFailed({ judged }: Examination): boolean {
  const tried = [...judged.values()].filter(({ verdict }) => verdict !== "unsupported");
  return tried.length >= MOST_FAILURES && tried.every(({ verdict }) => verdict === "failed");
}

async function runAndJudge(
  { seed, progress, isOver }: ImplementationsWork,
  { player, judged }: Examination,
  behaviour: BehaviourFile,
): Promise<void> {
  if (isOver()) return;
  progress(`${player.implementation.id}: ${behaviour.id}`);
  judged.set(behaviour.id, await playJudged(player, behaviour, seed));
}

/** Runs doubtful behaviours again, alone, with new limiters. A repeated verdict is final, unless it is `open`. */
async function judgeDoubtful(work: ImplementationsWork, examination: Examination): Promise<void> {
  const { judged } = examination;
  const isDoubtful = isReal(examination) ? mayBeOfMachine : mayBeOfOtherWorlds;
  for (const behaviour of work.behaviours)
    for (let attempt = 0; attempt < MORE_ATTEMPTS; attempt++) {
      const before = judged.get(behaviour.id);
      if (before === undefined || !isDoubtful(before)) break;
      await runAndJudge(work, examination, behaviour);
      if (hasOnlyFailed(examination)) return;
      const { verdict } = judged.get(behaviour.id)!;
      if (verdict === before.verdict && verdict !== "open") break;
    }
}

/** Whether a busy machine may have caused a verdict in real time. */
const mayBeOfMachine = ({ verdict }: JudgedBehaviour): boolean =>
  verdict === "open" || verdict === "failed" || verdict === "differs" || verdict === "contradicts";

const mayBeOfOtherWorlds = ({ verdict }: JudgedBehaviour): boolean =>
  verdict !== "holds" && verdict !== "unsupported";

/** Confirms contradictions. The verdict becomes `open` if any other seed does not show the contradiction. */
async function confirmAll(
  { behaviours, seed, progress, isOver }: ImplementationsWork,
  { player, judged }: Examination,
): Promise<readonly JudgedBehaviour[]> {
  const verdicts: JudgedBehaviour[] = [];
  for (const behaviour of behaviours) {
    const one = judged.get(behaviour.id);
    if (one === undefined || isOver()) break;
    if (one.verdict !== "contradicts") {
      verdicts.push(one);
      continue;
    }
    progress(
      `${player.implementation.id}: ${behaviour.id} contradicts its documentation; once more`,
    );
    const confirmed = await confirm(player, behaviour, seed, isOver);
    const isSeenAgain = confirmed.seeds.length === confirmed.tried;
    verdicts.push({ ...one, verdict: isSeenAgain ? "contradicts" : "open", confirmed });
  }
  return verdicts;
}

/** Works on the items in order, `count` at a time. */
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
