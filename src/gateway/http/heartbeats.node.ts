// Gateways tell each other that they live, so that each knows how many there are (ALG-C4). A heartbeat has
// come through when the gateway hears it itself: that proves both ways, as no answer to a publish does.
import { randomBytes } from "node:crypto";
import { removeGateway, recordHeartbeat } from "../../core/fleet.ts";
import { optionsOf } from "../../core/limiter.ts";
import { updateHealth } from "../../core/steps.ts";
import { toMilliseconds } from "../../core/units.ts";
import type { Gateway } from "../gateway.ts";
import type { Channel } from "../../store/channel.ts";

export interface Member {
  readonly id: string;
  /** Null once it hears the others; a text where the store refuses that, and it never will. */
  readonly hears: Promise<string | null>;
  /** Says goodbye: the others need not wait for `drl_expiry`. */
  readonly leave: () => Promise<void>;
}

/** `+` lives, `-` goes; whatever else is said there is not meant for gateways. */
const MESSAGE = /^([+-])([0-9a-f]{16})$/;

/** In a cluster each word goes over another node, and one of them may be away. */
const ONCE_MORE = 1;

export function joinFleet(gateway: Gateway, channel: Channel): Member {
  const { limiter, clock } = gateway;
  const id = randomBytes(8).toString("hex");
  let hasLeft = false;
  let next: NodeJS.Timeout | undefined;
  let unheard: NodeJS.Timeout | undefined;

  const listen = (text: string): void => {
    const [, sign, from] = MESSAGE.exec(text) ?? [];
    if (from === undefined || hasLeft) return;
    const nowUs = clock();
    const { drlExpiryUs } = optionsOf(limiter);
    if (from !== id) {
      if (sign === "+") recordHeartbeat(limiter.fleet, from, nowUs, drlExpiryUs);
      else removeGateway(limiter.fleet, from, nowUs, drlExpiryUs);
    } else if (unheard !== undefined) {
      clearTimeout(unheard);
      unheard = undefined;
      updateHealth(limiter, false, nowUs);
    }
  };

  const beat = (): void => {
    if (hasLeft) return;
    if (unheard === undefined) speak(ONCE_MORE);
    next = setTimeout(beat, toMilliseconds(optionsOf(limiter).drlNotificationFrequencyUs));
  };

  const speak = (again: number): void => {
    const isSaid = channel.publish(`+${id}`);
    unheard = setTimeout(
      () => (again > 0 ? speak(again - 1) : fail(isSaid)),
      toMilliseconds(optionsOf(limiter).storeTimeoutUs),
    );
  };

  /** Who is not heard does not hear either: `n` is frozen as when a request finds no store (ALG-C8). */
  const fail = (isSaid: boolean): void => {
    unheard = undefined;
    updateHealth(limiter, true, clock());
    if (isSaid) channel.renew();
  };

  const hears = channel.listen(listen);
  void hears.then((refused) => refused ?? beat());
  return {
    id,
    hears,
    leave: async () => {
      hasLeft = true;
      clearTimeout(next);
      clearTimeout(unheard);
      channel.publish(`-${id}`);
      await channel.close();
    },
  };
}
