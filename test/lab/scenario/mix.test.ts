import { describe, expect, test } from "vitest";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { countPlannedRequests } from "#src/lab/scenario/plan/size.ts";
import type { Variant } from "#src/lab/scenario/types.ts";
import { decodeScenario, problemsOf } from "./examples.ts";

const file = (...flows: readonly string[]): string => `id: limits/mix
title: a flow mixes
world:
  apis: { orders: { listen: /orders } }
  keys:
    alice: { apis: [orders], rate: 5, per: 1 }
    bob: { apis: [orders], rate: 5, per: 1 }
    carol: { apis: [orders], rate: 5, per: 1 }
traffic:
${flows.map((flow) => `  - { ${flow} }\n`).join("")}expect:
  - { id: something, count: {}, atLeast: 1 }
`;

const variantOf = (...flows: readonly string[]): Variant =>
  decodeScenario(file(...flows)).variants[0]!;

/** The client, path and address of each request. */
function requestsOf(seed: number, ...flows: readonly string[]) {
  const {
    atUs,
    flow,
    client,
    address,
    addresses,
    flows: all,
  } = plan(variantOf(...flows), "x", seed);
  return [...atUs].map((_, i) => {
    const { name, as, method, path } = all[flow[i]!]!;
    const place = address?.[i] ?? -1;
    const from = place < 0 ? null : addresses![place]!;
    return { name, as, send: `${method} ${path}`, client: client[i]!, from };
  });
}

const share = <T>(list: readonly T[], is: (one: T) => boolean): number =>
  list.filter(is).length / list.length;

describe("a list is used in turn", () => {
  test("of keys", () => {
    const keys = requestsOf(1, "as: [alice, bob, null], send: GET /orders, burst: 5").map(
      ({ as }) => as,
    );
    expect(keys).toEqual(["alice", "bob", null, "alice", "bob"]);
  });

  test("of keys and paths and addresses, in every combination", () => {
    const all = requestsOf(
      1,
      'as: [alice, bob], send: [GET /orders, PUT /orders/1], from: [10.0.0.1, "::1"], burst: 8',
    );
    expect(all.map(({ as, send, from }) => `${as} ${send} ${from}`)).toEqual([
      "alice GET /orders 10.0.0.1",
      "bob GET /orders 10.0.0.1",
      "alice PUT /orders/1 10.0.0.1",
      "bob PUT /orders/1 10.0.0.1",
      "alice GET /orders ::1",
      "bob GET /orders ::1",
      "alice PUT /orders/1 ::1",
      "bob PUT /orders/1 ::1",
    ]);
  });

  test("of the addresses of a network, and then from its first again", () => {
    const from = (network: string, burst: number): readonly (string | null)[] =>
      requestsOf(1, `send: GET /orders, from: "${network}", burst: ${burst}`).map(
        (each) => each.from,
      );
    expect(from("10.0.0.252/30", 5)).toEqual([
      "10.0.0.252",
      "10.0.0.253",
      "10.0.0.254",
      "10.0.0.255",
      "10.0.0.252",
    ]);
    expect(from("2001:db8::/32", 3)).toEqual(["2001:db8::", "2001:db8::1", "2001:db8::2"]);
    expect(from("::ffff:10.0.0.7", 2)).toEqual(["10.0.0.7", "10.0.0.7"]);
  });

  test("of networks", () => {
    const from = requestsOf(1, "send: GET /orders, from: [10.0.0.0/24, 10.0.1.7], burst: 5");
    expect(from.map((each) => each.from)).toEqual([
      "10.0.0.0",
      "10.0.1.7",
      "10.0.0.1",
      "10.0.1.7",
      "10.0.0.2",
    ]);
  });
});

describe("weights are drawn", () => {
  const FLOW =
    "as: { alice: 3, bob: 1 }, send: { GET /orders: 1, GET /orders/1: 9 }, from: { 10.0.0.0/8: 1, 10.0.0.7: 1 }, burst: 20000";

  test("each in its share, whatever the others are", () => {
    const all = requestsOf(1, FLOW);
    expect(share(all, ({ as }) => as === "alice")).toBeCloseTo(0.75, 1.7);
    expect(share(all, ({ send }) => send === "GET /orders/1")).toBeCloseTo(0.9, 1.7);
    expect(share(all, ({ from }) => from === "10.0.0.7")).toBeCloseTo(0.5, 1.7);
    const both = share(all, ({ as, send }) => as === "bob" && send === "GET /orders");
    expect(both).toBeCloseTo(0.025, 1.7);
    // The addresses of a network are in order.
    const net = all.filter(({ from }) => from !== "10.0.0.7").map(({ from }) => from);
    expect(net.slice(0, 3)).toEqual(["10.0.0.0", "10.0.0.1", "10.0.0.2"]);
  });

  test("are the same with one seed, differ with another, and do not depend on other flows", () => {
    const otherFlow = `name: other, ${FLOW.replace("20000", "50")}`;
    expect(requestsOf(1, FLOW)).toEqual(requestsOf(1, FLOW));
    expect(requestsOf(1, FLOW)).not.toEqual(requestsOf(2, FLOW));
    const both = requestsOf(1, otherFlow, FLOW);
    expect(both.filter(({ name }) => name === "mixed")).toEqual(requestsOf(1, FLOW));
    expect(both.filter(({ name }) => name === "other").map(({ as }) => as)).not.toEqual(
      requestsOf(1, FLOW)
        .slice(0, 50)
        .map(({ as }) => as),
    );
  });
});

