// Guards each use of a database: failures become rejections and are reported once, and the latest results determine the
// status.
import { Rejection } from "../rejection.ts";
import { DatabaseRejection, type DatabaseFailure } from "./database-failure.ts";
import type { Records, RecordsStatus } from "./records.ts";
import type { Database } from "./database.ts";

/** While the database does not respond, only a probe uses it. Other work is rejected, so that clients need not wait. */
type Use = "read" | "probe" | "write" | "perhaps a write";

interface GuardedDatabase {
  readonly guard: <T>(work: () => Promise<T>, use?: Use) => Promise<T>;
  readonly status: Records["status"];
  readonly close: Records["close"];
}

/** `probe` tests whether the database responds again while no other work uses it. */
export function guardDatabase(
  database: Pick<Database, "failureOf" | "report" | "lacks" | "onSilence" | "close">,
  probe: () => Promise<unknown>,
): GuardedDatabase {
  const { failureOf, report, lacks } = database;
  // Separate, because a full disk can still be read: a successful read does not end a failure to write.
  const wrong: Record<"read" | "write", DatabaseFailure | null> = { read: null, write: null };
  let silence: DatabaseFailure | null = null;
  let closed: Promise<void> | null = null;
  let isProbing = false;
  const running = new Set<Promise<unknown>>();

  const note = (fault: DatabaseFailure, how: "read" | "write"): void => {
    const { sentence } = fault;
    if (sentence !== wrong.read?.sentence && sentence !== wrong.write?.sentence)
      report(`records: the database ${sentence}`);
    wrong[how] = fault;
  };

  const noteDone = (use: Use): void => {
    const wasWrong = wrong.read ?? wrong.write;
    // If reads failed for the same reason, for example a lost server, the failure has ended for writes too.
    if (use === "write" || wrong.write?.sentence === wrong.read?.sentence) wrong.write = null;
    wrong.read = null;
    silence = null;
    if (wasWrong !== null && wrong.write === null) report("records: the database responds again");
  };

  database.onSilence((fault) => {
    silence = fault;
    note(fault, "read");
  });

  /** Runs work. A failure of the database becomes a rejection (503), after which the request may be repeated. */
  const guard: GuardedDatabase["guard"] = async (work, use = "read") => {
    if (closed !== null) throw CLOSED();
    if (silence !== null && use !== "probe") {
      void probeOnce();
      throw new DatabaseRejection(silence);
    }
    const runs = work();
    running.add(runs);
    try {
      const done = await runs;
      noteDone(use);
      return done;
    } catch (error) {
      const fault = failureOf(error);
      if (fault === null) throw error;
      note(fault, use === "read" || use === "probe" ? "read" : "write");
      throw new DatabaseRejection(fault);
    } finally {
      running.delete(runs);
    }
  };

  const probeOnce = async (): Promise<void> => {
    if (isProbing || closed !== null) return;
    isProbing = true;
    await guard(probe, "probe").catch(() => null); // `guard` has noted the result
    isProbing = false;
  };

  const status = (): RecordsStatus => {
    if (wrong.read !== null) {
      void probeOnce();
      return "away";
    }
    return lacks() ?? (wrong.write === null ? "answers" : "reads only");
  };

  return {
    guard,
    status,
    close: () => (closed ??= Promise.allSettled(running).then(database.close)),
  };
}

const CLOSED = (): Rejection =>
  new Rejection(503, "The records are closed", [], { "Retry-After": "1" });
