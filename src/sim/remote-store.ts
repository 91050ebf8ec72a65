// A store behind a network: requests take time to reach it, it works on one command after the other, and
// it can be slow or away. What it does it does in memory; only when is simulated.
import { sample } from "../core/distribution.ts";
import {
  emptyReply,
  type Answer,
  type LogCommand,
  type Reply,
  type StoreOp,
} from "../core/store.ts";
import { perform } from "../store/memory.ts";
import { costOf } from "./cost.ts";
import { later, type Engine } from "./engine.ts";

/** When an operation took effect: the decision fell between the first and the last command. */
export interface Effect {
  readonly answer: Answer;
  readonly fromUs: number;
  readonly toUs: number;
  readonly order: number;
}

/**
 * Sends an operation. `done` hears the answer once: the reply, an error from a store that is away, or
 * the time-out, whichever comes first. What reached the store takes effect even if nobody listens.
 */
export function send(
  engine: Engine,
  op: StoreOp,
  timeoutUs: number,
  done: (effect: Effect) => void,
): void {
  const { remote } = engine;
  let answered = false;
  const answer = (effect: Effect): void => {
    if (answered) return;
    answered = true;
    done(effect);
  };
  const failed = (reason: "error" | "timeout"): Effect => ({
    answer: { failed: reason },
    fromUs: engine.nowUs,
    toUs: engine.nowUs,
    order: engine.decided++,
  });
  later(engine, timeoutUs, () => answer(failed("timeout")));
  after(engine, travel(engine), () => {
    if (remote.isDown) after(engine, travel(engine), () => answer(failed("error")));
    else work(engine, op, (effect) => after(engine, travel(engine), () => answer(effect)));
  });
}

/** What takes no time leaves no room for others: requests overlap only where a way is long (LIM-C1). */
function after(engine: Engine, us: number, what: () => void): void {
  if (us === 0) what();
  else later(engine, us, what);
}

const travel = (engine: Engine): number => sample(engine.remote.latency, engine.random.store);

/** One script or command at a time; the commands of a pipeline leave room for others between them. */
function work(engine: Engine, op: StoreOp, done: (effect: Effect) => void): void {
  if (op.op !== "pipeline") {
    turn(engine, op, (reply, atUs, order) =>
      done({ answer: reply, fromUs: atUs, toUs: atUs, order }),
    );
    return;
  }
  const all = emptyReply();
  let fromUs = 0;
  const next = (index: number): void => {
    turn(engine, op.commands[index]!, (reply, atUs, order) => {
      if (index === 0) fromUs = atUs;
      if (op.commands[index]!.op === "count") all.count = reply.count;
      if (index + 1 < op.commands.length) next(index + 1);
      else done({ answer: all, fromUs, toUs: atUs, order });
    });
  };
  next(0);
}

function turn(
  engine: Engine,
  op: Exclude<StoreOp, { op: "pipeline" }> | LogCommand,
  done: (reply: Reply, atUs: number, order: number) => void,
): void {
  const { remote, environment } = engine;
  const startUs = Math.max(engine.nowUs, remote.busyUntilUs);
  const { perCommandUs, perEntryUs } = environment.storeCost;
  const inner = isSingle(op) ? 1 : Math.max(1, costOf(op, "script").inner);
  const entries = perEntryUs === 0 ? 0 : entriesTouched(op);
  remote.busyUntilUs = startUs + perCommandUs * inner + perEntryUs * entries;
  const run = (): void => done(perform(remote.memory, op), engine.nowUs, engine.decided++);
  if (startUs === engine.nowUs && remote.busyUntilUs === startUs) run();
  else later(engine, remote.busyUntilUs - engine.nowUs, run);
}

const isSingle = (op: Exclude<StoreOp, { op: "pipeline" }> | LogCommand): op is LogCommand =>
  op.op === "prune" || op.op === "count" || op.op === "add" || op.op === "expire";

/** Members of a sorted set that an operation has to find its way through: the depth of its tree. */
function entriesTouched(op: Exclude<StoreOp, { op: "pipeline" }> | LogCommand): number {
  return op.op === "take" ? op.levels.length : 1;
}
