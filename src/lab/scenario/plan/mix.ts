// Which of the keys, paths and addresses that a flow mixes each of its requests has. Lists are used in turn, in every
// combination; an item with a weight is drawn, from a stream of its own.
import type { Rng } from "../../../kit/chance/rng.ts";
import { clientAddress } from "../networks.ts";
import type { Flow, Mixture } from "../types.ts";
import { drawWeighted } from "./clients.ts";

/** The stream of chance of each thing that is drawn. */
type Chances = (what: "as" | "send" | "from") => Rng;

/** If a flow has several clients, each has one key and one address: these follow the client, and paths follow its requests. */
interface Turns {
  readonly sender: Float64Array; // keys and addresses are counted by this number
  readonly senderCount: number;
  readonly sent: Float64Array; // how many requests the client of each sent before
  readonly isEach: boolean; // several clients
}

export function turnsOf(client: Uint32Array, clients: number): Turns {
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
export function partsOf({ as, send }: Mixture, turns: Turns, chances: Chances): Uint32Array {
  const { sender, senderCount, sent, isEach } = turns;
  const keys = drawWeighted(senderCount, as.weights, chances("as"));
  const sends = drawWeighted(sent.length, send.weights, chances("send"));
  const step = isEach ? 1 : inTurn(as);
  return Uint32Array.from(sender, (turn, i) => {
    const key = keys?.[turn] ?? turn % as.count;
    return key * send.count + (sends?.[i] ?? Math.floor(sent[i]! / step) % send.count);
  });
}

/** How many turns a list takes before the next one goes on. */
const inTurn = ({ count, weights }: Mixture["as"]): number => (weights === null ? count : 1);

export function addressesOf(
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
    // Those of a network come one after the other, too.
    const place = chosen === null ? Math.floor(round / networks.length) : used[which]!++;
    return clientAddress(network, place);
  });
  return Array.from(sender, (turn) => places[turn]!);
}
