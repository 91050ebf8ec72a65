// What the playground does with a scenario that a page cannot run to its end.
import { expect, test } from "vitest";
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
