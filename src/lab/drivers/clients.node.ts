// Clients in real time: they send the plan, each request at its time, to the servers of the world. Injected faults and
// management calls begin when they are due.
import { setTimeout as sleep } from "node:timers/promises";
import { rng, type Rng } from "../../kit/chance/rng.ts";
import { micros } from "../../kit/units.ts";
import type { RequestOutcome } from "../../gateway/outcome.ts";
import { NO_GATEWAY, type HistoryCall } from "../scenario/history.ts";
import type { Fault, ManagementCall, Plan, Variant, Flow } from "../scenario/types.ts";
import { credentialOf, headersSent, patienceUs } from "../sim/clients.ts";
import { clientName, addressOf, placeOfAddress } from "../sim/places.ts";
import { openConnections, type Connections } from "./connections.node.ts";
import { exchange, type ExchangeResult, type LostExchange } from "./exchange.node.ts";
import { playOpenLoop, until } from "./open-loop.node.ts";
import {
  recordLost,
  recordRequest,
  retryAfterIn,
  type RealRecorder,
  type ResponseReading,
} from "./real-recorder.ts";

/** The header by which a client identifies its request. */
export const ATTEMPT_HEADER = "weir-attempt";

/** Time between applying a world and its first request. Stores connect during this time. */
export const LEAD_US = 20_000;

/** A server that receives requests, and how many of its requests wait for a response. */
interface ClientDestination {
  readonly url: URL;
  readonly gateway: number;
  readonly load: { inFlight: number };
}

/** A world as its clients see it: its servers, and the injected faults and calls that it performs. */
export interface ServedWorld {
  /** The server for the next request of a client; null if no server runs. */
  readonly destinationOf: (client: string) => ClientDestination | null;
  readonly read: (sent: ClientRequest, response: ExchangeResult) => ResponseReading;
  /** The outcome of a request without a response: its API and its key. */
  readonly onLost: (sent: ClientRequest) => RequestOutcome;
  /**
   * Resolves once all requests that wait for a response are decided; null if they already are. Unset for a foreign
   * gateway, which does not report decisions: there, requests and injected faults do not wait for each other.
   */
  readonly settle?: (inFlight: ReadonlySet<string>) => Promise<void> | null;
  /** Applies an injected fault. Returns null if that is already complete. */
  readonly inject: (fault: Fault) => Promise<void> | null;
  readonly call: (call: ManagementCall) => Promise<HistoryCall>;
}

interface ClientRequest {
  readonly name: string; // "ARRIVAL.ATTEMPT"
  readonly arrival: number;
  readonly credential: string | null;
}

export interface Playing {
  readonly variant: Variant;
  readonly plan: Plan;
  readonly served: ServedWorld;
  readonly real: RealRecorder;
  readonly nowUs: () => number;
  readonly connections?: Connections; // unset: all requests come from one address
}

interface Clients extends Playing {
  readonly connections: Connections;
  readonly inFlight: Set<string>; // names of requests that wait for their response
  readonly waits: Rng;
}

export async function playClients(playing: Playing): Promise<void> {
  const { plan, nowUs } = playing;
  const connections = playing.connections ?? openConnections(() => null);
  const waits = rng(plan.seed, `${plan.scenario}/${plan.variant}/clients`);
  const clients: Clients = { ...playing, connections, waits, inFlight: new Set() };
  const over = new AbortController();
  const faults = faultsOf(clients);
  const calls = callsOf(playing);
  let begun = 0; // number of arrivals that have begun
  const isNext = (dueUs: number): boolean => !(plan.atUs[begun]! < dueUs);
  const inTime = [...faults, ...calls].map((fault) => whenDue(fault, nowUs, isNext, over.signal));
  try {
    await playOpenLoop({
      atUs: plan.atUs,
      nowUs,
      attempt: (arrival, attempt) => {
        if (attempt === 0) begun = arrival + 1;
        // An injected fault or call that is due when a request is sent begins before the request, as in virtual time.
        const dueUs = attempt === 0 ? plan.atUs[arrival]! : nowUs();
        for (const fault of faults) if (fault.atUs <= dueUs) fault.begin();
        const before = calls.filter(({ atUs }) => atUs <= dueUs);
        for (const call of before) call.begin();
        const restarts = faults.filter(({ atUs, isAtOnce }) => isAtOnce && atUs <= dueUs);
        const held = [...before.slice(-1), ...restarts].map(({ done }) => done());
        const send = (): ReturnType<typeof sendOne> => sendOne(clients, arrival, attempt);
        // A failed injected fault or call does not stop the request: the run throws the error at its end.
        return held.length === 0 ? send() : Promise.allSettled(held).then(send);
      },
      signal: over.signal,
    });
    for (const call of calls) {
      await until(call.atUs, nowUs, undefined);
      call.begin();
      await call.done();
    }
  } finally {
    over.abort();
    await Promise.all(inTime);
    await Promise.all(faults.map(({ done }) => done()));
    connections.close();
  }
}

// ---------------------------------------------------------------- requests

