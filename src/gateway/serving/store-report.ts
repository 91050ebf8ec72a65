// Two lines for the operator, independent of the log: the store does not respond, and the store responds again. Each
// line is written once for all processes of a gateway.
import type { LimiterEvent } from "../../limiter/core/events.ts";
import type { Observer } from "../http/observer.ts";

/** Notes whether the store responds to this process. */
export type NoteStore = (isAway: boolean) => void;

export interface StoreReport {
  readonly note: (pid: number, isAway: boolean) => void;
  /** Forgets what an ended process has noted. */
  readonly forget: (pid: number) => void;
}

/** How long a change must last to be reported: longer than one late reply on a busy machine or a short failover. */
const SETTLED_MS = 1_000;

/** Builds the report of a store. `isAway`: an outage of the store was already reported at the start. */
export function createStoreReport(
  store: string,
  report: (line: string) => void,
  isAway: boolean,
): StoreReport {
  const without = new Set<number>(); // processes to which the store does not respond
  let isReportedAway = isAway;
  let settling: NodeJS.Timeout | null = null;
  const reportChange = (): void => {
    settling = null;
    isReportedAway = without.size > 0;
    report(
      isReportedAway
        ? `weir: the store ${store} does not respond; until a store responds, on_store_error applies`
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
