// Lists the requests of several groups in the order of their times, and waits for the next one.
import { setTimeout as sleep } from "node:timers/promises";
import type { ProbeGroup, ProbeResponse } from "./target.ts";

export interface FilledGroup extends ProbeGroup {
  readonly responses: ProbeResponse[];
}

interface DueRequests {
  readonly probed: readonly FilledGroup[];
  readonly due: readonly { readonly group: FilledGroup; readonly atUs: number }[];
}

export function listDue(groups: readonly ProbeGroup[]): DueRequests {
  const probed = groups.map((group) => ({ ...group, responses: [] as ProbeResponse[] }));
  const due = probed
    .flatMap((group) =>
      Array.from({ length: group.count }, (_, index) => ({
        group,
        atUs: group.atUs + index * group.everyUs,
      })),
    )
    .toSorted((a, b) => a.atUs - b.atUs);
  return { probed, due };
}

/** The accuracy of timers: for the last part of a wait, each turn of the event loop reads the clock once. */
const TIMER_MS = 2;

export async function waitUntil(
  atUs: number,
  nowUs: () => number,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const leftMs = (atUs - nowUs()) / 1_000;
    if (leftMs <= 0 || signal.aborted) return;
    await sleep(leftMs > TIMER_MS ? leftMs - TIMER_MS : 0, undefined, { signal }).catch(
      (error: unknown) => {
        if (!signal.aborted) throw error;
      },
    );
  }
}
