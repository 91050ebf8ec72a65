// A target in virtual time: the limiter's core decides with a store that takes time, and a network delays and loses
// requests. Identification receives only the responses.
import type { Rng } from "../../kit/chance/rng.ts";
import { client, type Client } from "../../limiter/core/client.ts";
import { retryAfterSeconds, type Decision } from "../../limiter/core/decision.ts";
import { REMOTE_STORE_TRAITS } from "../../limiter/core/limiter.ts";
import { prepare } from "../../limiter/core/limiter.ts";
import { decideSteps, type LimiterResult } from "../../limiter/core/steps.ts";
import type { Reply, StoreOp, Steps } from "../../limiter/core/store.ts";
import { micros, SECOND } from "../../kit/units.ts";
import {
  eventQueue,
  happenNext,
  nextTimeUs,
  schedule as scheduleEvent,
} from "../../lab/sim/event-queue.ts";
import type { CountedBy } from "./counted-by.ts";
import type { HiddenServer, ServerDecide } from "./hidden-server.ts";
import { createSingleLimit, PLAIN_LIMIT, type LimitConfiguration } from "./model.ts";
import {
  NOTHING_ANNOUNCED,
  type Announced,
  type ProbedGroup,
  type ProbeResponse,
  type ProbeSender,
  type ProbeTarget,
} from "./target.ts";

const NO_LIMIT = { ...PLAIN_LIMIT, algorithm: "fixed_window", rate: 1, perUs: SECOND } as const;

export interface VirtualNetwork {
  readonly oneWayUs: number; // minimum in each direction
  readonly jitterUs: number; // mean of an exponential delay
  readonly loss: number; // probability in each direction
  readonly storeUs: number; // mean time from the server to the store
  readonly clockUs: number; // how far the clock of the server is ahead
}

const PATIENCE_US = 30_000_000;
/** Time between two commands of a pipeline. */
const COMMAND_US = 60;

/** Virtual time starts at a random instant of the hour after this time, so that it may be anywhere in a window. */
const START_US = 1_700_000_000_000_000;
const HOUR_US = 3_600 * SECOND;

/** The client's name: requests with the same name share a budget. */
export const clientName = (
  countedBy: CountedBy,
  { credential, address, path }: ProbeSender,
): string =>
  [
    countedBy.credential ? credential : "",
    countedBy.address ? address : "",
    countedBy.path ? path : "",
  ].join("/");

/** What headers in whole seconds would announce about a decision. */
function readAnnouncement(decision: Decision, atUs: number): Announced {
  const wait = retryAfterSeconds(decision);
  const { limit, remaining, resetUs } = decision;
  const hasBudget = limit >= 0;
  return {
    limit: hasBudget ? limit : null,
    remaining: hasBudget ? remaining : null,
    waitUs: wait === null ? null : wait * SECOND,
    resetUs: hasBudget ? Math.ceil(Math.max(0, resetUs - atUs) / SECOND) * SECOND : null,
  };
}

