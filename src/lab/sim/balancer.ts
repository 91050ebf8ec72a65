import type { Rng } from "../../kit/chance/rng.ts";
import type { Balancer } from "../scenario/world.ts";

export interface BalancedGateway {
  readonly index: number;
  readonly weight: number;
  serves: boolean;
  inFlight: number;
}

/** Chooses the gateway for the next request; null if none serves. `client` names the sender, for `sticky`. */
export type Pick<Node extends BalancedGateway> = (client: string) => Node | null;

export function balance<Node extends BalancedGateway>(
  { kind }: Balancer,
  nodes: readonly Node[],
  random: Rng,
): Pick<Node> {
  let turn = 0;
  const inTurn = (candidates: readonly Node[]): Node | null =>
    candidates[turn++ % candidates.length] ?? null;
  const serving = (): readonly Node[] =>
    nodes.every((node) => node.serves) ? nodes : nodes.filter((node) => node.serves);
  switch (kind) {
    case "round_robin":
      return () => inTurn(serving());
    case "random":
      return () => {
        const candidates = serving();
        return candidates[random.int(candidates.length)] ?? null;
      };
    case "least_connections":
      return () => {
        const candidates = serving();
        const fewest = Math.min(...candidates.map((node) => node.inFlight));
        return inTurn(candidates.filter((node) => node.inFlight === fewest));
      };
    case "sticky":
      return (client) => {
        const candidates = serving();
        return candidates[hash(client) % Math.max(1, candidates.length)] ?? null;
      };
    case "weighted":
      return () => pickByWeight(serving(), random);
  }
}

function pickByWeight<Node extends BalancedGateway>(
  candidates: readonly Node[],
  random: Rng,
): Node | null {
  const total = candidates.reduce((sum, node) => sum + node.weight, 0);
  let left = random.next() * total;
  for (const node of candidates) {
    left -= node.weight;
    if (left < 0) return node;
  }
  return candidates.at(-1) ?? null;
}

/** FNV-1a, so that the same client gets the same gateway in every run. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
