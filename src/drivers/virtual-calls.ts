// Virtual time with a management: the run stands still while a call is answered, and goes on with what the gateways
// enforce after it. The gateway that took the call obeys at once; the others when they have heard of it.
import { resolver } from "../core/resolve/resolver.ts";
import type { Resolver } from "../core/resolve/resolved.ts";
import { performNow } from "../core/sequence.ts";
import { sample } from "../chance/distribution.ts";
import { rng } from "../chance/rng.ts";
import { micros, SECOND, type Micros } from "../core/units.ts";
import { forgetKeys, reconfigure, type Gateway } from "../gateway/gateway.ts";
import type { AppliedChange, LiveConfiguration } from "../management/in-force.ts";
import type { HistoryCall, HistoryDelivery, History } from "../scenario/history.ts";
import type { ManagementCall, Plan, Variant } from "../scenario/types.ts";
import type { World } from "../scenario/world.ts";
import { credentialShown } from "../sim/clients.ts";
import { EPOCH_US, type Engine, type Node } from "../sim/engine.ts";
import type { RemoteStore } from "../store/remote.ts";
import { begin, finish, runUntil } from "../sim/simulate.ts";
import type { Witness } from "../sim/store-state.ts";
import { simulationOf, virtualHistory } from "./virtual.ts";
import type { EventThen, VirtualWebhooks } from "./virtual-webhooks.ts";

export type CallAnswer = Pick<HistoryCall, "status" | "headers" | "body">;

/** The records of a world, and the interfaces over them. */
export interface Managed {
  readonly call: (call: ManagementCall) => Promise<CallAnswer>;
  /** What one gateway knows of the records. */
  readonly newInForce: () => Promise<LiveConfiguration>;
  readonly webhooks: (fromUs: Micros, random: () => number) => VirtualWebhooks;
  /** As the history keeps them. */
  readonly delivered: (webhooks: VirtualWebhooks, epochUs: Micros) => Promise<HistoryDelivery[]>;
  readonly close: () => Promise<void>;
}

export interface Taker {
  readonly gateway: Gateway;
  readonly store: RemoteStore | null; // null: what it counts is at hand
  readonly inForce: LiveConfiguration;
}

/** What the management has to be told, or to ask. */
export interface Surroundings {
  readonly nowUs: () => Micros;
  /** The gateway that takes the call, and what it knows. */
  readonly taker: () => Taker;
  readonly changed: () => Promise<void>;
}

export type Manage = (world: World, surroundings: Surroundings) => Promise<Managed>;

/** Gateways that know the same. */
interface Follower {
  readonly inForce: LiveConfiguration;
  resolver: Resolver;
}

interface Due {
  readonly atUs: number;
  readonly happen: () => Promise<void>;
}

/** After the run: longer than the last attempt at anything takes. */
const DELIVERED_BY_US = 24 * 3600 * SECOND;

/** Who has not been told looks for changes by itself. */
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
      store: witness === null ? null : watchedBy(witness, taker!.gateway),
      inForce: followerOf(taker!).inForce,
    }),
    changed: async () => {
      const first = followerOf(taker!);
      await follow(first, credentials);
      engine.resolver = first.resolver; // whoever starts now reads the records as they are
      for (const other of followers)
        if (other !== first) {
          const atUs = engine.nowUs + Math.min(LOOKS_US, twoWaysUs(engine));
          enqueue(due, { atUs, happen: () => follow(other, credentials) });
        }
    },
  });
  // Most runs ask for no delivery, and need not wait for any.
  const isAsked = variant.expectations.some(({ measure }) => measure.kind === "deliveries");
  const { seed, scenario } = plan;
  const random = rng(seed, `${scenario}/${plan.variant}/webhooks`);
  const webhooks = isAsked ? managed.webhooks(EPOCH_US, random.next) : null;
  let heard: EventThen[] = [];
  if (isAsked) engine.onEvent = (event, atUs) => void heard.push({ event, atUs });
  const bring = async (untilUs: number): Promise<void> => {
    const since = heard;
    heard = [];
    await webhooks?.until(micros(EPOCH_US + untilUs), since);
  };
  try {
    for (const node of engine.nodes) {
      const inForce = await managed.newInForce();
      const follower = { inForce, resolver: resolver(inForce.configuration()) };
      reconfigure(node.gateway, follower.resolver);
      followers.push(follower);
      inForce.onChange((followed) => obey(engine, follower, followed));
      await learn(inForce, credentials);
    }
    engine.resolver = followers[0]!.resolver;
    for (const call of variant.calls)
      enqueue(due, {
        atUs: call.atUs,
        happen: async () => {
          taker = engine.nodes.find(({ serves }) => serves);
          if (taker === undefined) engine.counts.unanswered++;
          else made.push(madeOf(call, taker.index, await managed.call(call)));
        },
      });
    for (let next = due.shift(); next !== undefined; next = due.shift()) {
      runUntil(run, next.atUs);
      await bring(next.atUs);
      await next.happen();
    }
    finish(run);
    await bring(engine.nowUs + DELIVERED_BY_US);
    if (webhooks !== null) deliveries = await managed.delivered(webhooks, EPOCH_US);
  } finally {
    await managed.close();
  }
  return virtualHistory(variant, plan, engine, made, deliveries);
}

/** What is at hand, so that whoever listens to the store hears what calls do to it as well. */
const watchedBy = (witness: Witness, { limiter }: Gateway): RemoteStore => ({
  send: (op, _, hear) => {
    const reply = performNow(limiter.localStore, op);
    if (op.op !== "pipeline") witness.onPerformed(op, reply); // one that a call sends only looks
    void Promise.resolve(reply).then(hear);
  },
  close: () => Promise.resolve(),
});

/** Behind all that is due at the same time. */
function enqueue(due: Due[], one: Due): void {
  const place = due.findIndex(({ atUs }) => atUs > one.atUs);
  due.splice(place < 0 ? due.length : place, 0, one);
}

/** A message goes to the store, and from there to whoever listens. */
const twoWaysUs = ({ remote, random }: Engine): number =>
  sample(remote.latency, random.store) + sample(remote.latency, random.store);

async function follow(follower: Follower, credentials: ReadonlySet<string>): Promise<void> {
  await follower.inForce.applyChanges();
  await learn(follower.inForce, credentials);
}

/** As a server does. */
function obey(
  engine: Engine,
  follower: Follower,
  { configuration, forgotten }: AppliedChange,
): void {
  const { resolver: before } = follower;
  const knowing = engine.nodes.filter(({ gateway }) => gateway.limiter.resolver === before);
  if (configuration === null) for (const { gateway } of knowing) forgetKeys(gateway, forgotten);
  else for (const { gateway } of knowing) reconfigure(gateway, resolver(configuration));
  // What has been forgotten often enough is made anew.
  const next = knowing[0]?.gateway.limiter.resolver ?? before;
  for (const { gateway } of knowing)
    if (gateway.limiter.resolver !== next) reconfigure(gateway, next);
  if (engine.resolver === before) engine.resolver = next;
  follower.resolver = next;
}

/** A run cannot wait for a key when it is shown: so all that will be shown are looked up before. */
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

export const madeOf = (
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
