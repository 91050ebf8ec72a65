// Where a client is, as a served gateway hears it: from a proxy that it trusts, because nobody can send from an address
// that is not theirs.
import type { Flow, Plan } from "../scenario/types.ts";
import { addressOf, placeOfAddress } from "../sim/places.ts";

const NAME = "x-forwarded-for";

/** What a client says of itself stands before what the proxy adds, as proxies have it. */
export function forwardedFor(
  plan: Plan,
  arrival: number,
  { headers }: Flow,
): Readonly<Record<string, string>> {
  if (plan.addresses === undefined) return {};
  const place = placeOfAddress(plan, arrival);
  const [, said] = Object.entries(headers).find(([name]) => name.toLowerCase() === NAME) ?? [
    NAME,
    null,
  ];
  const address = addressOf(plan, place);
  // The gateway would look on behind an address that it trusts, and that is what an address of this machine is.
  return { [NAME]: said === null || place < 0 ? address : `${said}, ${address}` };
}
