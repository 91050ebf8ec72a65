// A click changes a limit: the scenario gets a call of a management API, which a page and weir run perform alike.
import { expect, test } from "vitest";
import { runScenario as runInNode } from "#src/library/weir.node.ts";
import { formatProblem } from "#src/kit/reading/source.ts";
import { digest } from "#src/lab/scenario/history/digest.node.ts";
import { writeHistory } from "#src/lab/scenario/history/write.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { changeableLimits, withLimit } from "#src/show/site/change-limit.ts";
import { runScenario } from "#src/show/site/run-scenario.ts";

const scenario = (traffic: string): string => `title: a
world:
  apis: { orders: { listen: /orders } }
  policies: { 4/1s: { rate: 4, per: 1, apis: [orders] } }
  keys:
    alice: { apis: [orders], rate: 2, per: 1 }
    "a b": { apply_policies: [4/1s] }
traffic:${traffic}
expect:
  - { id: any, count: {}, atLeast: 1 }
`;
const FLOWS = [
  "{ as: alice, send: GET /orders, rate: 10, for: 4s }",
  '{ as: "a b", send: GET /orders, rate: 10, for: 4s }',
];

const limitsOf = (text: string) => changeableLimits(decode("a.yaml", text).scenario!);

/** By variant. */
async function digestsInPage(text: string): Promise<readonly (string | null)[]> {
  const steps = runScenario({ file: "a.yaml", text, seed: 1 });
  for (;;) {
    const { done, value } = await steps.next();
    if (done === true)
      return (await value!.digests((chunks) => digest(chunks))).map((each) => each.digest);
  }
}

test.each([
  ["a list", `\n  - ${FLOWS.join("\n  - ")}`],
  ["a list in brackets", ` [${FLOWS.join(", ")}]`],
])("%s of traffic gets a call for each click", async (_, traffic) => {
  let text = scenario(traffic);
  const limits = limitsOf(text);
  expect(limits.map(({ name, rate }) => [name, rate])).toEqual([
    ["policy 4/1s", 4],
    ["key alice", 2],
  ]);
  const [before] = await digestsInPage(text);
  for (const [limit, rate] of [
    [limits[0]!, 8],
    [limits[1]!, 1],
    [limits[1]!, 3],
  ] as const) {
    const { from, to, insert } = withLimit(text, 2, limit, rate);
    text = text.slice(0, from) + insert + text.slice(to);
  }
  const { scenario: read, problems } = decode("a.yaml", text);
  expect(problems.map(formatProblem)).toEqual([]);
  expect(read!.variants[0]!.calls.map(({ name, atUs }) => [name, atUs])).toEqual([
    ["change 3", 2_000_000],
    ["change 2", 2_000_000],
    ["change 1", 2_000_000],
  ]);
  const { variants } = await runInNode({ file: "elsewhere.yaml", text: `id: a\n${text}` });
  const [{ history }] = variants as [(typeof variants)[number]];
  expect(history.calls.map(({ status }) => status)).toEqual([200, 200, 200]);
  const [after] = await digestsInPage(`id: a\n${text}`);
  expect(after).toBe(digest(writeHistory(history)));
  expect(after).not.toBe(before);
});

const APIS = `title: a
world:
  apis:
    short: { listen: /short, rate: 3, per: 2 }
    classic: { listen: /classic, global_rate_limit: { rate: 4, per: 2 } }
    pasted: { definition: { global_rate_limit: { rate: 4, per: 2 } }, listen: /pasted }
    free: { listen: /free }
  keys: { alice: { apis: [short, classic, pasted, free] } }
traffic:
  - { name: to short, as: alice, send: GET /short, rate: 10, for: 4s }
  - { name: to classic, as: alice, send: GET /classic, rate: 10, for: 4s }
expect:
  - { id: any, count: {}, atLeast: 1 }
`;

test("the limit of an API is changed in the form in which it is written, and its window stays", async () => {
  let text = APIS;
  const limits = limitsOf(text);
  expect(limits.map(({ name, rate }) => [name, rate])).toEqual([
    ["API short", 3],
    ["API classic", 4],
  ]);
  for (const limit of limits) {
    const { from, to, insert } = withLimit(text, 2, limit, 7);
    text = text.slice(0, from) + insert + text.slice(to);
  }
  const { problems } = decode("a.yaml", text);
  expect(problems.map(formatProblem)).toEqual([]);
  const { variants } = await runInNode({ file: "elsewhere.yaml", text: `id: a\n${text}` });
  const [{ history }] = variants as [(typeof variants)[number]];
  expect(history.calls.map(({ status }) => status)).toEqual([200, 200]);
  const after = history.header.budgets.filter(({ rate }) => rate === 7);
  expect(after.map(({ perUs }) => perUs)).toEqual([2_000_000, 2_000_000]);
  expect(await digestsInPage(`id: a\n${text}`)).toEqual([digest(writeHistory(history))]);
});
