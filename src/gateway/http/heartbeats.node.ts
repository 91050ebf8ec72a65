// Gateways publish heartbeats, so that each can count the active ones (ALG-C4). A gateway counts its own heartbeat as
// sent only when the store delivers it back. That proves both directions; a reply to the publish would not.
import { randomBytes } from "node:crypto";
import { removeGateway, recordHeartbeat } from "../../limiter/core/fleet.ts";
import { optionsOf } from "../../limiter/core/limiter.ts";
import { updateHealth } from "../../limiter/core/steps.ts";
import { toMilliseconds } from "../../kit/units.ts";
import type { Gateway } from "../gateway.ts";
import type { Channel } from "../../limiter/store/channel.ts";

export interface Member {
  readonly id: string;
  /** Resolves to null as soon as heartbeats are received, or to the reason why the store rejects the subscription. */
  readonly listening: Promise<string | null>;
  /** Announces the end of this gateway, so that others need not wait for `drl_expiry`. */
  readonly leave: () => Promise<void>;
}

/** `+` is a heartbeat, `-` an end. Other messages on the channel are not from gateways. */
const MESSAGE = /^([+-])([0-9a-f]{16})$/;

/** How many times a heartbeat that does not arrive is sent again. In a cluster, it is then sent to another node. */
const ONCE_MORE = 1;

export function joinFleet(gateway: Gateway, channel: Channel): Member {
  const { limiter, clock } = gateway;
  const id = randomBytes(8).toString("hex");
  let hasLeft = false;
  let next: NodeJS.Timeout | undefined;
  let overdue: NodeJS.Timeout | undefined;

  const receive = (text: string): void => {
    const [, sign, from] = MESSAGE.exec(text) ?? [];
    if (from === undefined || hasLeft) return;
    const nowUs = clock();
    const { drlExpiryUs } = optionsOf(limiter);
    if (from !== id) {
      if (sign === "+") recordHeartbeat(limiter.fleet, from, nowUs, drlExpiryUs);
      else removeGateway(limiter.fleet, from, nowUs, drlExpiryUs);
    } else if (overdue !== undefined) {
      clearTimeout(overdue);
      overdue = undefined;
      updateHealth(limiter, false, nowUs);
    }
  };

  const beat = (): void => {
    if (hasLeft) return;
    if (overdue === undefined) sendHeartbeat(ONCE_MORE);
    next = setTimeout(beat, toMilliseconds(optionsOf(limiter).drlNotificationFrequencyUs));
  };

  const sendHeartbeat = (again: number): void => {
    const isSent = channel.publish(`+${id}`);
    overdue = setTimeout(
      () => (again > 0 ? sendHeartbeat(again - 1) : fail(isSent)),
      toMilliseconds(optionsOf(limiter).storeTimeoutUs),
    );
  };

  /** A gateway that misses its own heartbeat may miss others, so it treats the store as unreachable (ALG-C8). */
  const fail = (isSent: boolean): void => {
    overdue = undefined;
    updateHealth(limiter, true, clock());
    if (isSent) channel.renew();
  };

  const listening = channel.listen(receive);
  void listening.then((refused) => refused ?? beat());
  return {
    id,
    listening,
    leave: async () => {
      hasLeft = true;
      clearTimeout(next);
      clearTimeout(overdue);
      channel.publish(`-${id}`);
      await channel.close();
    },
  };
}
