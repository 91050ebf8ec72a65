// How a reload reaches workers: the keys go ahead in pieces, because each worker serves nobody while it takes a message over; what is
// left goes behind them. Who has not heard all of them asks for the whole by itself, so that nobody else has it twice.
import type { Configuration } from "../core/config.ts";
import { gathering, piecesOf, withoutKeys, type Piece } from "./keys-in-pieces.ts";

export interface Sendable {
  readonly configuration: Configuration;
  /** How many keys were sent before it; null: it has all of them itself. */
  readonly ahead: number | null;
}

export type OfReload =
  | { readonly what: "keys"; readonly piece: Piece; readonly isFirst: boolean }
  | { readonly what: "reloaded" }; // true, or why it has not, once it is over

// ---------------------------------------------------------------- of the primary process

/** Processes by their ids. */
export interface ReloadProgress {
  readonly reloaded: readonly number[];
  readonly pending: readonly number[]; // may still serve the old configuration, and take the new one as soon as they can
}

/** Two seconds each: one that needs longer is named as pending. */
const MOST_TRIES = 5;

/** As `Workers` has them. */
export interface ToReload<Sent> {
  readonly pids: () => readonly number[];
  readonly reload: (sent: Sent, brief: Sent) => void;
  readonly askAll: (
    question: OfReload,
    without?: ReadonlySet<number>,
  ) => Promise<readonly unknown[]>;
}

/** Fails with the sentence of a worker that has not reloaded. */
export async function reloadAll<Sent extends Sendable>(
  workers: ToReload<Sent>,
  sent: Sent,
): Promise<ReloadProgress> {
  let ahead = 0;
  const silent = new Set<number>(); // the others do not wait for them once more
  for (const piece of piecesOf(sent.configuration)) {
    const answers = await workers.askAll({ what: "keys", piece, isFirst: ahead === 0 }, silent);
    for (const [index, answer] of answers.entries()) if (answer === null) silent.add(index);
    ahead += piece.keys.length;
  }
  const configuration = withoutKeys(sent.configuration);
  workers.reload(sent, ahead === 0 ? sent : { ...sent, configuration, ahead });
  const over = new Map<number, unknown>(); // by the place of the worker, its answer
  const count = workers.pids().length;
  for (let tries = 0; tries < MOST_TRIES && over.size < count; tries++) {
    const answers = await workers.askAll({ what: "reloaded" }, new Set(over.keys()));
    for (const [index, answer] of answers.entries()) if (answer !== null) over.set(index, answer);
  }
  const failure = [...over.values()].find((answer) => typeof answer === "string");
  if (failure !== undefined) throw new Error(failure);
  const pids = workers.pids();
  return {
    reloaded: pids.filter((_, index) => over.has(index)),
    pending: pids.filter((_, index) => !over.has(index)),
  };
}

// ---------------------------------------------------------------- of a worker

export interface Reloads<Sent> {
  readonly reload: (sent: Sent) => void;
  readonly answer: (asked: OfReload) => Promise<true | string>;
}

export function reloadsBy<Sent extends Sendable>(
  take: (sent: Sent) => Promise<unknown>,
  whole: () => Promise<Sent>, // from the primary process
): Reloads<Sent> {
  let keys = gathering();
  let last: Promise<true | string> = Promise.resolve(true);
  const taken = async (sent: Sent, heard: typeof keys): Promise<true | string> => {
    try {
      if (sent.ahead === null) await take(sent);
      else if (sent.ahead !== heard.count()) await take(await whole());
      else await take({ ...sent, configuration: heard.into(sent.configuration) });
      return true;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  return {
    reload: (sent) => {
      const heard = keys;
      keys = gathering(); // whatever becomes of them, they are of this reload
      last = last.then(() => taken(sent, heard));
    },
    answer: async (asked) => {
      if (asked.what === "reloaded") return last;
      if (asked.isFirst) keys = gathering();
      keys.add(asked.piece);
      return true;
    },
  };
}
