// Two lines for the operator, whatever the log is set to: the store does not respond, and it responds again. Several processes
// of one gateway share them.
import type { LimiterEvent } from "../../limiter/core/events.ts";
import type { Observer } from "../http/observer.ts";

/** Whether the store responds to one process. */
export type NoteStore = (isAway: boolean) => void;

export interface StoreReport {
  readonly note: (pid: number, isAway: boolean) => void;
  /** A process has ended, so that nothing depends on what it noted. */
  readonly forget: (pid: number) => void;
}

/** A single request that waits too long on a busy machine is not worth a line, and neither is a short change-over. */
const SETTLED_MS = 1_000;

/** `isAway`: the operator has read at the start that the store does not respond. */
export function createStoreReport(
  store: string,
  report: (line: string) => void,
  isAway: boolean,
): StoreReport {
  const without = new Set<number>(); // processes
  let isReportedAway = isAway;
  let settling: NodeJS.Timeout | null = null;
  const reportChange = (): void => {
    settling = null;
    isReportedAway = without.size > 0;
    report(
      isReportedAway
        ? `weir: the store ${store} does not respond; until it does, on_store_error applies`
        : `weir: the store ${store} responds again`,
    );
  };
  const update = (): void => {
    const hasChanged = without.size > 0 !== isReportedAway;
    if (hasChanged) settling ??= setTimeout(reportChange, SETTLED_MS).unref();
    else if (settling !== null) {
      clearTimeout(settling);
      settling = null;
    }
  };
  return {
    note: (pid, isAwayNow) => {
      if (isAwayNow) without.add(pid);
      else without.delete(pid);
      update();
    },
    forget: (pid) => {
      without.delete(pid);
      update();
    },
  };
}

export const observeStore = (note: NoteStore): Observer => ({
  onEvent: ({ event }: LimiterEvent) => {
    if (event === "StoreUnavailable") note(true);
    else if (event === "StoreRecovered") note(false);
  },
  onExchange: null,
});