async function sendOne(clients: Clients, arrival: number, attempt: number): Promise<number | null> {
  const { variant, plan, served, connections, inFlight, real, waits, nowUs } = clients;
  const flow = plan.flows[plan.flow[arrival]!]!;
  const client = plan.client[arrival]!;
  const credential = credentialOf(variant.world.credentials, flow, client);
  const sent: ClientRequest = { name: `${arrival}.${attempt}`, arrival, credential };
  /** `to` is the gateway that the request was sent to. The gateway received it if a connection was open. */
  const lose = (lost: LostExchange, to: number): number | null => {
    const gateway = lost.reason === "unreachable" ? NO_GATEWAY : to;
    recordLost(real, { arrival, attempt, gateway, ...lost }, served.onLost(sent));
    return patienceUs(flow.behaviour, attempt, null, waits);
  };
  const destination = served.destinationOf(credential ?? clientName(plan, arrival));
  if (destination === null) {
    const sentUs = nowUs();
    return lose({ sentUs, lostUs: sentUs, reason: "unreachable" }, NO_GATEWAY);
  }
  const { url, load, gateway } = destination;
  const headers = {
    ...headersSent(flow, credential),
    ...forwardingHeaders(plan, arrival, flow),
    [ATTEMPT_HEADER]: sent.name,
  };
  load.inFlight++;
  inFlight.add(sent.name);
  const agent = connections.agentFor(arrival, credential);
  const response = await exchange(agent, { url, ...flow, headers }, nowUs);
  load.inFlight--;
  inFlight.delete(sent.name);
  if ("lostUs" in response) return lose(response, gateway);
  const reading = served.read(sent, response);
  recordRequest(real, { arrival, attempt, ...response }, reading);
  return response.status < 400
    ? null
    : patienceUs(flow.behaviour, attempt, retryAfterIn(reading.headers), waits);
}

// ---------------------------------------------------------------- calls

/** The management calls of a run. Each begins after the end of the call before it. */
function callsOf({ variant, served, real }: Playing): readonly Due[] {
  let last: Promise<void> = Promise.resolve();
  const make = async (call: ManagementCall): Promise<void> => {
    real.calls.push(await served.call(call));
  };
  const waiting = [...variant.calls];
  const made = new Map<ManagementCall, Promise<void>>();
  const beginUntil = (latest: ManagementCall): void => {
    while (!made.has(latest)) {
      const call = waiting.shift()!;
      last = thrownLater(last.then(() => make(call)));
      made.set(call, last);
    }
  };
  return variant.calls.map((call): Due => ({
    atUs: call.atUs,
    begin: () => beginUntil(call),
    done: () => made.get(call) ?? Promise.resolve(),
    isAtOnce: true,
  }));
}

// ---------------------------------------------------------------- injected faults

interface Due {
  readonly atUs: number;
  readonly begin: () => void; // only the first call has an effect
  readonly done: () => Promise<void>;
  /** True if the item takes no virtual time: requests that are due later then wait until the item is complete. */
  readonly isAtOnce: boolean;
}

function faultsOf({ variant, served, inFlight, real, nowUs }: Clients): readonly Due[] {
  return variant.faults.map((fault): Due => {
    let under: Promise<void> | null = null;
    const happen = async (): Promise<void> => {
      const settled = served.settle?.(inFlight) ?? null;
      if (settled !== null) await settled;
      const fromUs = micros(nowUs());
      const harmed = served.inject(fault);
      if (harmed !== null) await harmed;
      const toUs = micros(nowUs());
      const what = fault.kind === "store_down" ? "store_down" : "fault";
      real.history.spans.push({ what, gateway: null, fromUs, toUs, text: fault.kind });
    };
    return {
      atUs: "atUs" in fault ? fault.atUs : fault.fromUs,
      begin: () => void (under ??= thrownLater(happen())),
      done: () => under ?? Promise.resolve(),
      // A leaving gateway gets no new requests from the first instant, so they need not wait until it is drained.
      isAtOnce:
        served.settle !== undefined && !("fromUs" in fault) && fault.kind !== "gateway_leave",
    };
  });
}

/** `done` throws the error. Without this handler, a rejection before `done` is called would end the process. */
function thrownLater(work: Promise<void>): Promise<void> {
  work.catch(() => {});
  return work;
}

/** Begins an injected fault or call when it is due, after all earlier requests, which a busy machine may send late. */
async function whenDue(
  { atUs, begin }: Due,
  nowUs: () => number,
  isNext: (dueUs: number) => boolean,
  signal: AbortSignal,
): Promise<void> {
  try {
    await until(atUs, nowUs, signal);
    while (!isNext(atUs)) await sleep(1, undefined, { signal });
  } catch (error) {
    // The run ended before the item was due.
    if (signal.aborted) return;
    throw error;
  }
  begin();
}

const NAME = "x-forwarded-for";

/**
 * The header of a proxy that the gateway trusts, because a client cannot send from another machine's address. It lists
 * the client's own header first and then the client's address, as proxies do.
 */
function forwardingHeaders(
  plan: Plan,
  arrival: number,
  { headers }: Flow,
): Readonly<Record<string, string>> {
  if (plan.addresses === undefined) return {};
  const place = placeOfAddress(plan, arrival);
  const [, ownHeader] = Object.entries(headers).find(([name]) => name.toLowerCase() === NAME) ?? [
    NAME,
    null,
  ];
  const address = addressOf(plan, place);
  // An address of this machine is not appended, because the gateway skips addresses that it trusts.
  return { [NAME]: ownHeader === null || place < 0 ? address : `${ownHeader}, ${address}` };
}