export function createVirtualTarget(
  limit: LimitConfiguration | HiddenServer,
  countedBy: CountedBy,
  network: VirtualNetwork,
  random: Rng,
): ProbeTarget {
  const isServer = "createClient" in limit;
  const own = createSingleLimit(isServer ? NO_LIMIT : limit, REMOTE_STORE_TRAITS);
  const servers = new Map<string, ServerDecide>();
  const clients = new Map<string, Client>();
  const events = eventQueue();
  let nowUs = START_US + random.int(HOUR_US);
  const schedule = (atUs: number, act: () => void): void => {
    scheduleEvent(events, atUs, act, undefined);
  };
  const tripUs = (): number => network.oneWayUs + network.jitterUs * random.exponential();
  const storeTripUs = (): number => network.storeUs * (0.5 + random.exponential() / 2);
  const isLost = (): boolean => random.next() < network.loss;

  const perform = (op: StoreOp, reply: (answer: Reply, atUs: number) => void): void => {
    const arrivesUs = nowUs + storeTripUs();
    if (op.op !== "pipeline") {
      schedule(arrivesUs, () => reply(own.store.perform(op), nowUs + storeTripUs()));
      return;
    }
    let atUs = arrivesUs;
    let counted: Reply | null = null;
    for (const [index, command] of op.commands.entries()) {
      atUs += index === 0 ? 0 : COMMAND_US * random.exponential();
      schedule(atUs, () => {
        const answer = own.store.perform(command);
        if (command.op === "count") counted = answer;
        if (index === op.commands.length - 1) reply(counted!, nowUs + storeTripUs());
      });
    }
  };
  const advance = (
    steps: Steps<LimiterResult>,
    answer: Reply | null,
    done: (result: LimiterResult) => void,
  ): void => {
    const next = answer === null ? steps.next() : steps.next(answer);
    if (next.done === true) {
      done(next.value);
      for (const op of next.value.background) perform(op, () => undefined);
    } else perform(next.value, (reply, atUs) => schedule(atUs, () => advance(steps, reply, done)));
  };
  const clientOf = (sender: ProbeSender): Client => {
    const name = clientName(countedBy, sender);
    const known = clients.get(name) ?? client(name);
    clients.set(name, known);
    return known;
  };
  const arrive = (sender: ProbeSender, respond: (result: LimiterResult) => void): void => {
    const atUs = micros(Math.floor(nowUs + network.clockUs));
    const prepared = prepare(own.limiter, own.resolved, atUs);
    const input = { prepared, client: clientOf(sender), atUs, intent: "spend", units: 1 } as const;
    advance(decideSteps(own.limiter, input), null, respond);
  };

  const serve = (
    server: HiddenServer,
    sender: ProbeSender,
    respond: (isAdmitted: boolean, workUs: number) => void,
  ): void => {
    const name = clientName(countedBy, sender);
    const decide = servers.get(name) ?? server.createClient();
    servers.set(name, decide);
    const { isAdmitted, workUs } = decide(nowUs + network.clockUs);
    respond(isAdmitted, workUs);
  };

  return {
    nowUs: () => nowUs,
    patienceUs: PATIENCE_US,
    send: (groups) => {
      const probed: ProbedGroup[] = groups.map((group) => ({ ...group, responses: [] }));
      const startUs = nowUs;
      const waiting = { count: 0 };
      for (const { atUs, count, everyUs, sender, responses, patienceUs } of probed)
        for (let i = 0; i < count; i++) {
          const sentUs = Math.max(atUs + i * everyUs, startUs);
          waiting.count++;
          let isOpen = true;
          const end = (response: Omit<ProbeResponse, "sentUs">): void => {
            if (!isOpen) return;
            isOpen = false;
            waiting.count--;
            (responses as ProbeResponse[]).push({ sentUs, ...response });
          };
          const givenUpUs = sentUs + Math.min(PATIENCE_US, patienceUs ?? PATIENCE_US);
          schedule(givenUpUs, () =>
            end({
              receivedUs: givenUpUs,
              outcome: "lost",
              status: 0,
              announced: NOTHING_ANNOUNCED,
            }),
          );
          if (isLost()) continue;
          schedule(sentUs + tripUs(), () => {
            if (isServer) {
              serve(limit, sender, (isAdmitted, workUs) => {
                if (isLost()) return;
                schedule(nowUs + workUs + tripUs(), () =>
                  end({
                    receivedUs: nowUs,
                    outcome: isAdmitted ? "admitted" : "refused",
                    status: isAdmitted ? 200 : 429,
                    announced: NOTHING_ANNOUNCED,
                  }),
                );
              });
              return;
            }
            arrive(sender, ({ decision }) => {
              if (isLost()) return;
              const { refused, delayUs } = decision;
              const status = refused === null ? 200 : 429;
              const announced = readAnnouncement(decision, nowUs + network.clockUs);
              schedule(nowUs + delayUs + tripUs(), () =>
                end({
                  receivedUs: nowUs,
                  outcome: refused === null ? "admitted" : "refused",
                  status,
                  announced,
                }),
              );
            });
          });
        }
      while (waiting.count > 0) {
        nowUs = Math.max(nowUs, nextTimeUs(events));
        happenNext(events);
      }
      return Promise.resolve(probed);
    },
  };
}
