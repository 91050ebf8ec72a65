// Behaviour of a flow's clients: the credential in their requests, and their wait before they retry a refused request.
import { retryAfterSeconds } from "../../limiter/core/decision.ts";
import type { Sender } from "../../limiter/core/client.ts";
import { credentialIn, hasTwoCredentials, type ReceivedHeaders } from "../../gateway/credential.ts";
import type { Rng } from "../../kit/chance/rng.ts";
import { SECOND } from "../../kit/units.ts";
import type { GatewayRequest, RequestOutcome } from "../../gateway/outcome.ts";
import type { Behaviour, Flow } from "../scenario/types.ts";
import { LAST_US, type Engine } from "./engine.ts";

/** Client i uses the credential with index i modulo the number of credentials. */
export function credentialOf(
  credentials: ReadonlyMap<string, readonly string[]>,
  { as }: Flow,
  client: number,
): string | null {
  if (as === null) return null;
  const ofKey = credentials.get(as) ?? [as];
  return ofKey[client % ofKey.length] ?? null;
}

/** The headers of a flow and its key's credential in the usual header. A header that occurs twice becomes a list. */
export function headersSent(
  { headers }: Flow,
  credential: string | null,
): Record<string, string | string[]> {
  const sent: Record<string, string | string[]> = {};
  const key = credential === null ? [] : [["authorization", credential] as const];
  for (const [written, value] of [...key, ...Object.entries(headers)]) {
    const name = written.toLowerCase();
    sent[name] = Object.hasOwn(sent, name) ? [sent[name]!, value].flat() : value;
  }
  return sent;
}

const requestHeadersOf = (
  credentials: ReadonlyMap<string, readonly string[]>,
  flow: Flow,
  client: number,
): ReceivedHeaders => headersSent(flow, credentialOf(credentials, flow, client));

/** The credential that a gateway reads from a client's request. It may be in the flow's own headers instead. */
export const credentialShown = (
  credentials: ReadonlyMap<string, readonly string[]>,
  flow: Flow,
  client: number,
): string | null => credentialIn(requestHeadersOf(credentials, flow, client));

const showsTwo = (
  credentials: ReadonlyMap<string, readonly string[]>,
  flow: Flow,
  client: number,
): boolean =>
  hasTwoCredentials(
    Object.entries(requestHeadersOf(credentials, flow, client)).flatMap(([name, value]) =>
      [value ?? []].flat().flatMap((each) => [name, each]),
    ),
  );

function senderOf(
  credentials: ReadonlyMap<string, readonly string[]>,
  flow: Flow,
  client: number,
  address: string,
): Sender {
  const headers = requestHeadersOf(credentials, flow, client);
  return { address, header: (name) => [headers[name] ?? []].flat().join(", ") || null };
}

/** A request of a flow's client as a gateway receives it. */
export const requestOf = (
  credentials: ReadonlyMap<string, readonly string[]>,
  flow: Flow,
  client: number,
  address: string,
): GatewayRequest => ({
  method: flow.method.toUpperCase(),
  target: flow.path,
  credential: credentialShown(credentials, flow, client),
  hasTwoCredentials: showsTwo(credentials, flow, client),
  sender: senderOf(credentials, flow, client, address),
});

export const behaviourOf = ({ plan }: Engine, arrival: number): Behaviour =>
  plan.flows[plan.flow[arrival]!]!.behaviour;

/** Microseconds until the next attempt; null if the client gives up. `retryAfter` of the refusal is in seconds. */
export function patienceUs(
  behaviour: Behaviour,
  attempt: number,
  retryAfter: number | null,
  chance: Rng,
): number | null {
  if (behaviour.kind === "ignore" || attempt + 1 >= behaviour.maxAttempts) return null;
  if (behaviour.kind === "atb" || behaviour.kind === "aatb") return 0; // waits only for its token
  if (behaviour.kind === "backoff") {
    const { baseUs, factor, jitter, maxUs = Number.POSITIVE_INFINITY } = behaviour;
    const us = Math.min(baseUs * factor ** attempt, maxUs / (1 + jitter));
    return us * (1 + jitter * (2 * chance.next() - 1));
  }
  return retryAfter === null ? null : retryAfter * SECOND;
}

/** The wait, or null if the client gives up or the wait would end after the last time that a clock can show. */
export function waitBeforeRetry(
  engine: Engine,
  behaviour: Behaviour,
  attempt: number,
  decision: RequestOutcome["decision"], // null if the request was lost or no limiter decided it
): number | null {
  const retryAfter = decision === null ? null : retryAfterSeconds(decision);
  const waitUs = patienceUs(behaviour, attempt, retryAfter, engine.random.clients);
  return waitUs === null || engine.nowUs + waitUs > LAST_US ? null : waitUs;
}
