// A store over a network: operations take time to reach it, it runs one command after the other, and it can be slow or
// unreachable. Operations are performed in memory; only their times are simulated.
import { sample } from "../../kit/chance/distribution.ts";
import {
  emptyReply,
  type StoreResult,
  type LogCommand,
  type Reply,
  type StoreOp,
} from "../../limiter/core/store.ts";
import { perform } from "../../limiter/store/memory.ts";
import { costOf } from "./cost.ts";
import { awaits, laterAt, type Engine } from "./engine.ts";
import { reserve, scheduleAt } from "./event-queue.ts";
import type { Turn } from "./store-state.ts";

/** An operation on its way to the store or back. */
export interface SentOperation<Asker = unknown> {
  readonly engine: Engine;
  readonly op: StoreOp;
  readonly asker: Asker;
  readonly onResult: (sending: SentOperation<Asker>) => void;
  readonly deadlineUs: number;
  readonly deadlinePlace: number;
  readonly restarts: number; // how often the store had restarted when the operation was sent
  isLate: boolean; // whether a time-out is scheduled: the operation or its reply will be late
  isOver: boolean; // whether `onResult` was called
  turns: number; // how many commands of the operation the store has run
  answer: StoreResult;
  fromUs: number; // when the store had run the first command; the decision was made between this and `toUs`
  toUs: number;
  order: number;
}

/**
 * Sends an operation. `onResult` is called once, with `answer` set: the reply, an error in an outage, or the time-out,
 * whichever is first. An operation that reached the store takes effect even after the time-out.
 */
export function send<Asker>(
  engine: Engine,
  op: StoreOp,
  timeoutUs: number,
  asker: Asker,
  onResult: (sending: SentOperation<Asker>) => void,
): void {
  const deadlineUs = engine.nowUs + Math.round(timeoutUs);
  const deadlinePlace = reserve(engine.queue);
  awaits(engine, deadlineUs, deadlinePlace);
  const sending: SentOperation<Asker> = {
    engine,
    op,
    asker,
    onResult,
    deadlineUs,
    deadlinePlace,
    restarts: engine.remote.restarts,
    isLate: false,
    isOver: false,
    turns: 0,
    answer: TIMEOUT,
    fromUs: -1,
    toUs: -1,
    order: -1,
  };
  leg(sending, travel(engine), reach);
}

const TIMEOUT: StoreResult = { failed: "timeout" };
const ERROR: StoreResult = { failed: "error" };

/**
 * Delays an operation by one leg of its way, then calls `next`; for a leg of 0 µs immediately, so that requests overlap
 * only if a leg takes time (LIM-C1). A time-out is scheduled only for a leg that ends after the deadline.
 */
function leg<Asker>(
  sending: SentOperation<Asker>,
  us: number,
  next: (sending: SentOperation<Asker>) => void,
): void {
  if (us === 0) {
    next(sending);
    return;
  }
  const { engine, deadlineUs, deadlinePlace } = sending;
  const atUs = engine.nowUs + Math.round(us);
  if (!sending.isLate && atUs >= deadlineUs) {
    sending.isLate = true;
    scheduleAt(engine.queue, deadlineUs, deadlinePlace, timeOut, sending);
  }
  laterAt(engine, atUs, next, sending);
}

const travel = (engine: Engine): number => sample(engine.remote.latency, engine.random.store);

function reach<Asker>(sending: SentOperation<Asker>): void {
  const { engine } = sending;
  if (engine.remote.outages > 0) leg(sending, travel(engine), refuse);
  else takeTurn(sending);
}

/** The store runs one script or command at a time. Other commands may run between those of a pipeline. */
const takeTurn = <Asker>(sending: SentOperation<Asker>): void =>
  leg(sending, busyFor(sending.engine, turnOf(sending)), tookTurn);

const turnOf = ({ op, turns }: Pick<SentOperation, "op" | "turns">): Turn =>
  op.op === "pipeline" ? op.commands[turns]! : op;

/** Adds a turn to the store's work. Returns the microseconds until the store has finished it and all earlier turns. */
function busyFor({ remote, environment, nowUs }: Engine, turn: Turn): number {
  const { perCommandUs, perEntryUs } = environment.storeCost;
  const startUs = Math.max(nowUs, remote.busyUntilUs);
  const commandsUs = perCommandUs === 0 ? 0 : perCommandUs * commandsIn(turn);
  const entriesUs = perEntryUs === 0 ? 0 : perEntryUs * entriesTouched(turn);
  remote.busyUntilUs = startUs + commandsUs + entriesUs;
  return remote.busyUntilUs - nowUs;
}

function tookTurn<Asker>(sending: SentOperation<Asker>): void {
  const { engine, op } = sending;
  const turn = turnOf(sending);
  const reply = performTurn(sending, turn);
  engine.remote.witness?.onPerformed(turn, reply);
  // Of a pipeline's replies, only the reply to `count` is used.
  if (op.op !== "pipeline" || turn.op === "count") sending.answer = reply;
  if (sending.turns === 0) sending.fromUs = engine.nowUs;
  sending.toUs = engine.nowUs;
  sending.order = engine.decided++;
  sending.turns++;
  if (op.op === "pipeline" && sending.turns < op.commands.length) takeTurn(sending);
  else leg(sending, travel(engine), arrive);
}

/** Performs a turn. Uses its bound levels only if the store has not restarted since: a restart deletes their rows. */
function performTurn(
  { engine, restarts }: Pick<SentOperation, "engine" | "restarts">,
  turn: Turn,
): Reply {
  const { memory, restarts: restartsNow } = engine.remote;
  if (turn.op !== "take" || turn.bound === undefined || restarts !== restartsNow)
    return perform(memory, turn);
  return turn.bound.take(turn.client, turn.atUs, turn.intent, emptyReply(), turn.units);
}

function arrive<Asker>(sending: SentOperation<Asker>): void {
  if (sending.isOver) return;
  sending.isOver = true;
  sending.onResult(sending);
}

const refuse = <Asker>(sending: SentOperation<Asker>): void => fail(sending, ERROR);
const timeOut = <Asker>(sending: SentOperation<Asker>): void => fail(sending, TIMEOUT);

function fail<Asker>(sending: SentOperation<Asker>, failure: StoreResult): void {
  if (sending.isOver) return;
  const { engine } = sending;
  sending.answer = failure;
  sending.fromUs = engine.nowUs;
  sending.toUs = engine.nowUs;
  sending.order = engine.decided++;
  arrive(sending);
}

const commandsIn = (turn: Turn): number =>
  isSingle(turn) ? 1 : Math.max(1, costOf(turn, "script").inner);

const isSingle = (turn: Turn): turn is LogCommand =>
  turn.op === "prune" || turn.op === "count" || turn.op === "add" || turn.op === "expire";

/** How many entries of sorted sets a turn touches: one for each limit, whatever the size of its set. */
const entriesTouched = (turn: Turn): number => (turn.op === "take" ? turn.levels.length : 1);
