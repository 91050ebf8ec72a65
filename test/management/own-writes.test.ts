// A key that this gateway has written is known to it, whatever becomes of the database then.
import { expect, test } from "vitest";
import type { WrittenChange } from "../../src/management/records/records.ts";
import { keyOf, put, remove, rig } from "./governed.ts";

async function writing() {
  const outage = { isThere: false, lookups: 0, isNoticed: Promise.resolve() };
  const asked = async <T>(response: Promise<T>): Promise<T> => {
    outage.lookups++;
    if (!outage.isThere) return response;
    await outage.isNoticed;
    throw new Error("no connection");
  };
  const made = await rig({}, (real) => ({
    ...real,
    find: (...of) => asked(real.find(...of)),
    read: (...of) => asked(real.read(...of)),
    changesSince: (seq) => asked(real.changesSince(seq)),
  }));
  const { records, force } = made;
  /** What becomes of the writes of this test: an own one is remembered, another gateway's is not. */
  let wrote: (changes: readonly WrittenChange[]) => void = force.applyOwnWrites;
  records.onWrite((changes) => wrote(changes));
  const byAnother = async (work: () => Promise<void>): Promise<void> => {
    wrote = () => {};
    await work();
    wrote = force.applyOwnWrites;
  };
  /** Its own write, of which this gateway hears later. */
  const unheard = async (work: () => Promise<void>): Promise<() => void> => {
    let changes: readonly WrittenChange[] = [];
    wrote = (written) => void (changes = written);
    await work();
    wrote = force.applyOwnWrites;
    return () => force.applyOwnWrites(changes);
  };
  return { ...made, outage, byAnother, unheard };
}

test("keys that were made, changed or deleted just before an outage are what they were written as", async () => {
  const { records, outage, rate } = await writing();
  await put(records, "keys", "changed", keyOf(5));
  await put(records, "keys", "deleted", keyOf(5));
  expect([await rate("changed"), await rate("deleted")]).toEqual([5, 5]);
  await put(records, "keys", "changed", keyOf(6));
  await put(records, "keys", "made", keyOf(7));
  await remove(records, "keys", "deleted");
  const { lookups } = outage;
  outage.isThere = true;
  expect([await rate("changed"), await rate("made"), await rate("deleted")]).toEqual([6, 7, null]);
  expect(outage.lookups).toBe(lookups);
});

test("they stay so when the gateway follows, and cost no lookup", async () => {
  const { records, force, outage, rate } = await writing();
  await put(records, "keys", "k", keyOf(5));
  await force.applyChanges();
  const { lookups } = outage;
  expect(await rate("k")).toBe(5);
  await put(records, "keys", "k", keyOf(6));
  expect([force.isKnown("k"), await rate("k"), outage.lookups]).toEqual([true, 6, lookups]);
  await force.applyChanges();
  outage.isThere = true;
  expect([force.isKnown("k"), await rate("k")]).toEqual([true, 6]);
});

test("what another gateway has changed since is asked for, in whatever order it is heard", async () => {
  const { records, force, outage, byAnother, unheard, rate } = await writing();
  await put(records, "keys", "k", keyOf(5));
  await byAnother(() => put(records, "keys", "k", keyOf(6)));
  expect(await rate("k")).toBe(5); // nobody has heard of it yet
  await force.applyChanges();
  expect([force.isKnown("k"), await rate("k")]).toEqual([false, 6]);

  const hear = await unheard(() => put(records, "keys", "k", keyOf(7)));
  await byAnother(() => put(records, "keys", "k", keyOf(8)));
  await force.applyChanges();
  hear();
  expect(await rate("k")).toBe(8);

  // A notice of the database may be faster than its response to the write.
  const hearLater = await unheard(() => put(records, "keys", "k", keyOf(9)));
  await force.applyChanges();
  hearLater();
  outage.isThere = true;
  expect(await rate("k")).toBe(9);
});

test("whoever waits for a lookup that fails is served by what was written meanwhile", async () => {
  const { records, outage, rate } = await writing();
  const { promise, resolve: notice } = Promise.withResolvers<void>();
  Object.assign(outage, { isThere: true, isNoticed: promise });
  const waiting = [rate("k"), rate("nobody's").catch(() => "failed")];
  await put(records, "keys", "k", keyOf(5));
  notice();
  expect(await Promise.all(waiting)).toEqual([5, "failed"]);
});

test("of more writes than it keeps, the oldest are asked for again", async () => {
  const { records, force, outage, rate } = await writing();
  for (let index = 0; index <= 1_000; index++)
    await put(records, "keys", `k${index}`, keyOf(index + 1));
  await force.applyChanges();
  const { lookups } = outage;
  expect([await rate("k0"), await rate("k1")]).toEqual([1, 2]);
  expect(outage.lookups).toBe(lookups + 1);
});

test("policies and APIs that were written just before an outage are obeyed", async () => {
  const { records, gateway, outage, rate } = await writing();
  await put(records, "policies", "gold", { ...keyOf(3), quota_max: -1 });
  await put(records, "keys", "k", { apply_policies: ["gold"] });
  expect(await rate("k")).toBe(3);
  await put(records, "policies", "gold", { ...keyOf(4), quota_max: -1 });
  await put(records, "apis", "made", { listen: "/made" });
  const { lookups } = outage;
  outage.isThere = true;
  const { configuration } = gateway.limiter.resolver;
  expect(await rate("k")).toBe(4);
  expect([...configuration.apis.keys()]).toEqual(["a", "made"]);
  expect(outage.lookups).toBe(lookups);
});

test("a policy that another gateway has changed since is followed, in whatever order it is heard", async () => {
  const { records, force, byAnother, unheard, rate } = await writing();
  const policy = (of: number) => put(records, "policies", "gold", keyOf(of));
  await policy(3);
  await put(records, "keys", "k", { apply_policies: ["gold"] });
  await byAnother(() => policy(4));
  expect(await rate("k")).toBe(3); // nobody has heard of it yet
  await force.applyChanges();
  expect(await rate("k")).toBe(4);
  const hear = await unheard(() => policy(5));
  await byAnother(() => policy(6));
  await force.applyChanges();
  hear();
  expect(await rate("k")).toBe(6);
  const following = byAnother(() => policy(7)).then(force.applyChanges);
  await policy(8); // while the other one is read
  await following;
  expect(await rate("k")).toBe(8);
});
