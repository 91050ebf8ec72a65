// What the playground does with a scenario that a page cannot run to its end.
import { expect, test } from "vitest";
import { runScenario as runWhole } from "#src/library/weir.node.ts";
import { answerRun } from "#src/show/answers/run.ts";
import { runScenario, type RunMessage } from "#src/show/site/run-scenario.ts";

const textWith = (
  burst: number,
  maxAttempts: number,
): string => `title: refused clients come back at once
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 1, per: 3600 } }
traffic:
  - as: alice
    send: GET /orders
    burst: ${burst}
    behaviour: { backoff: { base: 1ms, factor: 1, maxAttempts: ${maxAttempts} } }
expect:
  - { id: one is admitted, count: { status: 200 }, equals: 1 }
`;

async function run(text: string, most?: number): Promise<readonly RunMessage[]> {
  const messages: RunMessage[] = [];
  const steps = runScenario({ file: "again.yaml", text, seed: 1 }, most);
  for await (const message of steps) messages.push(message);
  return messages;
}

test("retries without an end are stopped at the bound of the page, with a sentence", async () => {
  expect((await run(textWith(100, 1_000), 5_000)).at(-1)).toEqual({
    kind: "stopped",
    why: "The run was stopped: the 100 requests became more than 5,000 with their retries, and a page runs no more. Let refused clients wait longer or give up sooner (behaviour: a longer base, a smaller maxAttempts), send less, or run it with weir run.",
  });
});

test("as many retries as the bound allows are run, in all variants together", async () => {
  const twice = `matrix: { algorithm: [fixed_window, token_bucket] }
${textWith(100, 10).replace("world:", "world:\n  gateway: { algorithm: $algorithm }")}`;
  const planned = 2 * 100;
  const all = 2 * (1 + 99 * 10);
  expect((await run(twice, all)).at(-1)).toMatchObject({ kind: "done" });
  expect((await run(twice, all - 1)).at(-1)).toMatchObject({ kind: "stopped" });
  expect((await run(twice, planned - 1)).at(-1)).toMatchObject({
    why: expect.stringMatching(/^This scenario sends 200 requests in 2 variants/),
  });
});

test("the report of a matrix has the answer that weir run prints, and without a matrix none", async () => {
  const text = textWith(20, 3)
    .replace("title:", "matrix: { algorithm: [fixed_window, sliding_log] }\ntitle:")
    .replace("world:", "world:\n  gateway: { algorithm: $algorithm }");
  const { variants } = await runWhole({ file: "again.yaml", text }, { seed: 1 });
  const answer = answerRun(variants.map(({ result }) => result));
  expect(answer.length).toBeGreaterThan(0);
  expect((await run(text)).at(-1)).toMatchObject({ kind: "done", report: { answer } });
  expect((await run(textWith(20, 3))).at(-1)).not.toHaveProperty("report.answer");
});
