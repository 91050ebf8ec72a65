import { describe, expect, test } from "vitest";
import { client } from "../../src/core/client.ts";
import { inSequence, runSequence } from "../../src/core/sequence.ts";
import {
  emptyReply,
  type Answer,
  type Intent,
  type Level,
  type Reply,
  type StoreOp,
} from "../../src/core/store.ts";
import { atHand, memoryStore } from "../../src/store/memory.ts";
import { asked, atUs, level, smoothing } from "../store/budgets.ts";

const alice = client("alice");
const api = level("fixed_window", { rate: 5, per: 10, scope: "api" });
const key = level("sliding_log", { rate: 1, per: 10 });
const quota = level("fixed_window", { rate: 9, per: 60, scope: "quota" });
const pipelined = level("non_transactional", { rate: 2, per: 10 });

const admits = (more: Partial<Reply> = {}): Reply => ({ ...emptyReply(), ...more });
const refuses = (waitUs: number): Reply => ({ ...emptyReply(), refusedBy: 0, waitUs });

const named = (op: StoreOp): string => {
  if (op.op === "pipeline") return op.commands.map((command) => command.op).join(" ");
  const on =
    op.op === "take" ? op.levels.map(({ budget }) => budget.scope) : [op.level.budget.scope];
  return `${op.op}${op.op === "take" ? ` ${op.intent}` : ""} ${on.join()}`;
};

/** What is asked when the store answers so, one after the other. */
function conversation(
  levels: readonly Level[],
  answers: readonly Answer[],
  intent: Intent = "spend",
  givesBack = true,
): { said: readonly string[]; result: Answer } {
  const steps = inSequence({ levels, client: alice, atUs: atUs(0), intent, givesBack });
  const said: string[] = [];
  let next = steps.next();
  while (next.done !== true) {
    said.push(named(next.value));
    next = steps.next(answers[said.length - 1] ?? admits());
  }
  return { said, result: next.value };
}

describe("levels one after the other (LIM-C1)", () => {
  test("API first, then the key, then the quota, while they admit", () => {
    expect(conversation([api, key, quota], []).said).toEqual([
      "take spend api",
      "take spend key",
      "take spend quota",
    ]);
  });

  test("what was taken is given back when a later one refuses, and the rest is only asked", () => {
    const { said, result } = conversation([api, key, quota], [admits(), refuses(7)]);
    expect(said).toEqual(["take spend api", "take spend key", "give_back api", "take ask quota"]);
    expect(result).toMatchObject({ refusedBy: 1, waitUs: 7 });
  });

  test("nothing is given back where each is spent as it admits (key_first)", () => {
    const { said } = conversation([key, api], [admits(), refuses(7)], "spend", false);
    expect(said).toEqual(["take spend key", "take spend api"]);
  });

  test("a sentinel has taken nothing yet", () => {
    const sentinel = level("sentinel", { rate: 5, per: 10, scope: "api" });
    expect(conversation([sentinel, key], [admits(), refuses(7)]).said).toEqual([
      "take spend api",
      "take spend key",
    ]);
  });

  test("asking gives nothing back, because it took nothing", () => {
    expect(conversation([api, key], [admits(), refuses(7)], "ask").said).toEqual([
      "take ask api",
      "take ask key",
    ]);
  });

  test("a store that fails ends it, with what was taken given back (ALG-C8)", () => {
    const { said, result } = conversation([api, key, quota], [admits(), { failed: "timeout" }]);
    expect(said).toEqual(["take spend api", "take spend key", "give_back api"]);
    expect(result).toEqual({ failed: "timeout" });
  });

  test("the longest wait of all that would refuse is told (HDR-C1)", () => {
    const { result } = conversation([api, key, quota], [refuses(7), refuses(9), refuses(3)]);
    expect(result).toMatchObject({ refusedBy: 0, waitUs: 9 });
  });
});

describe("the log as single commands (ALG-7, ALG-C6)", () => {
  test("one pipeline, and nothing more while there is room", () => {
    expect(conversation([pipelined], [admits({ count: 0 })]).said).toEqual([
      "prune count add expire",
    ]);
  });

  test("whoever has nothing left asks for the stamp that leaves first", () => {
    const { said, result } = conversation([pipelined], [admits({ count: 1 }), refuses(4)]);
    expect(said).toEqual(["prune count add expire", "take ask key"]);
    expect(result).toMatchObject({ refusedBy: -1, remaining: 0, resetUs: atUs(0) + 4 });
  });

  test("a refused attempt stays, as in every log (ALG-3)", () => {
    const { said, result } = conversation([pipelined], [admits({ count: 2 }), refuses(4)]);
    expect(said).toEqual(["prune count add expire", "take ask key"]);
    expect(result).toMatchObject({ refusedBy: 0, waitUs: 4 });
  });

  test("one that waits and asks again looks first, and writes nothing when it is refused (LIM-C9)", () => {
    const { said, result } = conversation([pipelined], [refuses(4)], "try");
    expect(said).toEqual(["take ask key"]);
    expect(result).toMatchObject({ refusedBy: 0, waitUs: 4 });
  });

  test("one that others overtake after its look takes itself back", () => {
    const { said } = conversation([pipelined], [admits(), admits({ count: 2 })], "try");
    expect(said).toEqual([
      "take ask key",
      "prune count add expire",
      "give_back key",
      "take ask key",
    ]);
  });

  test("what an API refuses is written even then, because that ends it", () => {
    const shared = level("non_transactional", { rate: 2, per: 10, scope: "api" });
    expect(conversation([shared], [admits({ count: 2 })], "try").said).toEqual([
      "prune count add expire",
      "take ask api",
    ]);
  });

  test("A moves in one step before the commands, and rules over them", () => {
    const smoothed = level("non_transactional", {
      rate: 9,
      per: 10,
      smoothing: smoothing(3, 2, 0.5, 5),
    });
    const { said, result } = conversation(
      [smoothed],
      [admits({ allowance: 5 }), admits({ count: 4 })],
    );
    expect(said.slice(0, 2)).toEqual(["allowance key", "prune count add expire"]);
    expect(result).toMatchObject({ refusedBy: -1, limit: 5, allowance: 5 });
  });

  test.each([
    ["the step of A", [{ failed: "error" }]],
    ["the pipeline", [admits({ allowance: 5 }), { failed: "error" }]],
    ["the question for the stamp", [admits({ allowance: 1 }), admits(), { failed: "error" }]],
  ] as const)("a store that fails at %s has failed", (_, answers) => {
    const smoothed = level("non_transactional", {
      rate: 9,
      per: 10,
      smoothing: smoothing(3, 2, 0.5, 5),
    });
    expect(conversation([smoothed], answers).result).toEqual({ failed: "error" });
  });
});

describe("with the store at hand", () => {
  test("every question is answered before the next is asked", () => {
    const { store } = asked();
    const hand = atHand(store, memoryStore());
    const decide = () => runSequence(hand, [pipelined, api], alice, atUs(0), "spend");
    expect([decide(), decide(), decide()].map(({ refused }) => refused)).toEqual([
      null,
      null,
      "rate",
    ]);
  });
});
