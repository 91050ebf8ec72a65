// The connections of clients: one agent for each address that requests are sent from.
import { Agent, request } from "node:http";
import type { Plan } from "../scenario/types.ts";
import { placeOfAddress } from "../sim/places.ts";

/** Returns the address of this machine from which a request is sent; null: the system selects one. */
export type SourceOf = (arrival: number, credential: string | null) => string | null;

export interface Connections {
  readonly agentFor: (arrival: number, credential: string | null) => Agent;
  /** Opens connections by requests that no limit counts, so that the first burst need not wait for connections. */
  readonly warm: (url: URL, sources: ReadonlySet<string | null>, count: number) => Promise<void>;
  readonly close: () => void;
}

export function openConnections(sourceOf: SourceOf): Connections {
  const agents = new Map<string | null, Agent>();
  const agentOf = (source: string | null): Agent => {
    let agent = agents.get(source);
    if (agent === undefined) {
      agent = new Agent({
        keepAlive: true,
        ...(source === null ? {} : { localAddress: source }),
      });
      agents.set(source, agent);
    }
    return agent;
  };
  return {
    agentFor: (arrival, credential) => agentOf(sourceOf(arrival, credential)),
    warm: async (url, sources, count) => {
      await Promise.all(
        [...sources].flatMap((source) =>
          Array.from({ length: count }, () => get(agentOf(source), url)),
        ),
      );
    },
    close: () => {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

const get = (agent: Agent, url: URL): Promise<void> =>
  new Promise((resolve) => {
    const sent = request(url, { agent, timeout: 1_000 }, (response) => {
      response.resume();
      response.on("close", resolve);
    });
    sent.on("timeout", () => sent.destroy());
    sent.on("error", () => resolve());
    sent.end();
  });

const LOOPBACK_ADDRESS = /^127(?:\.\d+){3}$/;

/** The local address that an arrival is sent from. Each address of the plan has its own local one in 127.0.0.0/8. */
export function localSourceOf(plan: Plan, arrival: number): string | null {
  const place = placeOfAddress(plan, arrival);
  if (place < 0) return null;
  const address = plan.addresses![place]!;
  return LOOPBACK_ADDRESS.test(address) ? address : loopback(101, place);
}

/** Sources for gateways that identify clients by address alone: each credential sends from its own address. */
export function sourceByCredential(credentials: readonly string[]): SourceOf {
  const places = new Map(credentials.map((credential, index) => [credential, index]));
  return (_arrival, credential) =>
    credential === null ? null : loopback(201, places.get(credential) ?? credentials.length);
}

const HOSTS = 254; // addresses of a /24 network: .0 and .255 are reserved

function loopback(first: number, place: number): string {
  const net = Math.floor(place / HOSTS);
  return `127.${first + Math.floor(net / 256)}.${net % 256}.${(place % HOSTS) + 1}`;
}

const TOGETHER_US = 50_000;

/** The most requests that wait for a response at once if each takes 50 ms. */
export function mostAtOnce({ atUs }: Plan): number {
  let most = 0;
  for (let first = 0, last = 0; last < atUs.length; last++) {
    while (atUs[last]! - atUs[first]! > TOGETHER_US) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
