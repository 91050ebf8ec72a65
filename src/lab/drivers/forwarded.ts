// The address of a client for a served gateway: from a proxy that the gateway trusts, because no client can send from
// the address of another.
import type { Flow, Plan } from "../scenario/types.ts";
import { addressOf, placeOfAddress } from "../sim/places.ts";

const NAME = "x-forwarded-for";

/** The client's own header is first, then the address that the proxy adds, as proxies do. */
export function forwardingHeaders(
  plan: Plan,
  arrival: number,
  { headers }: Flow,
): Readonly<Record<string, string>> {
  if (plan.addresses === undefined) return {};
  const place = placeOfAddress(plan, arrival);
  const [, ownHeader] = Object.entries(headers).find(([name]) => name.toLowerCase() === NAME) ?? [
    NAME,
    null,
  ];
  const address = addressOf(plan, place);
  // The gateway skips addresses that it trusts, and an address of this machine is one.
  return { [NAME]: ownHeader === null || place < 0 ? address : `${ownHeader}, ${address}` };
}
