// Gateways tell each other that they live, through the store's publish and subscribe (ALG-C4).
import { sample } from "../core/distribution.ts";
import { hear } from "../core/fleet.ts";
import { optionsOf } from "../core/limiter.ts";
import { noteAnswer } from "../core/steps.ts";
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
  meanwhile(engine, sentUs + timeoutUs, () => note(true));
  meanwhile(engine, sentUs + travel(engine), () => {
    const hasFailed = engine.remote.isDown;
    meanwhile(engine, engine.nowUs + travel(engine), () => note(hasFailed));
    if (!hasFailed) meanwhile(engine, engine.nowUs + travel(engine), () => tell(engine, node));
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
    noteAnswer(node.gateway.limiter, hasFailed, node.gateway.clock());
  };
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
