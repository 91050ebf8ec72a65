// Each gateway counts locally and uses the last known totals of the others. At equal intervals it adds the units
// that it has admitted since the last interval to a counter in the store, and reads the total of all gateways.
import { budgetName } from "../../../limiter/core/budget.ts";
import { sample } from "../../../kit/chance/distribution.ts";
import { capacityOf } from "../../../limiter/core/limit.ts";
import { rng } from "../../../kit/chance/rng.ts";
import {
  isTighter,
  NO_CHANGES,
  type Reply,
  type Level,
  type LocalStore,
} from "../../../limiter/core/store.ts";
import type { Client } from "../../../limiter/core/client.ts";
import type { OperationCost } from "../cost.ts";
import { clockOf, meanwhile, type Engine, type Model, type NodeProcess } from "../engine.ts";
import { charge } from "../store-state.ts";

/** A budget's counter for one window in one gateway. */
interface LocalCounter {
  window: number; // since the epoch, by the gateway's clock
  readonly perUs: number;
  admitted: number; // units admitted by this gateway
  reported: number; // of these, units added to the store
  others: number; // units admitted by other gateways, as last read
}

/** The counters in the store. Gateways whose clocks differ may be in different windows. */
type Shared = Map<string, { readonly window: number; count: number }[]>;

/** One script for each counter, all sent together; each runs INCRBY and PEXPIRE. */
const syncOf = (counters: number): OperationCost => ({ commands: counters, inner: 2 * counters });

const RETAINED_WINDOWS = 2;

export function periodicSync(intervalUs: number): Model {
  const shared: Shared = new Map();
  const gateways = new Map<number, Map<string, LocalCounter>>();
  return {
    gateway: (engine, node) => {
      const own = new Map<string, LocalCounter>();
      gateways.set(node.index, own);
      startSync(engine, node, own, shared, intervalUs);
      return countingIn(own);
    },
    countCounters: () => {
      const inStore = [...shared.values()].reduce((sum, windows) => sum + windows.length, 0);
      return [...gateways.values()].reduce((sum, own) => sum + own.size, inStore);
    },
  };
}

// ---------------------------------------------------------------- what a gateway counts

function countingIn(own: Map<string, LocalCounter>): LocalStore {
  const bind: LocalStore["bind"] = (levels) => ({
    take: (client, atUs, intent, reply, units) => {
      blank(reply);
      const counters = levels.map((level) => counterOf(own, level, client, atUs));
      for (const [index, level] of levels.entries()) {
        if (remainingIn(counters[index]!, level) >= units) continue;
        if (reply.refusedBy < 0) reply.refusedBy = index;
        const isTooMany = capacityOf(level.budget.limit) < units;
        const waitUs = isTooMany ? Number.POSITIVE_INFINITY : endOf(counters[index]!) - atUs;
        reply.waitUs = Math.max(reply.waitUs, waitUs);
      }
      for (const [index, level] of levels.entries()) {
        const counter = counters[index]!;
        if (reply.refusedBy < 0 && intent !== "evaluate") counter.admitted += units;
        if (reply.refusedBy < 0 || reply.refusedBy === index)
          show(reply, index, level, remainingIn(counter, level), endOf(counter));
      }
      return reply;
    },
    mark: () => rejectOperation("mark"),
  });
  return { bind, perform: ({ op }) => rejectOperation(op) };
}

/** The model supports only worlds with one limit, whose requests need a single operation. */
function rejectOperation(op: string): never {
  throw new Error(`the periodic-sync model does not support the operation ${op}`);
}

function counterOf(
  own: Map<string, LocalCounter>,
  { budget }: Level,
  client: Client,
  atUs: number,
): LocalCounter {
  const name = budgetName(budget, client);
  const { perUs } = budget.limit;
  const window = Math.floor(atUs / perUs);
  const known = own.get(name);
  if (known !== undefined && known.window >= window) return known;
  const fresh = { window, perUs, admitted: 0, reported: 0, others: 0 };
  own.set(name, fresh);
  return fresh;
}

const remainingIn = ({ admitted, others }: LocalCounter, { budget }: Level): number =>
  Math.max(0, capacityOf(budget.limit) - admitted - others);

const endOf = ({ window, perUs }: LocalCounter): number => (window + 1) * perUs;

function blank(reply: Reply): void {
  reply.refusedBy = -1;
  reply.waitUs = 0;
  reply.shown = -1;
  reply.allowance = -1;
  reply.quotaLeft = -1;
  reply.changes = NO_CHANGES;
}

function show(reply: Reply, index: number, level: Level, left: number, resetUs: number): void {
  if (!isTighter(reply, left, resetUs)) return;
  reply.shown = index;
  reply.limit = capacityOf(level.budget.limit);
  reply.remaining = left;
  reply.resetUs = resetUs;
}

// ---------------------------------------------------------------- exchange with the store

/** Gateways start at random times, so their intervals differ. A gateway skips intervals while a round is in flight. */
function startSync(
  engine: Engine,
  node: NodeProcess,
  own: Map<string, LocalCounter>,
  shared: Shared,
  intervalUs: number,
): void {
  const { generation, index } = node;
  const { plan, random, remote } = engine;
  const travel = (): number => Math.round(sample(remote.latency, random.store));
  const beats = rng(plan.seed, `${plan.scenario}/${plan.variant}/periodic_sync/${index}`);
  let isUnderWay = false;
  const beat = (): void => {
    if (node.generation !== generation) return;
    meanwhile(engine, engine.nowUs + intervalUs, beat);
    if (isUnderWay) return;
    const counters = current(own, clockOf(engine, node));
    if (counters.length === 0) return;
    isUnderWay = true;
    const sent = counters.map(([name, counter]) => ({ name, counter, admitted: counter.admitted }));
    charge(remote, syncOf(sent.length));
    meanwhile(engine, engine.nowUs + travel(), () => {
      const totals = sent.map(({ name, counter, admitted }) =>
        addToTotal(shared, name, counter.window, admitted - counter.reported),
      );
      meanwhile(engine, engine.nowUs + travel(), () => {
        isUnderWay = false;
        for (const [at, { counter, admitted }] of sent.entries()) {
          counter.reported = admitted;
          counter.others = totals[at]! - admitted;
        }
      });
    });
  };
  meanwhile(engine, engine.nowUs + beats.int(intervalUs), beat);
}

/** The counters of present windows. Deletes those of past windows, which no longer affect a decision. */
function current(
  own: Map<string, LocalCounter>,
  nowUs: number,
): readonly (readonly [string, LocalCounter])[] {
  for (const [name, counter] of own) if (endOf(counter) <= nowUs) own.delete(name);
  return [...own];
}

function addToTotal(shared: Shared, name: string, window: number, count: number): number {
  const windows = (shared.get(name) ?? []).filter((one) => one.window > window - RETAINED_WINDOWS);
  shared.set(name, windows);
  const known = windows.find((one) => one.window === window);
  if (known === undefined) {
    windows.push({ window, count });
    return count;
  }
  return (known.count += count);
}
