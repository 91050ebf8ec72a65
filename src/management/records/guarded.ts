// What every use of a database goes through: its faults become refusals and sentences, each reported once, and what is
// known of it is its standing.
import { Refusal } from "../refusal.ts";
import { DatabaseRefusal, type DatabaseFault } from "./database-fault.ts";
import type { Records, Standing } from "./records.ts";
import type { Database } from "./database.ts";

/** While the database is silent only a probe is tried; a client waits for the others. */
export type Use = "read" | "probe" | "write" | "perhaps a write";

export interface GuardedDatabase {
  readonly guarded: <T>(work: () => Promise<T>, use?: Use) => Promise<T>;
  readonly standing: Records["standing"];
  readonly close: Records["close"];
}

/** `probe` finds out whether the database is back if nothing else asks it. */
export function guardDatabase(
  database: Pick<Database, "faultOf" | "tell" | "lacks" | "onSilence" | "close">,
  probe: () => Promise<unknown>,
): GuardedDatabase {
  const { faultOf, tell, lacks } = database;
  // Apart, because a full disk is read from all the same: what a read can do says nothing of a write.
  const wrong: Record<"read" | "write", DatabaseFault | null> = { read: null, write: null };
  let silence: DatabaseFault | null = null;
  let closed: Promise<void> | null = null;
  let isProbing = false;
  const running = new Set<Promise<unknown>>();

  const note = (fault: DatabaseFault, how: "read" | "write"): void => {
    const { sentence } = fault;
    if (sentence !== wrong.read?.sentence && sentence !== wrong.write?.sentence)
      tell(`records: the database ${sentence}`);
    wrong[how] = fault;
  };

  const noteDone = (use: Use): void => {
    const wasWrong = wrong.read ?? wrong.write;
    // What kept reads from working too, as a server that is away does, is over with it.
    if (use === "write" || wrong.write?.sentence === wrong.read?.sentence) wrong.write = null;
    wrong.read = null;
    silence = null;
    if (wasWrong !== null && wrong.write === null) tell("records: they answer again");
  };

  database.onSilence((fault) => {
    silence = fault;
    note(fault, "read");
  });

  /** What the database cannot do now may be asked again in a moment; its caller has done nothing wrong. */
  const guarded: GuardedDatabase["guarded"] = async (work, use = "read") => {
    if (closed !== null) throw CLOSED();
    if (silence !== null && use !== "probe") {
      void probeOnce();
      throw new DatabaseRefusal(silence);
    }
    const runs = work();
    running.add(runs);
    try {
      const done = await runs;
      noteDone(use);
      return done;
    } catch (error) {
      const fault = faultOf(error);
      if (fault === null) throw error;
      note(fault, use === "read" || use === "probe" ? "read" : "write");
      throw new DatabaseRefusal(fault);
    } finally {
      running.delete(runs);
    }
  };

  const probeOnce = async (): Promise<void> => {
    if (isProbing || closed !== null) return;
    isProbing = true;
    await guarded(probe, "probe").catch(() => null); // noted already
    isProbing = false;
  };

  const standing = (): Standing => {
    if (wrong.read !== null) {
      void probeOnce();
      return "away";
    }
    return lacks() ?? (wrong.write === null ? "answers" : "reads only");
  };

  return {
    guarded,
    standing,
    close: () => (closed ??= Promise.allSettled(running).then(database.close)),
  };
}

const CLOSED = (): Refusal =>
  new Refusal(503, "The records are closed", [], { "Retry-After": "1" });
