// Which of the keys, paths and addresses that a flow mixes each of its requests has. Lists are used in turn, in every
// combination; what has weights is drawn, from a stream of its own.
import type { Rng } from "../../core/rng.ts";
import { clientAddress } from "../read/mixed.ts";
import type { Flow, Mixture } from "../types.ts";
import { drawn } from "./clients.ts";

/** The stream of chance of each thing that is drawn. */
export type Chances = (what: "as" | "send" | "from") => Rng;

export interface Turns {
  /** The first count for the client, so that one client has one key and one address; where there is one, all turn. */
  readonly outer: Float64Array;
  readonly inner: Float64Array;
}

/** Keys and addresses belong to clients, where there are several; paths turn from request to request of a client. */
export function turnsOf(client: Uint32Array, clients: number): Turns {
  const sent = new Float64Array(clients);
  const inner = Float64Array.from(client, (each) => sent[each]!++);
  return { outer: clients > 1 ? Float64Array.from(client) : inner, inner };
}

/** Which part of its flow each request belongs to. */
export function partsOf({ as, send }: Mixture, { outer, inner }: Turns, chances: Chances): Uint32Array {
  const keys = drawn(outer.length, as.weights, chances("as"));
  const sends = drawn(outer.length, send.weights, chances("send"));
  const step = outer === inner ? inTurn(as) : 1;
  return Uint32Array.from(outer, (turn, i) => {
    const key = keys?.[i] ?? turn % as.count;
    return key * send.count + (sends?.[i] ?? Math.floor(inner[i]! / step) % send.count);
  });
}

/** How many turns a list takes before the next one goes on. */
const inTurn = ({ count, weights }: Mixture["as"]): number => (weights === null ? count : 1);

export function addressesOf(
  { from, mix, clients }: Flow,
  { outer }: Turns,
  chances: Chances,
): readonly string[] | null {
  if (from === undefined) return null;
  const { networks, weights } = from;
  const chosen = drawn(outer.length, weights, chances("from"));
  const keys = mix === undefined ? 1 : inTurn(mix.as);
  const step = keys * (mix === undefined || clients > 1 ? 1 : inTurn(mix.send));
  const used = networks.map(() => 0);
  return Array.from(outer, (turn, i) => {
    const round = Math.floor(turn / step);
    if (chosen === null)
      return clientAddress(networks[round % networks.length]!, Math.floor(round / networks.length));
    const which = chosen[i]!;
    return clientAddress(networks[which]!, clients > 1 ? turn : used[which]!++);
  });
}
