// Requests of clients that send independently, each with its own gaps and random stream.
import { gapsOf } from "../../../kit/chance/gaps.ts";
import { drawRate } from "../../../kit/chance/rates.ts";
import type { Rng } from "../../../kit/chance/rng.ts";
import { SECOND } from "../../../kit/units.ts";
import type { TrafficShape } from "../types.ts";

interface ClientArrivals {
  readonly atUs: Float64Array; // since the start of the flow, ascending
  readonly client: Uint32Array;
}

/** Plans independent clients. Without `rates`, client i has a share of the rate proportional to 1 / (i + 1)^skew. */
export function planPopulation(
  { rate, forUs, gaps: family, cv, rates }: Extract<TrafficShape, { kind: "population" }>,
  clients: number,
  skew: number,
  rng: Rng,
): ClientArrivals {
  const gaps = gapsOf(family, cv);
  const spread = rates ?? { kind: "zipf", exponent: skew };
  const weights = Float64Array.from({ length: clients }, (_, client) =>
    drawRate(spread, client, rng.split(`rate/${client}`)),
  );
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
  return inOrder(times, senders);
}

/**
 * Clients send at regular times, each from its own offset on. Each time, each client is late by a new random time below
 * the jitter.
 */
export function planHerd(
  { everyUs, offsetUs, jitterUs, count, forUs }: Extract<TrafficShape, { kind: "cron" }>,
  clients: number,
  rng: Rng,
): ClientArrivals {
  const times: number[] = [];
  const senders: number[] = [];
  for (let client = 0; client < clients; client++) {
    const random = rng.split(String(client));
    const firstUs = offsetUs === 0 ? 0 : random.int(offsetUs);
    for (let us = firstUs; us < forUs; us += everyUs) {
      const atUs = us + (jitterUs === 0 ? 0 : random.int(jitterUs));
      for (let nth = 0; nth < count; nth++) {
        times.push(atUs);
        senders.push(client);
      }
    }
  }
  return inOrder(times, senders);
}

function inOrder(times: readonly number[], senders: readonly number[]): ClientArrivals {
  const order = Uint32Array.from(times.keys()).toSorted((a, b) => times[a]! - times[b]! || a - b);
  return {
    atUs: Float64Array.from(order, (at) => times[at]!),
    client: Uint32Array.from(order, (at) => senders[at]!),
  };
}
