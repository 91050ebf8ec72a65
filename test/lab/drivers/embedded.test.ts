import { expect, test } from "vitest";
import { checkVariant } from "#src/lab/check/run.ts";
import { totalsOf } from "#src/lab/check/totals.ts";
import { createEmbeddedDriver } from "#src/lab/drivers/embedded.node.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import type { History } from "#src/lab/scenario/history.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";

// The second burst comes 0.7 s after the first has left its window: real requests may be that late.
const file = "scenarios/limits/spine.yaml";
const text = `id: limits/spine
title: five a second, in virtual time and over HTTP
proves: [LIM-1]
matrix: { algorithm: [fixed_window, sliding_log] }
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
  gateway: { algorithm: $algorithm }
traffic:
  - { name: first, as: alice, send: GET /orders/7, burst: 8 }
  - { name: second, as: alice, send: GET /orders, burst: 8, at: 1.7s }
  - { name: stranger, send: GET /orders, burst: 1, at: 100ms }
expect:
  - { id: five of eight pass, sequence: { flow: first }, equals: 5*200 3*429 }
  - { id: and five more, sequence: { flow: second }, equals: 5*200 3*429 }
  - { id: a stranger does not, sequence: { flow: stranger }, equals: 1*401 }
  - { id: and reads why, response: { flow: stranger }, matches: { body: { error: Authorization field missing } } }
  - { id: as who has had enough does, response: { flow: first, status: 429 }, matches: { body: { error: Rate Limit Exceeded } } }
  - { id: the text says the same, decisions: {}, agreeWith: oracle }
`;

const statusesByFlow = ({ header, requests }: History): Record<string, number[]> =>
  Object.fromEntries(
    header.flows.map(({ name }, flow) => [
      name,
      [...requests.status]
        .filter((_, row) => requests.flow[row] === flow)
        .toSorted((a, b) => a - b),
    ]),
  );

const { scenario, problems } = decode(file, text);

test("the scenario of this test is whole", () => {
  expect(problems).toEqual([]);
});

test.each(scenario?.variants ?? [])(
  "$name: one plan, the same answers in virtual time and over HTTP",
  async (variant) => {
    const planned = plan(variant, scenario!.id, 7);
    const virtual = playVirtual(variant, planned);
    const world = await createEmbeddedDriver().apply(variant);
    const real = await world.play(planned);
    await world.close();

    expect(statusesByFlow(real)).toEqual(statusesByFlow(virtual));
    expect(checkVariant(variant, real).filter(({ outcome }) => outcome !== "pass")).toEqual([]);
    expect(checkVariant(variant, virtual).filter(({ outcome }) => outcome !== "pass")).toEqual([]);

    const { requests, header, events } = real;
    expect({ driver: header.driver, rows: requests.length }).toEqual({
      driver: "embedded",
      rows: 17,
    });
    expect(totalsOf(real)).toMatchObject({ requests: 17, lost: 0 });
    for (let row = 0; row < requests.length; row++) {
      expect(requests.sentUs[row]).toBeGreaterThanOrEqual(requests.plannedUs[row]!);
      expect(requests.fromUs[row]).toBeGreaterThan(requests.sentUs[row]!);
      expect(requests.toUs[row]).toBeLessThan(requests.answeredUs[row]!);
      expect(requests.stampUs[row]).toBeGreaterThanOrEqual(requests.sentUs[row]!);
      expect(requests.stampUs[row]).toBeLessThanOrEqual(requests.toUs[row]!);
      expect(Number.isNaN(requests.retryAfterS[row]!)).toBe(requests.status[row] !== 429);
    }
    expect(events.map(({ event }) => event)).toEqual(Array(6).fill("RatelimitExceeded"));
  },
);

