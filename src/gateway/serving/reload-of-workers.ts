// How a reload reaches workers. Keys are sent first, in pieces, because a worker serves no requests while it copies a
// message. A worker that misses keys requests the complete payload for itself alone.
import type { Configuration } from "../../limiter/core/config.ts";
import { gatherKeys, piecesOf, withoutKeys, type Piece } from "./keys-in-pieces.ts";

export interface Sendable {
  readonly configuration: Configuration;
  /** How many keys were sent before this message; null: the message has all keys. */
  readonly ahead: number | null;
}

export type ReloadRequest =
  | { readonly what: "keys"; readonly piece: Piece; readonly isFirst: boolean }
  | { readonly what: "reloaded" }; // replied to after the reload: true, or why it failed

// ---------------------------------------------------------------- the primary process

/** The ids of the worker processes. */
export interface ReloadProgress {
  readonly reloaded: readonly number[];
  readonly pending: readonly number[]; // may still serve the old configuration, and will apply the new one
}

/** The most requests for a worker's reply, up to two seconds each. A worker without any reply is pending. */
const MOST_TRIES = 5;

/** The part of `Workers` that a reload needs. */
interface ReloadableWorkers<Sent> {
  readonly pids: () => readonly number[];
  readonly reload: (sent: Sent, brief: Sent) => void;
  readonly requestAll: (
    request: ReloadRequest,
    without?: ReadonlySet<number>,
  ) => Promise<readonly unknown[]>;
}

/** Reloads all workers. If one fails to reload, rejects with its message. */
export async function reloadAll<Sent extends Sendable>(
  workers: ReloadableWorkers<Sent>,
  sent: Sent,
): Promise<ReloadProgress> {
  let ahead = 0;
  const silent = new Set<number>(); // indexes of workers that did not reply to a piece; later pieces skip them
  for (const piece of piecesOf(sent.configuration)) {
    const responses = await workers.requestAll(
      { what: "keys", piece, isFirst: ahead === 0 },
      silent,
    );
    for (const [index, response] of responses.entries()) if (response === null) silent.add(index);
    ahead += piece.keys.length;
  }
  const configuration = withoutKeys(sent.configuration);
  workers.reload(sent, ahead === 0 ? sent : { ...sent, configuration, ahead });
  const over = new Map<number, unknown>(); // response of each worker, by its index
  const count = workers.pids().length;
  for (let tries = 0; tries < MOST_TRIES && over.size < count; tries++) {
    const responses = await workers.requestAll({ what: "reloaded" }, new Set(over.keys()));
    for (const [index, response] of responses.entries())
      if (response !== null) over.set(index, response);
  }
  const failure = [...over.values()].find((response) => typeof response === "string");
  if (failure !== undefined) throw new Error(failure);
  const pids = workers.pids();
  return {
    reloaded: pids.filter((_, index) => over.has(index)),
    pending: pids.filter((_, index) => !over.has(index)),
  };
}

// ---------------------------------------------------------------- a worker

export interface Reloads<Sent> {
  readonly reload: (sent: Sent) => void;
  readonly respond: (request: ReloadRequest) => Promise<true | string>;
}

export function createReloads<Sent extends Sendable>(
  apply: (sent: Sent) => Promise<unknown>,
  readPayload: () => Promise<Sent>, // the complete payload, from the primary process
): Reloads<Sent> {
  let keys = gatherKeys();
  let last: Promise<true | string> = Promise.resolve(true);
  const applyReload = async (sent: Sent, received: typeof keys): Promise<true | string> => {
    try {
      if (sent.ahead === null) await apply(sent);
      else if (sent.ahead !== received.count()) await apply(await readPayload());
      else await apply({ ...sent, configuration: received.complete(sent.configuration) });
      return true;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  return {
    reload: (sent) => {
      const received = keys;
      keys = gatherKeys(); // later pieces belong to another reload
      last = last.then(() => applyReload(sent, received));
    },
    respond: async (request) => {
      if (request.what === "reloaded") return last;
      if (request.isFirst) keys = gatherKeys();
      keys.add(request.piece);
      return true;
    },
  };
}
