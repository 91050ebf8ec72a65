// The file that all examples of the format's page are parts of. The page shows it, and a test puts
// each example into it and reads the result, so that no example is wrong.

const HEAD = `id: docs/frame
title: the file around every example
about: alice is limited to 5 a second; carol has smoothing, and sends more and then less.
proves: [LIM-1, SMO-2]
matrix:
  order: [api_first, key_first]
world:
  apis: { orders: { listen: /orders } }
  keys:
    alice: { apis: [orders], rate: 5, per: 1, allowance: 8 }
    carol:
      apis: [orders]
      rate: 60
      per: 1
      smoothing: { enabled: true, threshold: 20, step: 10, trigger: 0.5, delay: 5 }
  gateway: { algorithm: sliding-log, limit_order: $order }
  fleet: { nodes: 2 }
`;

const HOOK = `name: hook
    call: POST portal-api/webhooks
    body: { ID: hook, URL: "https://hooks.example/", Events: [RatelimitExceeded] }`;

const FLOWS = [
  "{ name: first, as: alice, send: GET /orders, burst: 8 }",
  "{ name: second, as: alice, send: GET /orders, burst: 5, at: 1.1s }",
  `name: ramp
    as: carol
    send: GET /orders
    stages:
      - { name: calm, rate: 10, for: 10s }
      - { name: climb, rateTo: 58, for: 30s }
      - { name: hold, rate: 58, for: 20s }
      - { name: ebb, rate: 3, for: 40s }`,
];

const EXPECTATIONS = ["{ id: five of eight pass, sequence: { flow: first }, equals: 5*200 3*429 }"];

const list = (name: string, items: readonly string[]): string =>
  items.length === 0 ? "" : `${name}:\n${items.map((item) => `  - ${item}\n`).join("")}`;

/** The frame with one more item in one of its lists. */
export function frameExample(part: "traffic" | "faults" | "expect" | null, item = ""): string {
  const more = (name: typeof part): readonly string[] => (name === part ? [item] : []);
  return [
    HEAD,
    // An injected fault may change the configuration, but not together with calls.
    list("traffic", [...(part === "faults" ? [] : [HOOK]), ...FLOWS, ...more("traffic")]),
    list("faults", more("faults")),
    list("expect", [...(part === "expect" ? [] : EXPECTATIONS), ...more("expect")]),
  ].join("");
}
