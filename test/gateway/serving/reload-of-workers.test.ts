// The messages of a primary process to its workers for a reload, and how the workers apply them.
import { expect, test } from "vitest";
import type { Configuration } from "#src/limiter/core/config.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import {
  reloadAll,
  createReloads,
  type ReloadRequest,
  type Reloads,
  type Sendable,
} from "#src/gateway/serving/reload-of-workers.ts";

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

const payloadOf = (configuration: Configuration): Sendable => ({ configuration, ahead: null });

interface OneWorker extends Reloads<Sendable> {
  readonly inForce: () => Configuration | null;
  readonly lookUps: () => number; // for the whole
}

function oneWorker(
  whole: () => Promise<Sendable>,
  take = async (): Promise<void> => {},
): OneWorker {
  let inForce: Configuration | null = null;
  let lookUps = 0;
  const reloads = createReloads<Sendable>(
    async ({ configuration }) => {
      await take();
      inForce = configuration;
    },
    () => {
      lookUps++;
      return whole();
    },
  );
  return { ...reloads, inForce: () => inForce, lookUps: () => lookUps };
}

/** `hears` decides whether a worker answers: one that is starting or hangs does not. */
function fleetOf(
  workers: readonly Reloads<Sendable>[],
  responds: (index: number, request: ReloadRequest) => boolean = () => true,
) {
  const requestsTo = workers.map(() => 0);
  return {
    askedOf: requestsTo,
    pids: () => workers.map((_, index) => 100 + index),
    reload: (_: Sendable, brief: Sendable): void => {
      for (const worker of workers) worker.reload(brief);
    },
    requestAll: (request: ReloadRequest, without?: ReadonlySet<number>) =>
      Promise.all(
        workers.map(async (worker, index) => {
          if (without?.has(index) === true) return null;
          requestsTo[index]! += 1;
          return responds(index, request) ? worker.respond(request) : null;
        }),
      ),
  };
}

test("a worker that does not respond requests the complete payload itself, and no other receives it", async () => {
  const configuration = worldOf(1);
  const workers = [0, 1].map(() => oneWorker(async () => payloadOf(configuration)));
  const fleet = fleetOf(workers, (index, request) => index === 0 || request.what === "reloaded");
  expect(await reloadAll(fleet, payloadOf(configuration))).toEqual({
    reloaded: [100, 101],
    pending: [],
  });
  expect(workers.map((worker) => worker.lookUps())).toEqual([0, 1]);
  for (const worker of workers) expect(worker.inForce()).toEqual(configuration);
  expect(fleet.askedOf).toEqual([4, 2]); // once for a piece, and not again until it is all over
});

test("a reload is over when the worker that requested the complete payload has applied it", async () => {
  const { promise: wholeComes, resolve: send } = Promise.withResolvers<Sendable>();
  const worker = oneWorker(() => wholeComes);
  let isOver = false;
  const fleet = fleetOf([worker], (_, request) => request.what === "reloaded");
  const over = reloadAll(fleet, payloadOf(worldOf(1))).then(() => (isOver = true));
  await expect.poll(worker.lookUps).toBe(1);
  expect(isOver).toBe(false);
  send(payloadOf(worldOf(1)));
  await over;
  expect(worker.inForce()).toEqual(worldOf(1));
});

test.each<[string, Sendable]>([
  ["of a whole", payloadOf(worldOf(2, 1))],
  ["that misses some", { configuration: worldOf(2, 0), ahead: 1 }],
])("keys that came ahead do not stay behind a reload %s", async (_, sent) => {
  const worker = oneWorker(async () => payloadOf(worldOf(2, 1)));
  const piece = { of: "enforced", keys: [...worldOf(1, 3).keys] } as const;
  await worker.respond({ what: "keys", piece, isFirst: true });
  worker.reload(sent);
  worker.reload({ configuration: worldOf(3, 0), ahead: 3 });
  expect(await worker.respond({ what: "reloaded" })).toBe(true);
  expect(worker.inForce()).toEqual(worldOf(2, 1)); // and not three keys of the first
});

test("a worker that cannot reload reports the reason, and applies the next one", async () => {
  const sound = worldOf(1);
  let isBroken = true;
  const worker = oneWorker(
    async () => payloadOf(sound),
    async () => {
      if (isBroken) throw new Error("no room");
    },
  );
  const fleet = fleetOf([worker]);
  await expect(reloadAll(fleet, payloadOf(sound))).rejects.toThrow("no room");
  isBroken = false;
  await reloadAll(fleet, payloadOf(sound));
  expect(worker.inForce()).toEqual(sound);
});

test("a worker that needs longer gets five tries, and is pending after them", async () => {
  const workers = [0, 1, 2].map(() => oneWorker(async () => payloadOf(worldOf(1, 0))));
  const isLate = [0, 3, Infinity]; // so often it does not answer in time
  const fleet = fleetOf(workers, (index) => isLate[index]!-- <= 0);
  expect(await reloadAll(fleet, payloadOf(worldOf(1, 0)))).toEqual({
    reloaded: [100, 101],
    pending: [102],
  });
  expect(fleet.askedOf).toEqual([1, 4, 5]);
});
