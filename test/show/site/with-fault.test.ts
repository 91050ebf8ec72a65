// A click adds an injected fault to the text of a scenario.
import { expect, test } from "vitest";
import { formatProblem } from "#src/kit/reading/source.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { SITE_FAULTS, withFault } from "#src/show/site/with-fault.ts";

const scenario = (faults: string, end = ""): string => `title: a
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 2, per: 1 } }
  fleet: { nodes: 2 }
traffic:
  - { as: alice, send: GET /orders, rate: 5, for: 10s }
${faults}expect:
  - { id: any, count: {}, atLeast: 1 }${end}`;

const BEFORE: readonly (readonly [name: string, text: string, count: number])[] = [
  ["no list", scenario("", "\n"), 1],
  ["no list, and no end of the line", scenario(""), 1],
  ["an empty list", scenario("faults: []\n"), 1],
  ["a list", scenario("faults:\n  - { at: 1s, gateway: restart, node: 1 }\n"), 2],
  ["a list at the margin", scenario("faults:\n- { at: 1s, gateway: restart, node: 1 }\n"), 2],
  [
    "a list with a comment",
    scenario("faults: # two\n    # one\n    - { at: 1s, gateway: restart, node: 1 }\n"),
    2,
  ],
  ["a list in brackets", scenario("faults: [{ at: 1s, gateway: restart, node: 1 }]\n"), 2],
];

const FAULTS = BEFORE.flatMap(([name, text, count]) =>
  SITE_FAULTS.map((fault) => [name, fault.name, text, fault, count] as const),
);

test.each(FAULTS)("%s: %s", (_name, _fault, text, fault, count) => {
  const { from, to, insert } = withFault(text, 2.5, fault);
  const changed = text.slice(0, from) + insert + text.slice(to);
  const { scenario: read, problems } = decode("a.yaml", changed);
  const errors = problems.filter(({ severity }) => severity === "error");
  expect(errors.map(formatProblem)).toEqual([]);
  const [variant] = read!.variants;
  expect(variant!.faults).toHaveLength(count);
  const times = variant!.faults.map((each) => ("atUs" in each ? each.atUs : each.fromUs));
  expect(times).toContain(2_500_000);
});
