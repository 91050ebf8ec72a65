// Virtual time with management calls. The run pauses during a call and continues with the changed configuration. The
// gateway that performed the call applies the change at once; others apply it when a message about it reaches them.
import { resolver } from "../../limiter/core/resolve/resolver.ts";
import type { Resolver } from "../../limiter/core/resolve/resolved.ts";
import { performNow } from "../../limiter/core/sequence.ts";
import { sample } from "../../kit/chance/distribution.ts";
import { rng } from "../../kit/chance/rng.ts";
import { micros, SECOND, type Micros } from "../../kit/units.ts";
import { forgetKeys, reconfigure, type Gateway } from "../../gateway/gateway.ts";
import type {
  AppliedChange,
  LiveConfiguration,
} from "../../gateway/management/live-configuration.ts";
import {
  NO_GATEWAY,
  NO_STATUS,
  type HistoryCall,
  type HistoryDelivery,
  type History,
} from "../scenario/history.ts";
import type { ManagementCall, Plan, Variant } from "../scenario/types.ts";
import type { World } from "../scenario/world.ts";
import { credentialShown } from "../sim/clients.ts";
import { EPOCH_US, type Engine, type Node } from "../sim/engine.ts";
import type { RemoteStore } from "../../limiter/store/remote.ts";
import { begin, finish, runUntil } from "../sim/simulate.ts";
import type { Witness } from "../sim/store-state.ts";
import { simulationOf, virtualHistory } from "./virtual.ts";
import type { EventThen, VirtualWebhooks } from "./virtual-webhooks.ts";

export type CallAnswer = Pick<HistoryCall, "status" | "headers" | "body">;

/** The answer to a call that no gateway received or that got no response. */
export const NO_ANSWER: CallAnswer = { status: NO_STATUS, headers: {}, body: null };

/** The records of a world, and the management APIs over them. */
export interface Managed {
  readonly call: (call: ManagementCall) => Promise<CallAnswer>;
  /** Creates the configuration that one gateway reads from the records and keeps current. */
  readonly newInForce: () => Promise<LiveConfiguration>;
  readonly webhooks: (fromUs: Micros, random: () => number) => VirtualWebhooks;
  /** The deliveries in the form of the history. */
  readonly listDeliveries: (
    webhooks: VirtualWebhooks,
    epochUs: Micros,
  ) => Promise<HistoryDelivery[]>;
  readonly close: () => Promise<void>;
}

export interface Taker {
  readonly gateway: Gateway;
  readonly store: RemoteStore | null; // null if the store is local
  readonly inForce: LiveConfiguration;
}

/** What the management needs from the run. */
export interface ManagementSurroundings {
  readonly nowUs: () => Micros;
  /** The gateway that performs the next call, with its store and the configuration that it read from the records. */
  readonly taker: () => Taker;
  readonly onChange: () => Promise<void>;
}

export type Manage = (world: World, surroundings: ManagementSurroundings) => Promise<Managed>;

/** Gateways that have read the same records. */
interface Follower {
  readonly inForce: LiveConfiguration;
  resolver: Resolver;
}

interface Due {
  readonly atUs: number;
  readonly happen: () => Promise<void>;
}

/** How long deliveries go on after the run: longer than all attempts of a delivery take. */
const DELIVERED_BY_US = 24 * 3600 * SECOND;

/** The interval at which a gateway without messages looks for changes. */
const LOOKS_US = SECOND / 2;

