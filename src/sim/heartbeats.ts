// Gateways tell each other that they live, through the store's publish and subscribe (ALG-C4).
import { sample } from "../core/distribution.ts";
import { hear } from "../core/fleet.ts";
import { optionsOf } from "../core/limiter.ts";
import { meanwhile, type Engine, type Node } from "./engine.ts";

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
  meanwhile(engine, engine.nowUs + everyUs, () => {
    if (!node.serves || node.generation !== generation) return;
    publish(engine, node);
    beat(engine, node);
  });
}

/** One way to the store and one way out of it; a store that is away loses the message. */
function publish(engine: Engine, node: Node): void {
  if (engine.remote.isDown) return;
  const travelUs =
    sample(engine.remote.latency, engine.random.store) +
    sample(engine.remote.latency, engine.random.store);
  if (travelUs === 0) tell(engine, node);
  else meanwhile(engine, engine.nowUs + travelUs, () => tell(engine, node));
}

function tell(engine: Engine, from: Node): void {
  for (const node of engine.nodes) {
    if (node === from || !node.serves) continue;
    hear(
      node.gateway.limiter.fleet,
      nameOf(from),
      node.gateway.clock(),
      optionsOf(node.gateway.limiter).drlExpiryUs,
    );
  }
}
