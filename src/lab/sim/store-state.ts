// The simulated store between two operations: content, state, and the cost so far.
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

/** Receives everything that the store does, in order, so that another store can repeat it. */
export interface Witness {
  readonly onPerformed: (turn: Turn, reply: Reply) => void;
  readonly onRestarted: () => void;
}

export interface SimulatedStore {
  readonly memory: MemoryStore;
  readonly witness: Witness | null;
  restarts: number;
  latency: Distribution; // in one direction
  readonly slow: Distribution[]; // delays of active injected faults: the newest applies
  outages: number; // number of active outages
  busyUntilUs: number;
  commands: number;
  inner: number;
  roundTrips: number;
  peakEntries: number;
  peakBytes: number;
}

/** How often a run counts the bytes in the store, if each planned request takes one step. */
export const LOOKS = 200;

/** The last sample of the store, and when the next one is due. */
export interface StoreWatch {
  every: number; // steps between two counts of bytes
  steps: number; // steps of the run since the last count of bytes
  looks: number;
  entries: number; // entries in the last sample
  bytes: number; // bytes in the last sample
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

/** Adds an operation to the cost so far. Returns its number of commands, including those inside scripts. */
export const account = (
  store: SimulatedStore,
  op: StoreOp,
  transaction: GatewayOptions["storeTransaction"],
): number => charge(store, costOf(op, transaction));

/** Corrects an operation's cost after its reply, because `account` assumed an admission. Returns the difference. */
export function settleAccount(
  store: SimulatedStore,
  op: StoreOp,
  transaction: GatewayOptions["storeTransaction"],
  answer: StoreResult,
): number {
  if (op.op !== "take" || hasFailed(answer)) return 0;
  if (answer.refusedBy < 0 && answer.remaining !== 0) return 0; // the cost that `account` added is right
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
