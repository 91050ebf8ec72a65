// Requests of clients that each send by themselves, with gaps and a stream of chance of their own.
import { gapsOf } from "../../chance/gaps.ts";
import type { Rng } from "../../chance/rng.ts";
import { SECOND } from "../../core/units.ts";
import type { TrafficShape } from "../types.ts";

interface ClientArrivals {
  readonly atUs: Float64Array; // from the start of the flow, rising
  readonly client: Uint32Array;
}

/** Client i has a part of the rate in proportion to 1 / (i + 1)^skew (Zipf). */
export function planPopulation(
  { rate, forUs, gaps: family, cv }: Extract<TrafficShape, { kind: "population" }>,
  clients: number,
  skew: number,
  rng: Rng,
): ClientArrivals {
  const gaps = gapsOf(family, cv);
  const weights = Float64Array.from({ length: clients }, (_, client) => (client + 1) ** -skew);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const times: number[] = [];
  const senders: number[] = [];
  for (let client = 0; client < clients; client++) {
    const meanUs = (SECOND * sum) / (rate * weights[client]!);
    const random = rng.split(String(client));
    for (let us = meanUs * gaps.first(random); us < forUs; us += meanUs * gaps.next(random)) {
      times.push(Math.floor(us));
      senders.push(client);
    }
  }
  const order = Uint32Array.from(times.keys()).toSorted((a, b) => times[a]! - times[b]! || a - b);
  return {
    atUs: Float64Array.from(order, (at) => times[at]!),
    client: Uint32Array.from(order, (at) => senders[at]!),
  };
}