test("a management call affects the requests after it, over HTTP as in virtual time", async () => {
  const called = decode(
    "scenarios/management/called.yaml",
    `id: management/called
title: a key is raised and then removed
proves: [MGT-8]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 2, per: 100 } }
traffic:
  - { name: before, as: alice, send: GET /orders, burst: 3 }
  - { at: 900ms, name: raise, call: PUT admin/org/keys/alice, body: { rate: 5 } }
  - { name: after, as: alice, send: GET /orders, burst: 3, at: 900ms }
  - { at: 1800ms, name: remove, call: DELETE admin/org/keys/alice }
  - { name: gone, as: alice, send: GET /orders, burst: 1, at: 1800ms }
  - { at: 2s, name: stranger, call: GET admin/org/keys/alice, as: invalid }
expect:
  - { id: two of two, sequence: { flow: before }, equals: 2*200 429 }
  - { id: two of five, sequence: { flow: after }, equals: 2*200 429 }
  - { id: none without the key, sequence: { flow: gone }, equals: 403 }
  - { id: both are told, response: { call: [raise, remove] }, matches: { status: 200, body: { ID: alice } } }
  - { id: a stranger is not, response: { call: stranger }, matches: { status: 401 } }
  - { id: the text says the same, decisions: {}, agreeWith: oracle }
`,
  );
  const variant = called.scenario!.variants[0]!;
  const world = await createEmbeddedDriver().apply(variant);
  const real = await world.play(plan(variant, "management/called", 1));
  await world.close();
  expect(checkVariant(variant, real).filter(({ outcome }) => outcome !== "pass")).toEqual([]);
  expect(real.calls.map(({ call, status }) => [call, status])).toEqual([
    ["raise", 200],
    ["remove", 200],
    ["stranger", 401],
  ]);
  expect(totalsOf(real).lost).toBe(0);
});

test("clients come from their addresses, over HTTP as in virtual time", async () => {
  const { scenario: mixing, problems: found } = decode(
    "scenarios/limits/addresses.yaml",
    `id: limits/addresses
title: an address is a client
world:
  apis: { login: { listen: /login, keyless: true, key_by: ip, rate: 2, per: 100 } }
traffic:
  - { name: two, send: [POST /login, POST /login/again], from: [10.0.0.7, "2001:db8::7"], burst: 8 }
  - { name: home, send: POST /login, every: 300ms, count: 3, at: 300ms }
  - { name: liar, send: POST /login, from: 10.0.0.7, headers: { X-Forwarded-For: 10.9.9.9 }, burst: 2, at: 1200ms }
  - { name: fool, send: POST /login, headers: { x-forwarded-for: 10.8.8.8 }, burst: 1, at: 1200ms }
expect:
  - { id: four of the first, sequence: { flow: two, from: 10.0.0.7 }, equals: 2*200 2*429 }
  - { id: and of the second, sequence: { flow: two, from: "2001:db8::/64" }, equals: 2*200 2*429 }
  - { id: a client without an address is another one, sequence: { flow: home }, equals: 2*200 429 }
  - { id: a header of the client changes nothing, sequence: { flow: liar }, equals: 2*429 }
  - { id: also without an address, sequence: { flow: fool }, equals: 1*429 }
`,
  );
  expect(found).toEqual([]);
  const variant = mixing!.variants[0]!;
  const planned = plan(variant, mixing!.id, 1);
  const world = await createEmbeddedDriver().apply(variant);
  const real = await world.play(planned);
  await world.close();
  for (const history of [playVirtual(variant, planned), real])
    expect(checkVariant(variant, history).filter(({ outcome }) => outcome !== "pass")).toEqual([]);
  expect(real.header.addresses).toEqual(["10.0.0.7", "2001:db8::7"]);
});

const LEAVING = `id: fleet/leaving
title: one of two gateways leaves while requests come
proves: [LIM-1]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 100, per: 60 } }
  gateway: { algorithm: drl }
  fleet: { nodes: 2 }
faults: [{ at: 200ms, gateway: leave, node: 1 }]
traffic: [{ name: steady, as: alice, send: GET /orders, rate: 20, for: 1s }]
expect: [{ id: all pass, sequence: { flow: steady }, equals: 20*200 }]
`;

test("no request waits for a gateway that leaves, which takes half a second", async () => {
  const { scenario: one, problems: found } = decode("scenarios/fleet/leaving.yaml", LEAVING);
  expect(found).toEqual([]);
  const [variant] = one!.variants;
  const world = await createEmbeddedDriver().apply(variant!);
  const { requests, spans } = await world.play(plan(variant!, one!.id, 1));
  await world.close();
  const { fromUs, toUs } = spans.find(({ text: what }) => what === "gateway_leave")!;
  expect([...requests.status]).toEqual(Array.from({ length: 20 }, () => 200));
  const meanwhile = [...requests.sentUs].filter((us) => us > fromUs && us < toUs);
  expect(meanwhile.length).toBeGreaterThan(5);
});
