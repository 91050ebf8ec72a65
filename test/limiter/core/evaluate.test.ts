import { describe, expect, test } from "vitest";
import { client, type Client } from "#src/limiter/core/client.ts";
import { evaluate, type Evaluation } from "#src/limiter/core/evaluate.ts";
import { decideNow, type Limiter } from "#src/limiter/core/limiter.ts";
import { performNow } from "#src/limiter/core/sequence.ts";
import { inputOf, limiterOf, met } from "./limiters.ts";

/** Two a minute for each client, and five an hour for each credential. */
const world = {
  apis: { orders: { listen: "/" } },
  keys: { alice: { apis: ["orders"], rate: 2, per: 60, quota_max: 5, quota_renewal_rate: 3600 } },
};

function evaluateNow(on: Limiter, sender: Client): Evaluation {
  const { resolved } = met(on, "alice");
  const steps = evaluate(on, inputOf(on, { resolved, client: sender }, 0));
  let next = steps.next();
  while (next.done !== true) next = steps.next(performNow(on.localStore, next.value));
  return next.value;
}

const remainingIn = ({ levels }: Evaluation): readonly (readonly [string, number])[] =>
  levels.map(({ level, reply }) => [level.budget.scope, reply.remaining]);

describe("each level of a request whose limits count by the address (LIM-C17)", () => {
  const on = limiterOf(world).limiter;
  const owner = met(on, "alice").client;
  const here = client("ip:10.0.0.7", owner);
  const there = client("ip:10.0.0.8", owner);

  test("is that of the address, and of a quota that of the credential", () => {
    const spend = (sender: Client): void => {
      const { prepared, atUs } = inputOf(on, met(on, "alice"), 0);
      expect(decideNow(on, prepared, sender, atUs, "spend", 1).refused).toBeNull();
    };
    for (const sender of [here, here, there]) spend(sender);
    expect([here, there, owner].map((sender) => remainingIn(evaluateNow(on, sender)))).toEqual([
      [
        ["key", 0],
        ["quota", 2],
      ],
      [
        ["key", 1],
        ["quota", 2],
      ],
      [
        ["key", 2],
        ["quota", 2],
      ],
    ]);
  });

  test("is spent by no evaluation", () => {
    const [first, second] = [there, there].map((sender) => evaluateNow(on, sender));
    expect(first?.decision.refused).toBeNull();
    expect(second).toEqual(first);
  });
});
