// Deliveries of webhooks in a scenario's world, over the records of its management.
import { MOST_WAITING, type Deliveries } from "../../gateway/management/events/deliveries.ts";
import type { Sign } from "../../gateway/management/events/letter.ts";
import type { Secrets } from "../../gateway/management/management.ts";
import type { ManagedRecords } from "../../gateway/management/records/records.ts";
import type { World } from "../scenario/world.ts";
import { receiversFor } from "./receivers.ts";
import type { Managed } from "./virtual-calls.ts";
import { deliveryMade, virtualWebhooks } from "./virtual-webhooks.ts";

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
