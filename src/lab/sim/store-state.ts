// The simulated store between two operations: its content, its state, and the cost of its operations so far.
import type { GatewayOptions } from "../../limiter/core/config.ts";
import {
  hasFailed,
  type StoreResult,
  type LogCommand,
  type Reply,
  type StoreOp,
} from "../../limiter/core/store.ts";
import { forgetAll, type MemoryStore } from "../../limiter/store/memory.ts";
import type { Distribution } from "../scenario/types.ts";
import { costOf, type OperationCost } from "./cost.ts";

/** A part of an operation that a store performs in one step. */
export type Turn = Exclude<StoreOp, { op: "pipeline" }> | LogCommand;

/** Receives everything that the store does, in that order, so that another store can do the same. */
export interface Witness {
  readonly onPerformed: (turn: Turn, reply: Reply) => void;
  readonly onRestarted: () => void;
}

export interface SimulatedStore {
  readonly memory: MemoryStore;
  readonly witness: Witness | null;
  restarts: number;
  latency: Distribution; // one way
  readonly slow: Distribution[]; // faults under way: the newest applies
  outages: number; // under way
  busyUntilUs: number;
  commands: number;
  inner: number;
  roundTrips: number;
  peakEntries: number;
  peakBytes: number;
}

/** How many looks at the bytes in the store a run is worth, if each request of its plan takes one step. */
export const LOOKS = 200;

/** What the samples of the store hold so far. */
export interface StoreWatch {
  every: number; // steps that share one look
  steps: number; // of the run, since the last look
  looks: number;
  entries: number; // in the last sample
  bytes: number; // in the last sample
}

export const storeWatch = (requests: number): StoreWatch => ({
  every: Math.max(1, Math.ceil(requests / LOOKS)),
  steps: 0,
  looks: 0,
  entries: -1,
  bytes: -1,
});

export const remoteStore = (
  memory: MemoryStore,
  latency: Distribution,
  witness: Witness | null,
): SimulatedStore => ({
  memory,
  witness,
  restarts: 0,
  latency,
  slow: [],
  outages: 0,
  busyUntilUs: 0,
  commands: 0,
  inner: 0,
  roundTrips: 0,
  peakEntries: 0,
  peakBytes: 0,
});

export function restartEmpty(store: SimulatedStore): void {
  store.restarts++;
  forgetAll(store.memory);
  store.witness?.onRestarted();
}

/** Counts an operation; returns how many commands it is, those inside a script included. */
export const account = (
  store: SimulatedStore,
  op: StoreOp,
  transaction: GatewayOptions["storeTransaction"],
): number => charge(store, costOf(op, transaction));

/** Corrects the cost of an operation by its reply; when it was sent, it was counted as an admitted one. */
export function settleAccount(
  store: SimulatedStore,
  op: StoreOp,
  transaction: GatewayOptions["storeTransaction"],
  answer: StoreResult,
): number {
  if (op.op !== "take" || hasFailed(answer)) return 0;
  if (answer.refusedBy < 0 && answer.remaining !== 0) return 0; // as it was counted
  const sent = costOf(op, transaction);
  const done = costOf(op, transaction, answer);
  store.commands += done.commands - sent.commands;
  store.inner += done.inner - sent.inner;
  return done.commands + done.inner - sent.commands - sent.inner;
}

export function charge(store: SimulatedStore, { commands, inner }: OperationCost): number {
  store.commands += commands;
  store.inner += inner;
  if (commands > 0) store.roundTrips++;
  return commands + inner;
}
