// From a variant and a seed to every arrival, before anything runs. Each flow draws from streams of
// its own, named after it, so that a new flow does not move the others, and all variants of a scenario
// see the same draws.
import { rng, type Rng } from "../../../kit/chance/rng.ts";
import { micros } from "../../../kit/units.ts";
import { arrivalsOf } from "./arrivals.ts";
import { clientsOf } from "./clients.ts";
import { addressesOf, partsOf, turnsOf } from "./mix.ts";
import { mergeFlows, type FlowColumns } from "../read/merge.ts";
import type { Plan, Variant } from "../types.ts";

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
