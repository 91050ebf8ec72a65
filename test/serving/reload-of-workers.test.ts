// What a primary process says to its workers for a reload, and what they make of it.
import { expect, test } from "vitest";
import type { Configuration } from "../../src/core/config.ts";
import { readConfiguration } from "../../src/world/read.ts";
import {
  reloadAll,
  createReloads,
  type ReloadRequest,
  type Reloads,
  type Sendable,
} from "../../src/serving/reload-of-workers.ts";

const KEYS = 600;

const worldOf = (rate: number, count = KEYS): Configuration =>
  readConfiguration({
    apis: { orders: { listen: "/orders" } },
    keys: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `k${index}`,
        { apis: ["orders"], rate, per: 60 },
      ]),
    ),
  }).configuration!;

const sentOf = (configuration: Configuration): Sendable => ({ configuration, ahead: null });

interface OneWorker extends Reloads<Sendable> {
  readonly inForce: () => Configuration | null;
  readonly asks: () => number; // for the whole
}

function oneWorker(
  whole: () => Promise<Sendable>,
  take = async (): Promise<void> => {},
): OneWorker {
  let inForce: Configuration | null = null;
  let asks = 0;
  const reloads = createReloads<Sendable>(
    async ({ configuration }) => {
      await take();
      inForce = configuration;
    },
    () => {
      asks++;
      return whole();
    },
  );
  return { ...reloads, inForce: () => inForce, asks: () => asks };
}

/** `hears` decides whether a worker answers: one that is starting or hangs does not. */
function fleetOf(
  workers: readonly Reloads<Sendable>[],
  hears: (index: number, asked: ReloadRequest) => boolean = () => true,
) {
  const askedOf = workers.map(() => 0);
  return {
    askedOf,
    pids: () => workers.map((_, index) => 100 + index),
    reload: (_: Sendable, brief: Sendable): void => {
      for (const worker of workers) worker.reload(brief);
    },
    requestAll: (asked: ReloadRequest, without?: ReadonlySet<number>) =>
      Promise.all(
        workers.map(async (worker, index) => {
          if (without?.has(index) === true) return null;
          askedOf[index]! += 1;
          return hears(index, asked) ? worker.respond(asked) : null;
        }),
      ),
  };
}

test("a worker that does not answer asks for the whole by itself, and no other has it at once", async () => {
  const configuration = worldOf(1);
  const workers = [0, 1].map(() => oneWorker(async () => sentOf(configuration)));
  const fleet = fleetOf(workers, (index, asked) => index === 0 || asked.what === "reloaded");
  expect(await reloadAll(fleet, sentOf(configuration))).toEqual({
    reloaded: [100, 101],
    pending: [],
  });
  expect(workers.map((worker) => worker.asks())).toEqual([0, 1]);
  for (const worker of workers) expect(worker.inForce()).toEqual(configuration);
  expect(fleet.askedOf).toEqual([4, 2]); // once for a piece, and not again until it is all over
});

test("a reload is over when the worker that asked for the whole has taken it", async () => {
  const { promise: wholeComes, resolve: send } = Promise.withResolvers<Sendable>();
  const worker = oneWorker(() => wholeComes);
  let isOver = false;
  const fleet = fleetOf([worker], (_, asked) => asked.what === "reloaded");
  const over = reloadAll(fleet, sentOf(worldOf(1))).then(() => (isOver = true));
  await expect.poll(worker.asks).toBe(1);
  expect(isOver).toBe(false);
  send(sentOf(worldOf(1)));
  await over;
  expect(worker.inForce()).toEqual(worldOf(1));
});

test.each<[string, Sendable]>([
  ["of a whole", sentOf(worldOf(2, 1))],
  ["that misses some", { configuration: worldOf(2, 0), ahead: 1 }],
])("keys that came ahead do not stay behind a reload %s", async (_, sent) => {
  const worker = oneWorker(async () => sentOf(worldOf(2, 1)));
  const piece = { of: "enforced", keys: [...worldOf(1, 3).keys] } as const;
  await worker.respond({ what: "keys", piece, isFirst: true });
  worker.reload(sent);
  worker.reload({ configuration: worldOf(3, 0), ahead: 3 });
  expect(await worker.respond({ what: "reloaded" })).toBe(true);
  expect(worker.inForce()).toEqual(worldOf(2, 1)); // and not three keys of the first
});

test("a worker that cannot reload says why, and takes the next one", async () => {
  const sound = worldOf(1);
  let isBroken = true;
  const worker = oneWorker(
    async () => sentOf(sound),
    async () => {
      if (isBroken) throw new Error("no room");
    },
  );
  const fleet = fleetOf([worker]);
  await expect(reloadAll(fleet, sentOf(sound))).rejects.toThrow("no room");
  isBroken = false;
  await reloadAll(fleet, sentOf(sound));
  expect(worker.inForce()).toEqual(sound);
});

test("a worker that needs longer gets five tries, and is pending after them", async () => {
  const workers = [0, 1, 2].map(() => oneWorker(async () => sentOf(worldOf(1, 0))));
  const isLate = [0, 3, Infinity]; // so often it does not answer in time
  const fleet = fleetOf(workers, (index) => isLate[index]!-- <= 0);
  expect(await reloadAll(fleet, sentOf(worldOf(1, 0)))).toEqual({
    reloaded: [100, 101],
    pending: [102],
  });
  expect(fleet.askedOf).toEqual([1, 4, 5]);
});
