// Computes every arrival from a variant and a seed, before anything runs. Each flow draws from its own random streams,
// named after it, so that adding a flow does not change others, and all variants of a scenario use the same draws.
import { rng, type Rng } from "../../../kit/chance/rng.ts";
import { micros } from "../../../kit/units.ts";
import { arrivalsOf } from "./arrivals.ts";
import { clientsOf, drawWeighted } from "./clients.ts";
import { mergeFlows, type FlowColumns } from "../read/merge.ts";
import type { Plan, Variant, Flow, Mixture } from "../types.ts";
import { clientAddress } from "../networks.ts";

export function plan(variant: Variant, scenario: string, seed: number): Plan {
  const { traffic } = variant;
  const addresses = new Map<string, number>();
  let untilUs = 0;
  const flows = [...traffic.entries()].flatMap(([index, flow]): readonly FlowColumns[] => {
    const { name, clients, skew, mix, from } = flow;
    if (mix !== undefined && mix.part > 0) return []; // planned with the first part of its flow
    const chances = (what: string): Rng => rng(seed, `${what}/${name}`);
    const { atUs, stage, endUs, client: own } = arrivalsOf(flow, chances("traffic"));
    if (flow.atUs > 0) for (let i = 0; i < atUs.length; i++) atUs[i] = atUs[i]! + flow.atUs;
    untilUs = Math.max(untilUs, flow.atUs + endUs, atUs.at(-1) ?? 0);
    const client = own ?? clientsOf(atUs.length, clients, skew, chances("clients"));
    if (mix === undefined && from === undefined)
      return [{ atUs, client, stage, flow: index, address: null }];
    const turns = turnsOf(client, clients);
    const parts =
      mix === undefined ? index : partsOf(mix, turns, chances).map((part) => index + part);
    const senders = addressesOf(flow, turns, chances);
    const address =
      senders === null ? null : Int32Array.from(senders, (each) => indexOfAddress(addresses, each));
    return [{ atUs, client, stage, flow: parts, address }];
  });
  const { address, ...columns } = mergeFlows(flows);
  return {
    scenario,
    variant: variant.name,
    seed,
    flows: traffic,
    ...columns,
    ...(addresses.size > 0 && { address, addresses: [...addresses.keys()] }),
    untilUs: micros(untilUs),
  };
}

function indexOfAddress(known: Map<string, number>, address: string): number {
  let place = known.get(address);
  if (place === undefined) known.set(address, (place = known.size));
  return place;
}

/** Returns the random stream for draws of keys (`as`), paths (`send`) or addresses (`from`). */
type Chances = (what: "as" | "send" | "from") => Rng;

/** The numbers that select keys, addresses and paths. If a flow has several clients, each has one key and address. */
interface Turns {
  readonly sender: Float64Array; // the number that selects key and address
  readonly senderCount: number;
  readonly sent: Float64Array; // how many requests the same client sent before
  readonly isEach: boolean; // whether the flow has several clients
}

/**
 * Lists of keys, paths and addresses are used in turn, in every combination. Items with weights are drawn, each list
 * from its own random stream.
 */
function turnsOf(client: Uint32Array, clients: number): Turns {
  const counts = new Float64Array(clients);
  const sent = Float64Array.from(client, (each) => counts[each]!++);
  const isEach = clients > 1;
  return {
    sender: isEach ? Float64Array.from(client) : sent,
    senderCount: isEach ? clients : sent.length,
    sent,
    isEach,
  };
}

/** Which part of its flow each request belongs to. */
function partsOf({ as, send }: Mixture, turns: Turns, chances: Chances): Uint32Array {
  const { sender, senderCount, sent, isEach } = turns;
  const keys = drawWeighted(senderCount, as.weights, chances("as"));
  const sends = drawWeighted(sent.length, send.weights, chances("send"));
  const step = isEach ? 1 : inTurn(as);
  return Uint32Array.from(sender, (turn, i) => {
    const key = keys?.[turn] ?? turn % as.count;
    return key * send.count + (sends?.[i] ?? Math.floor(sent[i]! / step) % send.count);
  });
}

/** After how many turns of this list the next list advances by one item. */
const inTurn = ({ count, weights }: Mixture["as"]): number => (weights === null ? count : 1);

function addressesOf(
  { from, mix }: Flow,
  { sender, senderCount, isEach }: Turns,
  chances: Chances,
): readonly string[] | null {
  if (from === undefined) return null;
  const { networks, weights } = from;
  const chosen = drawWeighted(senderCount, weights, chances("from"));
  const keys = mix === undefined ? 1 : inTurn(mix.as);
  const step = mix === undefined ? 1 : keys * (isEach ? 1 : inTurn(mix.send));
  const used = networks.map(() => 0);
  const places = Array.from({ length: senderCount }, (_, turn) => {
    const round = Math.floor(turn / step);
    const which = chosen?.[turn] ?? round % networks.length;
    const network = networks[which]!;
    // Addresses of one network are used in turn, too.
    const place = chosen === null ? Math.floor(round / networks.length) : used[which]!++;
    return clientAddress(network, place);
  });
  return Array.from(sender, (turn) => places[turn]!);
}
