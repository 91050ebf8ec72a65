// The pages of the scenario format equal the tables, and the decoder reads every example of them.
import { describe, expect, test } from "vitest";
import { checkAcross } from "#src/lab/check/across.ts";
import { checkVariant } from "#src/lab/check/run.ts";
import { playVariant } from "#src/lab/drivers/virtual.node.ts";
import { BEHAVIOUR_EXAMPLES } from "#src/lab/scenario/read/behaviour.ts";
import { CALL_EXAMPLES } from "#src/lab/scenario/read/calls.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { FAULT_WORDS } from "#src/lab/scenario/read/fault-list.ts";
import { frameExample } from "./page/format-frame.ts";
import { MIX_EXAMPLES } from "#src/lab/scenario/read/traffic.ts";
import { formatPages, WORLD_EXAMPLES } from "./page/format-page.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { formatProblem } from "#src/kit/reading/source.ts";
import { TRAFFIC_SHAPES } from "#src/lab/scenario/read/traffic-shapes.ts";
import { EXPECTATION_WORDS } from "#src/lab/scenario/read/words.ts";
import { problemsOf, small } from "./examples.ts";

const errorsOf = (text: string): readonly string[] =>
  decode("docs/frame.yaml", text)
    .problems.filter(({ severity }) => severity === "error")
    .map(formatProblem);

const examples = [
  ...EXPECTATION_WORDS.map(({ name, example }) => ["expect", name, example] as const),
  ...TRAFFIC_SHAPES.map(({ name, example }) => ["traffic", name, example] as const),
  ...BEHAVIOUR_EXAMPLES.map((example) => ["traffic", "a behaviour", example] as const),
  ...MIX_EXAMPLES.map((example) => ["traffic", "from", example] as const),
  ...CALL_EXAMPLES.map((example) => ["traffic", "call", example] as const),
  ...FAULT_WORDS.map(({ name, example }) => ["faults", name, example] as const),
];

test.each(Object.entries(formatPages()))(
  "%s.md is up to date (write it again with -u)",
  async (name, page) => {
    await expect(page).toMatchFileSnapshot(`../../../docs/reference/${name}.md`);
  },
);

test("the pages show every example", () => {
  const pages = Object.values(formatPages()).join("");
  for (const [, , example] of examples) expect(pages).toContain(`- ${example}\n`);
  for (const example of WORLD_EXAMPLES) expect(pages).toContain(example);
  expect(pages).toContain(frameExample(null));
});

describe("an example of the page", () => {
  test.each(examples)("in %s, %s, is read and planned", (part, name, example) => {
    const text = frameExample(part, example);
    expect(text).toContain(name === "a behaviour" ? "behaviour" : name);
    expect(errorsOf(text)).toEqual([]);
    const { scenario } = decode("docs/frame.yaml", text);
    for (const variant of scenario?.variants ?? [])
      expect(plan(variant, "docs/frame", 1).atUs.length).toBeGreaterThan(2400);
  });

  test.each(EXPECTATION_WORDS.map(({ name, example }) => [name, example]))(
    "%s holds in virtual time",
    async (_name, example) => {
      const { scenario } = decode("docs/frame.yaml", frameExample("expect", example));
      const played = await Promise.all(
        (scenario?.variants ?? []).map(async (variant) => ({
          variant,
          history: await playVariant(variant, plan(variant, "docs/frame", 1)),
        })),
      );
      const verdicts = [
        ...played.flatMap(({ variant, history }) => checkVariant(variant, history)),
        ...(scenario === null ? [] : checkAcross(scenario, played)),
      ];
      expect(verdicts.length).toBeGreaterThan(0);
      expect(verdicts.filter(({ outcome }) => outcome !== "pass")).toEqual([]);
    },
  );

  test.each(WORLD_EXAMPLES)("is a world: %s", (example) => {
    const world = `world:\n${example.replaceAll(/^(?=.)/gm, "  ")}`;
    const text = small(
      "world:\n  apis: { orders: { listen: /orders } }\n  keys: { alice: { apis: [orders], rate: 5, per: 1 } }\n",
      example.includes("apis:")
        ? world
        : `${world}  apis: { orders: { listen: /orders } }\n  keys: { alice: { apis: [orders], rate: 5, per: 1 } }\n`,
    );
    expect(problemsOf(text)).toEqual([]);
  });
});
