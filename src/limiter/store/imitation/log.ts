// Sliding logs of other products: some write only admitted requests, some count a request exactly one window old.
import { waitForNext, waitUnwritten } from "../../algorithms/sliding-log/rule.ts";
import * as stamps from "../../algorithms/sliding-log/stamps.ts";
import type { Imitation } from "../../core/imitation.ts";
import type { BoundLevel, Counting } from "../counting.ts";
import type { LogTable } from "../table.ts";
import { countingBy } from "./imitated-rule.ts";

type Bound = BoundLevel<LogTable>;

export function imitateLog(imitation: Imitation): Counting<LogTable> {
  // One microsecond more, so that a request exactly one window old is still counted.
  const longerUs = imitation.windowEnd === "counted" ? 1 : 0;
  const isWritten = imitation.refused !== "free";

  const perUs = ({ table }: Bound): number => table.perUs + longerUs;
  const write = ({ table, row }: Bound, atUs: number, units: number): void =>
    stamps.insert(table.stamps, row, atUs, units);

  return countingBy<LogTable>({
    wait: (bound, atUs, units) => {
      const { level, table, row } = bound;
      const log = table.stamps;
      stamps.prune(log, row, atUs - perUs(bound));
      const waitUs = waitUnwritten(log, row, level.capacity, perUs(bound), atUs, units);
      return waitUs === 0 || !isWritten
        ? waitUs
        : waitForNext(log, row, level.capacity, perUs(bound), atUs, units, units);
    },
    spend: write,
    refuse: (bound, atUs, units) => {
      if (isWritten) write(bound, atUs, units);
    },
    remaining: ({ level, table, row }) =>
      Math.max(0, level.capacity - stamps.countOf(table.stamps, row)),
    fullUs: (bound) => stamps.newest(bound.table.stamps, bound.row, 1) + perUs(bound),
    giveBack: ({ stamps: log }, row, takenUs, units) => stamps.remove(log, row, takenUs, units),
  });
}
