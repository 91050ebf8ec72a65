// Summarizes in bounded size how the clients of a history were served: quantiles over all clients, and the clients that
// were served worst.
import { answerTo } from "./rejections.ts";
import type { Requests } from "../scenario/history.ts";
import type { ClientQuantiles, ClientServed, ServedClients } from "../scenario/served-clients.ts";

const MOST_LISTED = 20;
const NEVER = Number.POSITIVE_INFINITY;

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** The quantile by nearest rank, which is one of the values. Expects sorted values. */
export const nearestRank = (sorted: Float64Array, share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NEVER;

type ServedRequests = Pick<
  Requests,
  "length" | "client" | "attempt" | "plannedUs" | "answeredUs" | "reason"
>;

export function serveClients(requests: ServedRequests): ServedClients {
  const { length, client, attempt, plannedUs, answeredUs } = requests;
  const clients = client.reduce((most, each) => Math.max(most, each + 1), 0);
  const [sent, attempts, admitted] = [0, 1, 2].map(() => new Uint32Array(clients));
  for (let row = 0; row < length; row++) {
    attempts![client[row]!]!++;
    if (attempt[row] === 0) sent![client[row]!]!++;
    if (answerTo(requests, row) === "admitted") admitted![client[row]!]!++;
  }
  const waitsOf = groupBy(admitted!, client, (row) =>
    answerTo(requests, row) === "admitted" ? Math.round(answeredUs[row]! - plannedUs[row]!) : null,
  );
  const each = Array.from({ length: clients }, (_, at) => at)
    .filter((at) => sent![at]! > 0)
    .map((at): MeasuredClient => {
      const waitsUs = new Float64Array(sent![at]!).fill(NEVER);
      waitsUs.set(waitsOf(at).subarray(0, sent![at]));
      return {
        client: at,
        requests: sent![at]!,
        attempts: attempts![at]!,
        admitted: admitted![at]!,
        gaveUp: sent![at]! - admitted![at]!,
        servedShare: Number((admitted![at]! / sent![at]!).toFixed(4)),
        waitUs: nearestRank(waitsUs.toSorted(), 0.5),
      };
    });
  const quantiles = (value: (client: MeasuredClient) => number): ClientQuantiles => {
    const sorted = Float64Array.from(each, value).toSorted();
    const at = (share: number): number | null => finite(nearestRank(sorted, share));
    return { least: at(0), p10: at(0.1), median: at(0.5), p90: at(0.9), most: at(1) };
  };
  return {
    clients: each.length,
    distribution: {
      requests: quantiles((one) => one.requests),
      attempts: quantiles((one) => one.attempts),
      gaveUp: quantiles((one) => one.gaveUp),
      servedShare: quantiles((one) => one.servedShare),
      successUs: quantiles(({ waitUs }) => waitUs),
    },
    worst: each
      .toSorted(
        (a, b) => a.servedShare - b.servedShare || compareWaits(a, b) || a.client - b.client,
      )
      .slice(0, MOST_LISTED)
      .map(({ waitUs, ...one }) => ({ ...one, successUs: finite(waitUs) })),
  };
}

type MeasuredClient = Omit<ClientServed, "successUs"> & { readonly waitUs: number };

const compareWaits = (a: MeasuredClient, b: MeasuredClient): number =>
  a.waitUs === b.waitUs ? 0 : b.waitUs - a.waitUs;

/** Returns a function that lists the values of a group. A row whose value is null belongs to no group. */
function groupBy(
  sizes: Uint32Array,
  groups: ArrayLike<number>,
  valueOf: (row: number) => number | null,
): (group: number) => Float64Array {
  const ends = new Uint32Array(sizes.length);
  for (let of = 0, sum = 0; of < sizes.length; of++) ends[of] = sum += sizes[of]!;
  const places = Uint32Array.from(ends, (end, of) => end - sizes[of]!);
  const values = new Float64Array(ends.at(-1) ?? 0);
  for (let row = 0; row < groups.length; row++) {
    const value = valueOf(row);
    if (value !== null) values[places[groups[row]!]!++] = value;
  }
  return (group) => values.subarray(ends[group]! - sizes[group]!, ends[group]);
}
