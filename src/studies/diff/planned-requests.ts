// The planned requests of a scenario as those of a log: each with the numbers of its client and its target.
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { UNKNOWN_SENDER } from "../../limiter/core/client.ts";
import type { GatewayRequest } from "../../gateway/outcome.ts";
import { LOOPBACK } from "../../lab/scenario/history.ts";
import type { Plan, Variant } from "../../lab/scenario/types.ts";
import { requestOf } from "../../lab/sim/clients.ts";
import { EPOCH_US } from "../../lab/sim/engine.ts";
import type { Arrivals } from "../replay/arrivals.ts";
import type { RequestNames } from "../replay/candidate-limiter.ts";
import { SEPARATOR, type NameTable } from "../replay/names.ts";
import { parseKey, selectorText, type Selector } from "../replay/selectors.ts";

export interface PlannedRequests {
  readonly variant: Variant;
  readonly plan: Plan;
}

export interface PlannedQuestion extends RequestNames {
  readonly key: readonly Selector[];
  readonly clients: NameTable;
}

/** Addresses, or credentials if no client of a scenario has an address. */
export const usualKeyOf = ({ plan: { addresses }, variant }: PlannedRequests): string =>
  addresses === undefined && variant.traffic.some((flow) => flow.as !== null)
    ? "header:authorization"
    : "ip";

/** The fields that a request of a scenario has. */
export function parsePlannedKey(typed: string): readonly Selector[] | Failure {
  const key = parseKey(typed);
  if (isFailure(key)) return key;
  const missing = key.find((selector) => valueOf(ANY_REQUEST, selector) === undefined);
  return missing === undefined
    ? key
    : new Failure(
        `${selectorText(missing)} is not known of requests without a log; there are ip, method, path and header:NAME`,
      );
}

interface PlannedArrivals extends Arrivals {
  readonly withoutKey: number; // requests that lack a field of the key, and are left out
}

export function buildPlanned(
  { variant, plan }: PlannedRequests,
  { key, clients, targets, sender = [] }: PlannedQuestion,
): PlannedArrivals {
  const rows = plan.atUs.length;
  const columns = {
    atUs: new Float64Array(rows),
    clients: new Int32Array(rows),
    targets: new Int32Array(rows),
  };
  const known = new Map<string, Numbers | null>();
  const numbersAt = (row: number): Numbers | null => {
    const flow = variant.traffic[plan.flow[row]!]!;
    const place = plan.address?.[row] ?? -1;
    const address = place < 0 ? LOOPBACK : plan.addresses![place]!;
    const id = `${plan.flow[row]} ${plan.client[row]} ${place}`;
    const before = known.get(id);
    if (before !== undefined) return before;
    const request = requestOf(variant.world.credentials, flow, plan.client[row]!, address);
    const client = key.length === 0 ? "all requests" : joinValues(request, key);
    const target = `${request.method} ${request.target}${sender.map((selector) => `${String.fromCodePoint(SEPARATOR)}${valueOf(request, selector) ?? ""}`).join("")}`;
    const numbers =
      client === null
        ? null
        : {
            client: numberOf(clients, client),
            target: targets === null ? 0 : numberOf(targets, target),
          };
    known.set(id, numbers);
    return numbers;
  };
  let count = 0;
  for (let row = 0; row < rows; row++) {
    const numbers = numbersAt(row);
    if (numbers === null) continue;
    columns.atUs[count] = EPOCH_US + plan.atUs[row]!;
    columns.clients[count] = numbers.client;
    columns.targets[count++] = numbers.target;
  }
  return { count, ...columns, withoutKey: rows - count };
}

interface Numbers {
  readonly client: number;
  readonly target: number;
}

const ANY_REQUEST: GatewayRequest = { method: "GET", target: "/", credential: null };

/** Null: the request has no such header; undefined: no request without a log has the field. */
function valueOf(
  { method, target, sender = UNKNOWN_SENDER }: GatewayRequest,
  { kind, name }: Selector,
): string | null | undefined {
  if (kind === "header") return sender.header(name.toLowerCase());
  const values = { ip: sender.address, method, path: target };
  return kind === "column" ? undefined : values[name as keyof typeof values];
}

/** Null: the request lacks one of the fields. */
function joinValues(request: GatewayRequest, key: readonly Selector[]): string | null {
  const values = key.map((selector) => valueOf(request, selector) ?? null);
  return values.includes(null) ? null : values.join(String.fromCodePoint(SEPARATOR));
}

function numberOf(table: NameTable, name: string): number {
  const bytes = new TextEncoder().encode(name);
  return table.idOf(bytes, 0, bytes.length);
}
