// Heartbeats between gateways, through the store's publish and subscribe (ALG-C4).
import { sample } from "../../kit/chance/distribution.ts";
import { recordHeartbeat } from "../../limiter/core/fleet.ts";
import { optionsOf } from "../../limiter/core/limiter.ts";
import { updateHealth } from "../../limiter/core/steps.ts";
import type { Engine, Node } from "./engine.ts";
import { nextTimeUs, postpone, reserve, scheduleAt } from "./event-queue.ts";

const names: string[] = [];

const nameOf = ({ index }: Node): string => (names[index] ??= `gateway-${index}`);

/** Makes the fleet look long-running: each gateway has just received a heartbeat from every other. */
export function startFleet(engine: Engine): void {
  for (const node of engine.nodes) {
    announce(engine, node);
    beat(engine, node);
  }
}

/** Adds a gateway, which publishes a heartbeat immediately and receives the next heartbeats of the others. */
export function joinFleet(engine: Engine, node: Node): void {
  publish(engine, node);
  beat(engine, node);
}

function beat(engine: Engine, node: Node): void {
  const { generation } = node;
  const everyUs = optionsOf(node.gateway.limiter).drlNotificationFrequencyUs;
  engine.heartbeats.longestUs = Math.max(engine.heartbeats.longestUs, everyUs);
  among(engine, engine.nowUs + everyUs, () => {
    if (!node.serves || node.generation !== generation) return;
    publish(engine, node);
    beat(engine, node);
  });
}

const among = ({ queue, heartbeats }: Engine, atUs: number, what: () => void): void =>
  scheduleAt(heartbeats.queue, atUs, reserve(queue), what, undefined);

function onTheWay(engine: Engine, atUs: number, what: () => void): void {
  engine.heartbeats.onTheWay++;
  among(engine, atUs, () => {
    engine.heartbeats.onTheWay--;
    what();
  });
}

/** After this many rounds of heartbeats, or failures in a row, more rounds or failures change nothing (ALG-C8). */
const ROUNDS_THAT_SETTLE = 6;

/**
 * If nothing else happens for long, all rounds are alike, so all but the first and the last few are skipped: else a
 * client that returns after a century would wait for three thousand million rounds. Returns true if rounds were
 * skipped. `untilUs` is the time of the next other event.
 */
export function skipRounds(engine: Engine, untilUs: number): boolean {
  const { queue, onTheWay: messages, longestUs, quietSinceUs } = engine.heartbeats;
  const nextUs = nextTimeUs(queue);
  const { drlNotificationFrequencyUs, drlExpiryUs, storeTimeoutUs } = optionsOf(
    engine.nodes[0]!.gateway.limiter,
  );
  const settledUs = ROUNDS_THAT_SETTLE * longestUs + drlExpiryUs + storeTimeoutUs;
  if (messages > 0 || nextUs - quietSinceUs < settledUs) return false;
  const rounds = Math.floor((untilUs - settledUs - nextUs) / drlNotificationFrequencyUs);
  if (rounds < 1 || rounds === Number.POSITIVE_INFINITY) return false;
  postpone(queue, rounds * drlNotificationFrequencyUs);
  return true;
}

/**
 * Sends a heartbeat to the store, which forwards it to the other gateways and replies to the sender. In an outage the
 * heartbeat fails, so that a gateway without other operations notices the outage too (ALG-C8).
 */
function publish(engine: Engine, node: Node): void {
  if (engine.isImmediate) {
    announce(engine, node);
    return;
  }
  const timeoutUs = optionsOf(node.gateway.limiter).storeTimeoutUs;
  const sentUs = engine.nowUs;
  const note = noteOnce(node);
  onTheWay(engine, sentUs + timeoutUs, () => note(true));
  onTheWay(engine, sentUs + travel(engine), () => {
    const hasFailed = engine.remote.outages > 0;
    onTheWay(engine, engine.nowUs + travel(engine), () => note(hasFailed));
    if (!hasFailed) onTheWay(engine, engine.nowUs + travel(engine), () => announce(engine, node));
  });
}

const travel = ({ remote, random }: Engine): number => sample(remote.latency, random.store);

/** Returns a handler that accepts the reply or the time-out, whichever is first, unless the process restarted. */
function noteOnce(node: Node): (hasFailed: boolean) => void {
  const { generation } = node;
  let noted = false;
  return (hasFailed) => {
    if (noted || node.generation !== generation) return;
    noted = true;
    updateHealth(node.gateway.limiter, hasFailed, node.gateway.clock());
  };
}

function announce(engine: Engine, from: Node): void {
  for (const node of engine.nodes) {
    if (node === from || !node.serves) continue;
    recordHeartbeat(
      node.gateway.limiter.fleet,
      nameOf(from),
      node.gateway.clock(),
      optionsOf(node.gateway.limiter).drlExpiryUs,
    );
  }
}
