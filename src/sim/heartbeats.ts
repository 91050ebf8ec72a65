// Gateways tell each other that they live, through the store's publish and subscribe (ALG-C4).
import { sample } from "../chance/distribution.ts";
import { recordHeartbeat } from "../core/fleet.ts";
import { optionsOf } from "../core/limiter.ts";
import { updateHealth } from "../core/steps.ts";
import type { Engine, Node } from "./engine.ts";
import { nextTimeUs, postpone, reserve, scheduleAt } from "./event-queue.ts";

const nameOf = (node: Node): string => `gateway-${node.index}`;

/** A fleet that has been up for a while: everybody has just heard everybody. */
export function startFleet(engine: Engine): void {
  for (const node of engine.nodes) {
    tell(engine, node);
    beat(engine, node);
  }
}

/** A gateway on its own: it is heard at once, and hears the others when they next speak. */
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

/** So many failures in a row are as good as any more (ALG-C8), and so many rounds as all the others. */
const ROUNDS_THAT_SETTLE = 6;

/**
 * Where nothing else happens for long, one round is like the other: all but the first and the last few are
 * left out, or else a client that comes back after a century would hear three thousand million of them.
 * True where some were; `untilUs` is when something else happens.
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
 * One way to the store, and from there one way to the others and one back. A store that is away loses the
 * message, and so a gateway that asks for nothing else notices too that it cannot be heard (ALG-C8).
 */
function publish(engine: Engine, node: Node): void {
  if (engine.isImmediate) {
    tell(engine, node);
    return;
  }
  const timeoutUs = optionsOf(node.gateway.limiter).storeTimeoutUs;
  const sentUs = engine.nowUs;
  const note = noteOnce(node);
  onTheWay(engine, sentUs + timeoutUs, () => note(true));
  onTheWay(engine, sentUs + travel(engine), () => {
    const hasFailed = engine.remote.outages > 0;
    onTheWay(engine, engine.nowUs + travel(engine), () => note(hasFailed));
    if (!hasFailed) onTheWay(engine, engine.nowUs + travel(engine), () => tell(engine, node));
  });
}

const travel = ({ remote, random }: Engine): number => sample(remote.latency, random.store);

/** The answer or the time-out, whichever comes first, to the process that asked. */
function noteOnce(node: Node): (hasFailed: boolean) => void {
  const { generation } = node;
  let noted = false;
  return (hasFailed) => {
    if (noted || node.generation !== generation) return;
    noted = true;
    updateHealth(node.gateway.limiter, hasFailed, node.gateway.clock());
  };
}

function tell(engine: Engine, from: Node): void {
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
