import { describe, expect, test } from "vitest";
import { client } from "#src/limiter/core/client.ts";
import type { Algorithm } from "#src/limiter/core/algorithms.ts";
import { emptyReply, type Level, type LogCommand, type StoreOp } from "#src/limiter/core/store.ts";
import { bytesOfLog } from "#src/lab/sim/bytes.ts";
import { billOf, costOf, fateBy, type Bill, type Fate } from "#src/lab/sim/cost.ts";
import { MEASURED } from "#src/lab/sim/measured-costs.ts";
import { atUs, level, smoothing } from "../../limiter/store/budgets.ts";

const one = (algorithm: Algorithm, smoothed = false) =>
  level(algorithm, {
    rate: 5,
    per: 1,
    ...(smoothed ? { smoothing: smoothing(1, 1, 0.5, 1) } : {}),
  });
const about = { client: client("alice"), atUs: atUs(0), units: 1 };
const ADMITTED = fateBy(-1, -1);
const bill = (
  levels: readonly Level[],
  fate: Fate = ADMITTED,
  options: Partial<Parameters<typeof billOf>[1]> = {},
): Bill =>
  billOf(levels, { storeTransaction: "script", limitOrder: "api_first", ...options }, fate);
const commands = ({ before, inner }: Bill): number => before + inner;

describe("what a request costs, by what Redis was seen to run (ALG-6, ALG-9, ALG-11, ALG-C7)", () => {
  test("all levels of one question are one script that reads all records at once (LIM-C1)", () => {
    const [window, bucket] = [bill([one("fixed_window")]), bill([one("token_bucket")])];
    const together = bill([one("fixed_window"), one("token_bucket")]);
    expect(together).toEqual({
      before: 1,
      inner: window.inner + bucket.inner - 1,
      roundTrips: 1,
    });
  });

  test("each pipelined level is a round trip of its own, and so is each other level (ALG-C6)", () => {
    const levels = [one("non_transactional"), one("non_transactional"), one("fixed_window")];
    expect(bill(levels)).toEqual({ before: 9, inner: 2, roundTrips: 3 });
  });

  test("the level that has nothing left reads once more, and no other does", () => {
    const levels = [one("non_transactional"), one("non_transactional")];
    expect(bill(levels, fateBy(-1, 1))).toMatchObject({ before: 9, roundTrips: 3 });
    expect(bill(levels, fateBy(0, 0))).toMatchObject({ before: 6, roundTrips: 3 });
  });

  test("what a level took before another refused is given back, in a round trip of its own", () => {
    const levels = [one("fixed_window"), one("non_transactional")];
    expect(bill(levels, fateBy(1, 1)).roundTrips).toBe(4);
    expect(bill(levels, fateBy(1, 1), { limitOrder: "key_first" }).roundTrips).toBe(3);
  });

  test("nothing is sent where everything is counted here", () => {
    expect(bill([one("drl")])).toEqual({ before: 0, inner: 0, roundTrips: 0 });
  });

  test.each<Algorithm>(["fixed_window", "sentinel", "token_bucket", "bounded_log"])(
    "only a sliding log becomes a transaction, %s stays a script",
    (algorithm) => {
      const asTransaction = bill([one(algorithm)], ADMITTED, { storeTransaction: "multi" });
      expect(asTransaction).toEqual(bill([one(algorithm)]));
    },
  );

  test("pipeline, transaction and script of a log cost more in that order (ALG-11)", () => {
    const pipeline = bill([one("non_transactional")]);
    const transaction = bill([one("sliding_log")], ADMITTED, { storeTransaction: "multi" });
    expect(pipeline).toMatchObject({ before: 4, inner: 0 });
    expect(transaction).toMatchObject({ before: 6, inner: 0 });
    expect(commands(bill([one("sliding_log")]))).toBeGreaterThan(6);
  });

  test("a sentinel needs fewer commands than the log until its answer, and more in all (ALG-6)", () => {
    const mark = costOf({ op: "mark", level: one("sentinel"), ...about }, "script");
    for (const refusedBy of [-1, 0]) {
      const fate = fateBy(refusedBy, refusedBy);
      const log = commands(bill([one("sliding_log")], fate));
      const sentinel = commands(bill([one("sentinel")], fate));
      expect(sentinel).toBeLessThan(log);
      expect(sentinel + mark.commands + mark.inner).toBeGreaterThan(log);
    }
  });

  test("an operation is counted like one that admits until its answer is known", () => {
    const op: StoreOp = { op: "take", levels: [one("sliding_log")], intent: "spend", ...about };
    const refusal = { ...emptyReply(), refusedBy: 0 };
    expect(costOf(op, "script", { failed: "timeout" })).toEqual(costOf(op, "script"));
    expect(costOf(op, "script", refusal).inner).toBeLessThan(costOf(op, "script").inner);
    expect(costOf(op, "script", refusal)).toEqual({ commands: 1, inner: 4 });
  });

  test.each<readonly Algorithm[]>([["sliding_log"], ["sliding_log", "fixed_window"]])(
    "levels that many operations take cost each of them what new ones cost: %s",
    (...algorithms) => {
      const create = (): readonly Level[] => algorithms.map((algorithm) => one(algorithm));
      const shared = create();
      const answers = [
        null,
        { ...emptyReply(), refusedBy: 0 },
        { ...emptyReply(), remaining: 0, shown: 0 },
      ];
      const costs = new Set<string>();
      for (const transaction of ["script", "multi"] as const)
        for (const intent of ["spend", "try", "evaluate"] as const)
          for (const answer of answers) {
            const cost = (levels: readonly Level[]) =>
              costOf({ op: "take", levels, ...about, intent }, transaction, answer);
            expect(cost(shared)).toEqual(cost(create()));
            expect(cost([...shared])).toEqual(cost(shared));
            costs.add(JSON.stringify(cost(shared)));
          }
      expect(costs.size).toBeGreaterThan(3);
    },
  );

  test("single commands are counted as they are sent, with or without their frame", () => {
    const sent = (["prune", "count", "add", "expire"] as const).map((op): LogCommand => ({
      op,
      level: one("non_transactional"),
      ...about,
    }));
    expect(costOf({ op: "pipeline", commands: sent }, "script").commands).toBe(4);
    const framed = costOf({ op: "pipeline", commands: sent, isTransaction: true }, "script");
    expect(framed.commands).toBe(6);
  });

  test("a smoothed level costs its own step of A where its log is sent as commands", () => {
    expect(bill([one("non_transactional", true)])).toMatchObject({ before: 5, roundTrips: 2 });
  });
});

describe("bytes of a log", () => {
  const form = { logBytes: [[1, 100] as const, [11, 200] as const, [21, 500] as const] };

  test.each([
    [0, 0], // an empty log is no key
    [1, 100],
    [6, 150],
    [11, 200],
    [12, 230],
    [21, 500],
    [31, 800],
  ])("%i stamps are %i", (stamps, bytes) => {
    expect(bytesOfLog(form, stamps)).toBe(bytes);
  });

  test("one of its own size has what was measured", () => {
    for (const [stamps, bytes] of MEASURED.forms.sliding_log.logBytes)
      expect(bytesOfLog(MEASURED.forms.sliding_log, stamps)).toBe(bytes);
  });
});
