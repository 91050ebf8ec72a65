// Sequential clients: each request waits until the client's previous request has been admitted or given up.
import { rng, type Rng } from "../../kit/chance/rng.ts";
import { SECOND } from "../../kit/units.ts";
import type { RequestOutcome } from "../../gateway/outcome.ts";
import { isSequential } from "../scenario/flows.ts";
import type { Behaviour, Plan } from "../scenario/types.ts";
import { behaviourOf, waitBeforeRetry } from "./clients.ts";
import {
  LAST_US,
  later,
  laterAt,
  meanwhile,
  type Engine,
  type SequentialClient,
  type Turns,
} from "./engine.ts";
import type { SentAttempt } from "./recorder.ts";
import { aatbPacer, atbPacer, ReportCollector, type Pacer } from "./token-clients.ts";

/** The sequential clients of a run; null if the run has none. */
export function newTurns(engine: Engine, send: Turns["send"]): Turns | null {
  const { plan } = engine;
  const sequential = plan.flows.map(isSequential);
  if (!sequential.includes(true)) return null;
  const chance = rng(plan.seed, `${plan.scenario}/${plan.variant}/token-clients`);
  const collectors = new Map<string, ReportCollector>();
  const clients = new Map<string, SequentialClient>();
  for (let arrival = 0; arrival < plan.atUs.length; arrival++) {
    if (!sequential[plan.flow[arrival]!]!) continue;
    const name = nameOf(plan, arrival);
    const known = clients.get(name);
    if (known === undefined)
      clients.set(name, newClient(plan, arrival, collectors, chance.split(name)));
    else known.left++;
  }
  for (const [name, client] of clients) startReports(engine, name, client);
  return { send, isSequential: sequential, clients };
}

/** Flows with the same key share their clients; a flow without a key has its own clients. */
const groupOf = ({ flows, flow }: Plan, arrival: number): string => {
  const { as, name } = flows[flow[arrival]!]!;
  return as === null ? `flow ${name}` : `key ${as}`;
};

const nameOf = (plan: Plan, arrival: number): string =>
  `${plan.client[arrival]!} of ${groupOf(plan, arrival)}`;

function newClient(
  plan: Plan,
  arrival: number,
  collectors: Map<string, ReportCollector>,
  chance: Rng,
): SequentialClient {
  const { behaviour } = plan.flows[plan.flow[arrival]!]!;
  const group = groupOf(plan, arrival);
  const collector = collectors.get(group) ?? new ReportCollector();
  collectors.set(group, collector);
  const pacer = pacerOf(behaviour, collector, plan.client[arrival]!, chance);
  return { pacer, planned: [], begun: 0, left: 1, isBusy: false };
}

function pacerOf(
  behaviour: Behaviour,
  collector: ReportCollector,
  client: number,
  chance: Rng,
): Pacer | null {
  if (behaviour.kind === "atb") return atbPacer(behaviour, 0);
  return behaviour.kind === "aatb"
    ? aatbPacer(behaviour, { collector, client, startUs: 0 }, chance)
    : null;
}

/** The report interval of client N starts after N half seconds, modulo ten seconds, as in the published program. */
const BETWEEN_STARTS_US = SECOND / 2;
const STARTS_WITHIN_US = 10 * SECOND;

function startReports(engine: Engine, name: string, client: SequentialClient): void {
  const report = client.pacer?.report ?? null;
  if (report === null) return;
  const again = (atUs: number): void => {
    meanwhile(engine, atUs, () => {
      if (client.left === 0) return;
      report.send(atUs);
      again(atUs + report.everyUs);
    });
  };
  const firstUs = (Number.parseInt(name, 10) * BETWEEN_STARTS_US) % STARTS_WITHIN_US;
  again(firstUs + report.everyUs);
}

// ---------------------------------------------------------------- requests

export const takesTurns = ({ turns, plan }: Engine, arrival: number): boolean =>
  turns !== null && turns.isSequential[plan.flow[arrival]!]!;

const clientOf = ({ turns, plan }: Engine, arrival: number): SequentialClient =>
  turns!.clients.get(nameOf(plan, arrival))!;

/** Starts a planned request that is due, or queues it if its client is busy. */
export function takeTurn(engine: Engine, arrival: number): void {
  const client = clientOf(engine, arrival);
  client.planned.push(arrival);
  if (client.isBusy) return;
  const atUs = beginNext(engine, client);
  if (atUs === engine.nowUs) engine.turns!.send(engine, arrival, 0);
  else sendAt(engine, arrival, 0, atUs);
}

/** Continues the turn when the client receives the response, after `afterUs`, unless the gateway ends before. */
export function afterResponse(
  engine: Engine,
  sent: SentAttempt,
  outcome: RequestOutcome,
  afterUs: number,
): void {
  const { arrival, attempt } = sent;
  const isRefused = outcome.refused !== null;
  // Computed now, because the next request overwrites the decision.
  const waitUs = isRefused
    ? waitBeforeRetry(engine, behaviourOf(engine, arrival), attempt, outcome.decision)
    : null;
  const respond = (): void => {
    if (sent.isLost) return;
    clientOf(engine, arrival).pacer?.onResponse(engine.nowUs, isRefused);
    goOn(engine, arrival, attempt, waitUs);
  };
  if (afterUs === 0) respond();
  else later(engine, afterUs, respond, undefined);
}

/**
 * Sends the next attempt after `waitUs`, or ends the request if `waitUs` is null. For a lost request, it is called
 * without `afterResponse`, because a pacer adapts only to responses.
 */
export function goOn(
  engine: Engine,
  arrival: number,
  attempt: number,
  waitUs: number | null,
): void {
  if (waitUs === null) {
    endTurn(engine, arrival);
    return;
  }
  const earliestUs = engine.nowUs + Math.round(waitUs);
  const atUs = clientOf(engine, arrival).pacer?.take(earliestUs) ?? earliestUs;
  sendAt(engine, arrival, attempt + 1, atUs);
}

/** Ends a request that has been admitted or given up. */
function endTurn(engine: Engine, arrival: number): void {
  const client = clientOf(engine, arrival);
  client.left--;
  client.isBusy = false;
  if (client.begun === client.planned.length) return;
  const next = client.planned[client.begun]!;
  sendAt(engine, next, 0, beginNext(engine, client));
}

/** Begins the client's next request, and returns when its first attempt may be sent. */
function beginNext({ nowUs }: Engine, client: SequentialClient): number {
  client.isBusy = true;
  client.begun++;
  return client.pacer?.take(nowUs) ?? nowUs;
}

/** Schedules an attempt, even if it is due now: requests that end immediately would otherwise recurse. */
function sendAt(engine: Engine, arrival: number, attempt: number, atUs: number): void {
  if (atUs > LAST_US) endTurn(engine, arrival);
  else laterAt(engine, atUs, () => engine.turns!.send(engine, arrival, attempt), undefined);
}
