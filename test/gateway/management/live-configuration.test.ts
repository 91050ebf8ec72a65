// The configuration of a gateway, built from records and updated with them.
import { expect, test } from "vitest";
import { sessionOf } from "#src/limiter/core/resolve/resolver.ts";
import { keyOf, put, rig } from "./governed.ts";

test("a key is looked up once for all requests that wait for it", async () => {
  let lookups = 0;
  const { records, rate } = await rig({}, (real) => ({
    ...real,
    find: (...of) => {
      lookups++;
      return real.find(...of);
    },
  }));
  await put(records, "keys", "k", keyOf(5));
  expect(await Promise.all([rate("k"), rate("k"), rate("k")])).toEqual([5, 5, 5]);
  expect(await rate("k")).toBe(5);
  expect(lookups).toBe(1);
});

test("a change of one key leaves the others known, and a change of a policy leaves all of them", async () => {
  const { records, force, rate } = await rig();
  await put(records, "policies", "p", { rate: 3, per: 1, access_rights: { a: {} } });
  await put(records, "keys", "one", keyOf(5));
  await put(records, "keys", "two", { apply_policies: ["p"] });
  await force.applyChanges();
  expect([await rate("one"), await rate("two")]).toEqual([5, 3]);
  await put(records, "keys", "one", keyOf(6));
  await force.applyChanges();
  expect([force.isKnown("one"), force.isKnown("two")]).toEqual([false, true]);
  expect(await rate("one")).toBe(6);
  await put(records, "policies", "p", { rate: 4, per: 1, access_rights: { a: {} } });
  await force.applyChanges();
  expect([force.isKnown("one"), force.isKnown("two")]).toEqual([true, true]);
  expect([await rate("one"), await rate("two")]).toEqual([6, 4]);
});

test("a key may come before its policy and its API", async () => {
  const { records, force, gateway: served, rate } = await rig();
  await put(records, "keys", "k", { rate: 5, per: 1, access_rights: { later: {} } });
  await put(records, "keys", "l", { apply_policies: ["later"] });
  await force.applyChanges();
  expect([await rate("k"), await rate("l")]).toEqual([5, null]);
  await put(records, "apis", "later", { listen: "/later" });
  await put(records, "policies", "later", { rate: 7, per: 1, access_rights: { later: {} } });
  await force.applyChanges();
  expect(await rate("l")).toBe(7);
  for (const credential of ["k", "l"]) {
    const session = sessionOf(served.limiter.resolver, credential)!;
    expect([...session.profile.merged.grants.keys()]).toEqual(["later"]);
  }
});

test("the first shadow may come with a key, or with an API", async () => {
  const { records, force, gateway: served, rate } = await rig();
  await put(records, "keys", "plain", keyOf(5));
  await force.applyChanges();
  await rate("plain");
  expect(force.configuration().shadow).toBeNull();
  await put(records, "keys", "shadow", { ...keyOf(2), shadow: true });
  await force.applyChanges();
  expect(await rate("shadow")).toBeNull(); // nothing of it is enforced
  const { shadow } = served.limiter.resolver;
  expect(sessionOf(shadow!, "shadow")?.profile.merged.root?.limit.rate).toBe(2);
  expect(sessionOf(shadow!, "plain")?.profile.merged.root).toBeNull();
  expect(await rate("plain")).toBe(5);
});

test("an invalid record is ignored, and reported", async () => {
  const { records, force, reports, rate } = await rig();
  await put(records, "keys", "k", { rate: -7, per: 1, access_rights: { a: {} } });
  await put(records, "policies", "p", { rate: 1, access_rights: { a: {} } });
  await put(records, "gateway", "gateway", { algorithm: "none" });
  await put(records, "apis", "a", { listen: 7 });
  await force.applyChanges();
  expect(await rate("k")).toBeNull();
  const { apis, policies, options } = force.configuration();
  expect([apis.size, policies.size, options.algorithm]).toEqual([0, 0, null]);
  expect(reports.map((line) => line.split(" is ignored")[0])).toEqual([
    "the record policies/p",
    "the record gateway/gateway",
    "the record apis/a",
    "the record keys/k",
  ]);
});

test("if more keys are used than fit, the least recently read key goes first", async () => {
  const { records, force, gateway: served, rate } = await rig({ mostKeys: 3 });
  for (const id of ["a", "b", "c", "d"]) await put(records, "keys", id, keyOf(5));
  await force.applyChanges();
  for (const id of ["a", "b", "c"]) await rate(id);
  await put(records, "keys", "a", keyOf(6));
  await force.applyChanges();
  await rate("a");
  await rate("d");
  expect(["a", "b", "c", "d"].map(force.isKnown)).toEqual([true, false, true, true]);
  expect([...served.limiter.resolver.sessions.keys()].toSorted()).toEqual(["a", "c", "d"]);
  expect(await rate("b")).toBe(5);
});