describe("of several clients each has one key and one address, and sends all paths", () => {
  test.each([
    "as: [alice, bob], send: [GET /orders, PUT /orders/1], from: [10.0.0.1, 10.0.0.2, 10.0.0.3], clients: 6, burst: 60",
    "as: { alice: 1, bob: 1 }, send: { GET /orders: 1, PUT /orders/1: 1 }, from: { 10.0.0.0/28: 1, 10.0.1.7: 1 }, clients: 6, burst: 60",
  ])("%s", (flow) => {
    const all = requestsOf(1, flow);
    for (const sender of [0, 1, 2, 3, 4, 5]) {
      const own = all.filter(({ client }) => client === sender);
      expect(new Set(own.map(({ as }) => as)).size).toBe(1);
      expect(new Set(own.map(({ from }) => from)).size).toBe(1);
      expect(new Set(own.map(({ send }) => send)).size).toBe(2);
    }
    expect(new Set(all.map(({ as }) => as)).size).toBe(2);
    expect(new Set(all.map(({ from }) => from)).size).toBeGreaterThan(1);
  });
});

test("a mixing flow is sent once, whatever it mixes", () => {
  const variant = variantOf("as: [alice, bob], send: [GET /orders, PUT /orders/1], burst: 8");
  expect(plan(variant, "x", 1).atUs.length).toBe(8);
  expect(countPlannedRequests(variant)).toBe(8);
});

test("a flow that mixes nothing equals a plain one, and has no addresses", () => {
  const variant = variantOf("as: [alice], send: [GET /orders], burst: 2");
  expect(variant.traffic).toEqual(variantOf("as: alice, send: GET /orders, burst: 2").traffic);
  expect(plan(variant, "x", 1)).not.toHaveProperty("addresses");
});

describe("values that cannot be mixed are reported", () => {
  const NO_WEIGHT = "is not a number above 0, up to 1000000; leave out what is never sent";
  test.each<[flow: string, lines: readonly string[]]>([
    ["as: []", ['SCN-VALUE "as" is an empty list; name at least one, or leave it out']],
    ["as: {}", ['SCN-VALUE "as" is an empty map; name at least one, or leave it out']],
    ["as: { alice: 0, bob: -1 }", [`SCN-VALUE 0 ${NO_WEIGHT}`, `SCN-VALUE -1 ${NO_WEIGHT}`]],
    ["as: { alice: many }", [`SCN-VALUE "many" ${NO_WEIGHT}`]],
    ["as: [alice, bib]", ['SCN-NAME no key of the world is called "bib"; did you mean "bob"?']],
    [
      "as: { bib: 1, alice: 2 }, send: [GET /orders, GET /orders/1]",
      ['SCN-NAME no key of the world is called "bib"; did you mean "bob"?'],
    ],
    [
      "send: [GET /orders, /orders]",
      [
        'SCN-VALUE "/orders" is not a method and a path; write "GET /orders": the method in capitals, a space, the path with its slash',
      ],
    ],
    ...["10.0.0", "10.0.0.256", "10.0.0.0/33", "fe80::/129", "10.0.0.0/8/8", "host", "1"].map(
      (from): [string, readonly string[]] => [
        `from: "${from}"`,
        [
          `SCN-VALUE "${from}" is no address and no network; write an address or a network, such as "10.0.0.7", "10.0.0.0/24" or "2001:db8::/64"`,
        ],
      ],
    ),
    ["from: []", ['SCN-VALUE "from" is an empty list; name at least one, or leave it out']],
    [
      "from: 10.0.0.7/8",
      [
        'SCN-VALUE "10.0.0.7/8" is an address of the network 10.0.0.0/8; write "10.0.0.7" or "10.0.0.0/8"',
      ],
    ],
    [
      `as: [${"alice, ".repeat(40)}], send: [${"GET /orders, ".repeat(40)}]`,
      [
        "SCN-VALUE 40 keys and 40 paths are 1600 combinations, and 1000 are the most; mix fewer in one flow, or write several flows",
      ],
    ],
  ])("%s", (mixed, lines) => {
    const send = mixed.includes("send:") ? "" : "send: GET /orders, ";
    expect(problemsOf(file(`${mixed}, ${send}burst: 8`))).toEqual(lines);
  });
});
