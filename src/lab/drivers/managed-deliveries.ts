// Deliveries of webhooks in a scenario's world, from the records of its management.
import { MOST_WAITING, type Deliveries } from "../../gateway/management/events/deliveries.ts";
import type { Sign, Letter } from "../../gateway/management/events/letter.ts";
import type { Secrets } from "../../gateway/management/management.ts";
import type { ManagedRecords } from "../../gateway/management/records/records.ts";
import type { World, Receiver } from "../scenario/world.ts";
import type { Managed } from "./virtual-calls.ts";
import { deliveryMade, virtualWebhooks, type Received } from "./virtual-webhooks.ts";
import { micros } from "../../kit/units.ts";
import { addressProblem, portOf } from "../../gateway/management/http/receiver-addresses.ts";

interface DeliveryParts {
  readonly records: ManagedRecords & { readonly deliveries: Deliveries };
  readonly secrets: Secrets;
  readonly world: World;
  readonly sign: Sign;
}

export const deliveriesOf = ({
  records,
  secrets,
  world,
  sign,
}: DeliveryParts): Pick<Managed, "webhooks" | "listDeliveries"> => {
  const { eventCooldownUs, receivers } = world.management;
  return {
    webhooks: (fromUs, random) =>
      virtualWebhooks({
        records,
        secrets,
        fromUs,
        random,
        bounds: () => ({ cooldownUs: eventCooldownUs, mostWaiting: MOST_WAITING }),
        sign,
        isCredential: (text) => world.configuration!.keys.has(text),
        receive: receiversFor(receivers),
      }),
    listDeliveries: async ({ attempts }, epochUs) => {
      const ends = await records.deliveries.list(null, MOST_WAITING);
      return attempts.map((each) => deliveryMade(each, epochUs, ends));
    },
  };
};

/** A receiver that the scenario does not configure accepts everything at once. */
const DEFAULT_RECEIVER: Receiver = { answers: [200], afterUs: micros(0), addresses: ["1.0.0.1"] };

const NOTHING_ALLOWED = { has: () => false };

/** Returns a function with the response to a letter. Each attempt checks the receiver's address, which may change. */
function receiversFor(receivers: Readonly<Record<string, Receiver>>): (letter: Letter) => Received {
  const attemptCounts = new Map<string, number>();
  return ({ url }) => {
    const { answers, afterUs, addresses } = receivers[url] ?? DEFAULT_RECEIVER;
    const before = attemptCounts.get(url) ?? 0;
    attemptCounts.set(url, before + 1);
    const error = addressProblem([nth(addresses, before)], portOf(new URL(url)), NOTHING_ALLOWED);
    if (error !== null) return { status: null, afterUs: 0, error };
    const answer = nth(answers, before);
    switch (answer) {
      case "no response":
        return { status: null, afterUs: Number.POSITIVE_INFINITY };
      case "connection reset":
        return { status: null, afterUs };
      default:
        return { status: answer, afterUs };
    }
  };
}

/** The nth item; after the end of the list, its last item repeats. */
const nth = <T>(list: readonly T[], place: number): T => list[Math.min(place, list.length - 1)]!;