test("unknown credentials are remembered until a key has them, and only a bounded number", async () => {
  const { records, force, rate } = await rig();
  expect([await rate("x"), force.isKnown("x")]).toEqual([null, true]);
  await put(records, "keys", "x", keyOf(5));
  await force.applyChanges();
  expect(await rate("x")).toBe(5);
  for (let i = 0; i <= 10_000; i++) await force.learn(`stranger ${i}`);
  expect(force.isKnown("stranger 0")).toBe(false);
  expect(force.isKnown("stranger 10000")).toBe(true);
});

test("new rates of one key do not accumulate", async () => {
  const { records, force, gateway: served, rate } = await rig();
  await put(records, "keys", "other", keyOf(1));
  for (let i = 1; i <= 1_500; i++) {
    await put(records, "keys", "k", keyOf(i));
    await force.applyChanges();
    expect(await rate("k")).toBe(i);
  }
  expect(served.limiter.resolver.profiles.size).toBeLessThan(1_100);
  expect(await rate("other")).toBe(1);
});

test("during an outage of the records known keys stay known, and an internal error is reported once", async () => {
  let isAway = false;
  const failing = <T>(answer: Promise<T>): Promise<T> =>
    isAway ? Promise.reject(new Error("no connection")) : answer;
  const { records, force, reports, rate } = await rig({}, (real) => ({
    ...real,
    find: (...of) => failing(real.find(...of)),
    changesSince: (seq) => failing(real.changesSince(seq)),
  }));
  await put(records, "keys", "k", keyOf(5));
  await put(records, "keys", "l", keyOf(6));
  await rate("k");
  isAway = true;
  await expect(force.applyChanges()).rejects.toThrow("no connection");
  await expect(rate("l")).rejects.toThrow("no connection");
  await expect(rate("l")).rejects.toThrow("no connection");
  expect([await rate("k"), force.status()]).toEqual([5, "away"]);
  isAway = false;
  expect([await rate("l"), force.status()]).toEqual([6, "answers"]);
  expect(reports).toEqual(["the configuration cannot be read from the records: no connection"]);
});

test("a gateway that has missed too many changes reads everything again", async () => {
  let isFar = false;
  const { records, force, rate } = await rig({}, (real) => ({
    ...real,
    changesSince: (seq) => (isFar ? Promise.resolve(null) : real.changesSince(seq)),
  }));
  await put(records, "policies", "p", keyOf(1));
  await put(records, "keys", "k", keyOf(5));
  await put(records, "keys", "l", { apply_policies: ["p"] });
  await force.applyChanges();
  expect([await rate("k"), await rate("l"), await rate("m")]).toEqual([5, 1, null]);
  for (const id of ["k", "m"]) await put(records, "keys", id, keyOf(6));
  await put(records, "policies", "p", keyOf(2));
  isFar = true;
  await force.applyChanges();
  expect([await rate("k"), await rate("l"), await rate("m")]).toEqual([6, 2, 6]);
});

test("a key is found by its id too, under a credential that no request can have", async () => {
  const { records, force, rate } = await rig();
  await put(records, "keys", "k", keyOf(5));
  const credential = await force.credentialOf("k");
  expect([credential, await rate(credential!)]).toEqual(["\0k", 5]);
  expect(await force.credentialOf("nobody")).toBeNull();
  await put(records, "keys", "k", keyOf(6));
  await force.applyChanges();
  await rate("k");
  expect(await force.credentialOf("k")).toBe("k");
});

test.each([
  ["another gateway", false],
  ["this gateway", true],
])(
  "a key that is loaded by its id and by its credential changes under both, if %s changes it",
  async (_, isOwn) => {
    const { records, force, rate } = await rig();
    if (isOwn) records.onWrite(force.applyOwnWrites);
    await put(records, "keys", "k", keyOf(5));
    await force.applyChanges();
    const byId = (await force.credentialOf("k"))!;
    expect([await rate(byId), await rate("k")]).toEqual([5, 5]);
    await put(records, "keys", "k", keyOf(6));
    if (!isOwn) await force.applyChanges();
    expect([await rate("k"), await rate(byId)]).toEqual([6, 6]);
  },
);
