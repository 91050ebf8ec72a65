// Real time: the same plan sent over HTTP to the gateway served on loopback. It records what a client can
// observe, and judges nothing. A decision fell somewhere between sending and hearing.
import { Agent, request as send, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { LimiterEvent } from "../core/decision.ts";
import { micros, SECOND, type Micros } from "../core/units.ts";
import { normalizePath } from "../gateway/path.ts";
import { REFUSALS } from "../gateway/refusals.ts";
import { apiAt } from "../gateway/routes.ts";
import { asRequests, emptyTable, type ColumnName } from "../scenario/history/columns.ts";
import { HISTORY_FORMAT, REASONS, type History, type HistoryEvent } from "../scenario/history.ts";
import type { Capability, Json, Plan, Variant } from "../scenario/types.ts";
import { serveGateway } from "../servers/gateway.node.ts";
import { wallClock } from "../servers/wall-clock.node.ts";

export const EMBEDDED: { readonly id: string; readonly capabilities: ReadonlySet<Capability> } = {
  id: "embedded",
  capabilities: new Set<Capability>(["events", "event-time"]),
};

/** Above this uncertainty a run says nothing of limits counted in seconds. */
const MOST_UNCERTAIN_US = micros(100_000);
const LEAD_US = 20_000; // between opening and the planned start

export async function playEmbedded(variant: Variant, plan: Plan): Promise<History> {
  const { configuration, credentials } = variant.world;
  if (configuration === null)
    throw new Error(`${plan.scenario} ${plan.variant} has no configuration to play`);
  const epochUs = micros(wallClock() + LEAD_US);
  const events: HistoryEvent[] = [];
  const emit = (event: LimiterEvent): void => {
    const stampUs = micros(event.stampUs - epochUs);
    events.push({ ...event, atUs: micros(wallClock() - epochUs), stampUs, gateway: 0 });
  };
  const server = await serveGateway({
    configuration,
    upstream: null,
    isEcho: true,
    host: "127.0.0.1",
    port: 0,
    store: null,
    observer: { event: emit, exchange: null },
  });
  const agent = new Agent({ keepAlive: true });
  const apis = [...configuration.apis.keys()];
  const keys = [...configuration.keys.values()].map(({ id }) => id);
  const bodies = new Map<string, number>();
  const table = emptyTable(plan.atUs.length);
  let length = 0;
  let longestUs = 0;

  const attempt = async (index: number): Promise<void> => {
    const flow = plan.flows[plan.flow[index]!]!;
    const client = plan.client[index]!;
    const ofKey = flow.as === null ? [] : (credentials.get(flow.as) ?? [flow.as]);
    const credential = ofKey[client % ofKey.length] ?? null;
    const exchange = await exchanged(server.url, agent, flow, credential);
    if (exchange === null) return;
    const { sentUs, heardUs, answer, body } = exchange;
    const reason = REASON_OF.get(errorIn(body)) ?? "none";
    if (reason !== "none" && !bodies.has(body)) bodies.set(body, bodies.size);
    longestUs = Math.max(longestUs, heardUs - sentUs);
    const api = apiAt(server.gateway.routes, normalizePath(flow.path) ?? flow.path);
    const key = credential === null ? undefined : configuration.keys.get(credential);
    const number = (name: string): number => Number(answer.headers[name] ?? Number.NaN);
    const row: Partial<Record<ColumnName, number>> = {
      plannedUs: plan.atUs[index]!,
      sentUs: sentUs - epochUs,
      fromUs: sentUs - epochUs,
      toUs: heardUs - epochUs,
      stampUs: sentUs - epochUs,
      answeredUs: heardUs - epochUs,
      status: answer.statusCode!,
      reason: REASONS.indexOf(reason),
      body: reason === "none" ? -1 : bodies.get(body)!,
      flow: plan.flow[index]!,
      stage: plan.stage[index]!,
      client,
      fleet: 1,
      key: key === undefined ? -1 : keys.indexOf(key.id),
      api: api === null ? -1 : apis.indexOf(api.definition.id),
      budget: -1, // no answer names it
      retryAfterS: number("retry-after"),
      limit: number("x-ratelimit-limit"),
      remaining: number("x-ratelimit-remaining"),
      resetUs: number("x-ratelimit-reset") * SECOND - epochUs,
    };
    for (const [name, value] of Object.entries(row)) table[name as ColumnName][length] = value;
    length++;
  };

  try {
    await sendOpenLoop(plan, epochUs, attempt);
  } finally {
    agent.destroy();
    await server.stop();
  }
  return {
    header: {
      format: HISTORY_FORMAT,
      scenario: plan.scenario,
      variant: plan.variant,
      axes: variant.axes,
      seed: plan.seed,
      driver: EMBEDDED.id,
      timing: { kind: "bounded", jitterUs: micros(longestUs), maxUs: MOST_UNCERTAIN_US },
      epochUs,
      flows: plan.flows.map(({ name, as, method, path, shape }) => ({
        name,
        as,
        method,
        path,
        stages: shape.kind === "stages" ? shape.stages.map((stage) => stage.name) : [],
      })),
      keys,
      apis,
      budgets: [],
      bodies: [...bodies.keys()].map((text) => JSON.parse(text) as Json),
    },
    requests: asRequests(table, length),
    events,
    gauges: [],
    spans: [],
    store: { commands: 0, inner: 0, roundTrips: 0, peakEntries: 0, peakBytes: 0 },
    unanswered: plan.atUs.length - length,
  };
}

/** Every request goes out at its planned time, whatever has come of those before it. */
async function sendOpenLoop(
  { atUs }: Plan,
  startUs: Micros,
  attempt: (index: number) => Promise<void>,
): Promise<void> {
  const under: Promise<void>[] = [];
  while (under.length < atUs.length) {
    const index = under.length;
    const waitUs = startUs + atUs[index]! - wallClock();
    if (waitUs > 0) await sleep(Math.ceil(waitUs / 1_000));
    else under.push(attempt(index));
  }
  await Promise.all(under);
}

const REASON_OF: ReadonlyMap<string, (typeof REASONS)[number]> = new Map(
  Object.values(REFUSALS).map(({ message, reason }) => [message, reason]),
);

interface Exchange {
  readonly sentUs: Micros;
  readonly heardUs: Micros;
  readonly answer: IncomingMessage;
  readonly body: string;
}

/** Null where nobody answered: the history counts it as such. */
function exchanged(
  url: URL,
  agent: Agent,
  { method, path, headers }: Plan["flows"][number],
  credential: string | null,
): Promise<Exchange | null> {
  return new Promise((resolve) => {
    const sentUs = wallClock();
    const onward = send({
      agent,
      host: url.hostname,
      port: url.port,
      method: method.toUpperCase(),
      path,
      headers: { ...headers, ...(credential === null ? {} : { authorization: credential }) },
    });
    onward.on("error", () => resolve(null));
    onward.on("response", (answer) => {
      const heardUs = wallClock();
      let body = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => (body += chunk));
      answer.on("error", () => resolve(null));
      answer.on("end", () => resolve({ sentUs, heardUs, answer, body }));
    });
    onward.end();
  });
}

function errorIn(body: string): string {
  const said: unknown = body === "" ? null : JSON.parse(body);
  return typeof said === "object" && said !== null && "error" in said ? String(said.error) : "";
}
