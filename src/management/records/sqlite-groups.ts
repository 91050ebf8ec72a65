// Transactions that wait for each other share one commit, because a commit costs as much as hundreds of statements.
// Each has a savepoint, so that one that is taken back takes nobody along; all are answered when they are durable.
import type { DatabaseConnection, Driver } from "kysely";
import { connectionOver, type Ran, type Runner } from "./sqlite-runner.ts";
import { SqliteError } from "./sqlite-faults.ts";

interface Group {
  size: number;
  lost: unknown; // why all of it has been taken back; null: it has not
  readonly waiting: PromiseWithResolvers<void>[]; // to be durable
}

/** What a transaction has of its own. */
interface Turn {
  isOver: boolean;
  group: Group | null; // null: no transaction
  hasBegun: boolean; // its savepoint is there
}

/** So that the first one of a group is not kept waiting for ever. */
const MOST = 200;

export function groupsOf(runner: Runner): Driver {
  const line: (() => void)[] = [];
  let isTaken = false;
  let group: Group | null = null;
  const turns = new WeakMap<DatabaseConnection, Turn>();

  const say = async (text: string): Promise<Ran> => runner.run(text, []);

  const take = async (): Promise<void> => {
    if (isTaken) await new Promise<void>((resolve) => line.push(resolve));
    isTaken = true;
  };
  const pass = async (turn: Turn): Promise<void> => {
    if (turn.isOver) return;
    turn.isOver = true;
    try {
      if (group !== null && (line.length === 0 || group.size >= MOST)) await commit(group);
    } finally {
      const next = line.shift();
      if (next === undefined) isTaken = false;
      else next();
    }
  };
  const fail = (whole: Group, why: unknown): void => {
    group = null;
    whole.lost = why;
    for (const { reject } of whole.waiting) reject(why);
  };
  const commit = async (whole: Group): Promise<void> => {
    try {
      await say("commit");
    } catch (error) {
      fail(whole, error);
      await say("rollback");
      return;
    }
    group = null;
    for (const { resolve } of whole.waiting) resolve();
  };
  /** When everybody before it is durable too: what it has read may be theirs. */
  const settled = async (turn: Turn, whole: Group): Promise<void> => {
    const durable = Promise.withResolvers<void>();
    whole.waiting.push(durable);
    await Promise.all([pass(turn), durable.promise]);
  };

  const run = async (turn: Turn, text: string, parameters: readonly unknown[]): Promise<Ran> => {
    try {
      if (turn.group === null || turn.hasBegun) return await runner.run(text, parameters);
      turn.hasBegun = true;
      const asked = async (): Promise<Ran> => runner.run(text, parameters);
      return (await Promise.all([say("savepoint one"), asked()]))[1];
    } catch (error) {
      const isLost = error instanceof SqliteError && !error.isWithin;
      if (isLost && turn.group !== null && turn.group === group) fail(turn.group, error);
      throw error;
    }
  };

  return {
    init: async () => {},
    acquireConnection: async () => {
      await take();
      const turn: Turn = { isOver: false, group: null, hasBegun: false };
      const connection = connectionOver((text, parameters) => run(turn, text, parameters));
      turns.set(connection, turn);
      return connection;
    },
    beginTransaction: async (connection) => {
      // Whoever begins means to write: two that have both read could not both go on.
      if (group === null) {
        await say("begin immediate");
        group = { size: 0, lost: null, waiting: [] };
      }
      group.size++;
      turns.get(connection)!.group = group;
    },
    commitTransaction: async (connection) => {
      const turn = turns.get(connection)!;
      if (turn.group!.lost !== null) throw turn.group!.lost;
      if (turn.hasBegun) await run(turn, "release one", []);
      turn.hasBegun = false;
      await settled(turn, turn.group!);
    },
    rollbackTransaction: async (connection) => {
      const turn = turns.get(connection)!;
      if (turn.group!.lost !== null) return;
      if (turn.hasBegun) await Promise.all([say("rollback to one"), say("release one")]);
      await settled(turn, turn.group!);
    },
    releaseConnection: async (connection) => pass(turns.get(connection)!),
    destroy: async () => {
      await take();
      await runner.close();
    },
  };
}
