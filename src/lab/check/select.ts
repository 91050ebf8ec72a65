// The rows that an expectation examines.
import { LOOPBACK, type History, type Requests } from "../scenario/history.ts";
import { isIn } from "../scenario/networks.ts";
import type { Comparison, Filter } from "../scenario/types.ts";
import type { ComparedRequests } from "../scenario/verdict.ts";
import { endsOf } from "./interval.ts";

/**
 * The time of a request in a scenario. A first attempt has its planned time, which follows from the scenario file and
 * which a slow driver cannot change. A retry is in no plan, so it has the time at which it was sent.
 */
export const scenarioTimeUs = (requests: Requests, row: number): number =>
  requests.attempt[row] === 0 ? requests.plannedUs[row]! : requests.sentUs[row]!;

export const withoutStatus = (filter: Filter): Filter => ({ ...filter, status: null });

/** Whether the request was admitted, but had to wait for its turn (ALG-C10). */
export const wasDelayed = ({ delayUs }: Requests, row: number): boolean => delayUs[row]! > 0;

/** Rows that match the filter, in the order of the history. */
export function select(history: History, filter: Filter): number[] {
  const { header, requests } = history;
  const isFrom = addressesIn(header, filter.from);
  const rows: number[] = [];
  for (let row = 0; row < requests.length; row++) {
    const flow = header.flows[requests.flow[row]!];
    if (flow === undefined)
      throw new Error(`row ${row} names flow ${requests.flow[row]} of ${header.flows.length}`);
    if (filter.flow !== null && !filter.flow.includes(flow.name)) continue;
    if (filter.as !== null && (flow.as === null || !filter.as.includes(flow.as))) continue;
    if (filter.endpoint !== null && filter.endpoint !== `${flow.method} ${flow.path}`) continue;
    if (filter.api !== null && !filter.api.includes(header.apis[requests.api[row]!] ?? ""))
      continue;
    if (filter.status !== null && !filter.status.includes(requests.status[row]!)) continue;
    if (filter.stage !== null && !filter.stage.includes(flow.stages[requests.stage[row]!] ?? ""))
      continue;
    if (isFrom !== null && !isFrom[requests.address[row]! + 1]!) continue;
    if (filter.gateway !== null && !filter.gateway.includes(requests.gateway[row]!)) continue;
    if (filter.delayed !== undefined && filter.delayed !== wasDelayed(requests, row)) continue;
    if (filter.during !== null) {
      const atUs = scenarioTimeUs(requests, row);
      if (atUs < filter.during.fromUs || atUs >= filter.during.toUs) continue;
    }
    rows.push(row);
  }
  return rows;
}

/** Whether each address is in one of the networks. The first entry is for flows without an address. */
const addressesIn = (
  { addresses = [] }: History["header"],
  networks: Filter["from"],
): readonly boolean[] | null =>
  networks === null ? null : [LOOPBACK, ...addresses].map((address) => isIn(address, networks));

/** The first unknown name, as a sentence; null if there is none. An unknown name would never select a row. */
export function unknownName(history: History, filter: Filter): string | null {
  const { flows, apis } = history.header;
  const findUnknown = (
    what: string,
    names: readonly string[] | null,
    from: readonly (string | null)[],
  ): string | null => {
    const unknown = names?.find((name) => !from.includes(name));
    return unknown === undefined ? null : `the run has no ${what} "${unknown}"`;
  };
  return (
    findUnknown(
      "flow",
      filter.flow,
      flows.map((flow) => flow.name),
    ) ??
    findUnknown(
      "client",
      filter.as,
      flows.map((flow) => flow.as),
    ) ??
    findUnknown("API", filter.api, apis) ??
    findUnknown(
      "stage",
      filter.stage,
      flows.flatMap((flow) => flow.stages),
    ) ??
    findUnknown(
      "endpoint",
      filter.endpoint === null ? null : [filter.endpoint],
      flows.map((flow) => `${flow.method} ${flow.path}`),
    )
  );
}

/** The numbers of a failed comparison, for the sentence about it. */
export const compareRequests = (
  { as, flow, status }: Filter,
  comparison: Comparison,
  found: Pick<ComparedRequests, "observed" | "offered" | "windowUs">,
): ComparedRequests => ({
  clients: as ?? [],
  flows: flow ?? [],
  statuses: status,
  ...found,
  ...endsOf(comparison),
});

export const isAdmittedStatus = (status: number): boolean => status >= 200 && status < 300;