export async function playWithCalls(
  variant: Variant,
  plan: Plan,
  manage: Manage,
  witness: Witness | null = null,
): Promise<History> {
  const simulation = simulationOf(variant, plan, witness);
  if (simulation === null) return virtualHistory(variant, plan, null, []);
  const run = begin(simulation);
  const { engine } = run;
  const made: HistoryCall[] = [];
  let deliveries: readonly HistoryDelivery[] = [];
  const followers: Follower[] = [];
  const credentials = credentialsShown(variant);
  const due: Due[] = [];
  let taker: Node | undefined;
  const followerOf = (node: Node): Follower =>
    followers.find((each) => each.resolver === node.gateway.limiter.resolver)!;

  const managed = await manage(variant.world, {
    nowUs: () => micros(EPOCH_US + engine.nowUs),
    taker: () => ({
      gateway: taker!.gateway,
      store: witness === null ? null : watchStore(witness, taker!.gateway),
      inForce: followerOf(taker!).inForce,
    }),
    onChange: async () => {
      const first = followerOf(taker!);
      await follow(first, credentials);
      engine.resolver = first.resolver; // a gateway that starts later reads the present records
      for (const other of followers)
        if (other !== first) {
          const atUs = engine.nowUs + Math.min(LOOKS_US, twoWaysUs(engine));
          enqueue(due, { atUs, happen: () => follow(other, credentials) });
        }
    },
  });
  // Most runs expect no deliveries and need not wait for them.
  const needsDeliveries = variant.expectations.some(({ measure }) => measure.kind === "deliveries");
  const { seed, scenario } = plan;
  const random = rng(seed, `${scenario}/${plan.variant}/webhooks`);
  const webhooks = needsDeliveries ? managed.webhooks(EPOCH_US, random.next) : null;
  let events: EventThen[] = [];
  if (needsDeliveries) engine.onEvent = (event, atUs) => void events.push({ event, atUs });
  const bring = async (untilUs: number): Promise<void> => {
    const since = events;
    events = [];
    await webhooks?.until(micros(EPOCH_US + untilUs), since);
  };
  try {
    for (const node of engine.nodes) {
      const inForce = await managed.newInForce();
      const follower = { inForce, resolver: resolver(inForce.configuration()) };
      reconfigure(node.gateway, follower.resolver);
      followers.push(follower);
      inForce.onChange((followed) => applyChange(engine, follower, followed));
      await learn(inForce, credentials);
    }
    engine.resolver = followers[0]!.resolver;
    for (const call of variant.calls)
      enqueue(due, {
        atUs: call.atUs,
        happen: async () => {
          taker = engine.nodes.find(({ serves }) => serves);
          const answer = taker === undefined ? NO_ANSWER : await managed.call(call);
          made.push(historyCallOf(call, taker?.index ?? NO_GATEWAY, answer));
        },
      });
    for (let next = due.shift(); next !== undefined; next = due.shift()) {
      runUntil(run, next.atUs);
      await bring(next.atUs);
      await next.happen();
    }
    finish(run);
    await bring(engine.nowUs + DELIVERED_BY_US);
    if (webhooks !== null) deliveries = await managed.listDeliveries(webhooks, EPOCH_US);
  } finally {
    await managed.close();
  }
  return virtualHistory(variant, plan, engine, made, deliveries);
}

/** The local store for calls, which also reports their operations to the witness. */
const watchStore = (witness: Witness, { limiter }: Gateway): RemoteStore => ({
  send: (op, _, onReply) => {
    const reply = performNow(limiter.localStore, op);
    if (op.op !== "pipeline") witness.onPerformed(op, reply); // a pipeline only reads, which changes no counter
    void Promise.resolve(reply).then(onReply);
  },
  close: () => Promise.resolve(),
});

/** Inserts `one` by its time, after all items that are due at the same time. */
function enqueue(due: Due[], one: Due): void {
  const place = due.findIndex(({ atUs }) => atUs > one.atUs);
  due.splice(place < 0 ? due.length : place, 0, one);
}

/** Time for a message to reach the store and from there its subscribers. */
const twoWaysUs = ({ remote, random }: Engine): number =>
  sample(remote.latency, random.store) + sample(remote.latency, random.store);

async function follow(follower: Follower, credentials: ReadonlySet<string>): Promise<void> {
  await follower.inForce.applyChanges();
  await learn(follower.inForce, credentials);
}

/** Applies a change to all gateways that follow the same records, as a server does. */
function applyChange(
  engine: Engine,
  follower: Follower,
  { configuration, forgotten }: AppliedChange,
): void {
  const { resolver: before } = follower;
  const knowing = engine.nodes.filter(({ gateway }) => gateway.limiter.resolver === before);
  if (configuration === null) for (const { gateway } of knowing) forgetKeys(gateway, forgotten);
  else for (const { gateway } of knowing) reconfigure(gateway, resolver(configuration));
  // A gateway that has forgotten many keys builds a new resolver, which the other gateways then share.
  const next = knowing[0]?.gateway.limiter.resolver ?? before;
  for (const { gateway } of knowing)
    if (gateway.limiter.resolver !== next) reconfigure(gateway, next);
  if (engine.resolver === before) engine.resolver = next;
  follower.resolver = next;
}

/** A run cannot wait for key lookups, so all credentials of the traffic are looked up beforehand. */
export async function learn(
  inForce: LiveConfiguration,
  credentials: ReadonlySet<string>,
): Promise<void> {
  for (const credential of credentials)
    if (!inForce.isKnown(credential)) await inForce.learn(credential);
}

export function credentialsShown({
  traffic,
  world: { credentials },
}: Variant): ReadonlySet<string> {
  const shown = traffic.flatMap((flow) => {
    const several = flow.as === null ? 1 : (credentials.get(flow.as)?.length ?? 1);
    return Array.from({ length: several }, (_, client) =>
      credentialShown(credentials, flow, client),
    );
  });
  return new Set(shown.filter((credential) => credential !== null));
}

export const historyCallOf = (
  { name, on, method, path, atUs }: ManagementCall,
  gateway: number,
  answer: CallAnswer,
  { sentUs, answeredUs }: Pick<HistoryCall, "sentUs" | "answeredUs"> = {
    sentUs: atUs,
    answeredUs: atUs,
  },
): HistoryCall => ({
  call: name,
  on,
  method,
  path,
  gateway,
  plannedUs: atUs,
  sentUs,
  answeredUs,
  ...answer,
});
