import { expect, test } from "vitest";
import { explain, explainRows } from "#src/lab/check/explain.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { micros, NEVER, secondsToMicros } from "#src/kit/units.ts";
import { BOUNDED, historyOf, rowsOf } from "../../histories/history.ts";
import { api, configuration, key, type VariantText } from "../../histories/world.ts";
import { oracleWorld } from "../oracle/evaluate.ts";
import { explainRow, fillersText, under } from "./explained.ts";

test("a log was filled by attempts, refused ones among them, and the first to leave makes no room yet", () => {
  const rows = rowsOf("3*200 2*429", 0, 0.1);
  const found = explainRow(under("sliding_log", 3, 1), { rows }, 4);
  expect(fillersText(found)).toBe("0, 1, 2, 3 refused");
  expect(found).toMatchObject({
    agrees: "yes",
    budget: {
      name: "key",
      scope: "key",
      algorithm: "sliding_log",
      rate: 3,
      perUs: secondsToMicros(1),
    },
    because: ["LIM-1"],
    passesAtUs: secondsToMicros(1.1),
    missedByUs: secondsToMicros(0.7),
  });
  expect(found.text).toBe(
    "alice got 429: 4 requests were counted in the last second, and 3 are allowed for this key; the same request would have been admitted 700 ms later.",
  );
});

test.each([
  ["fixed_window", "0, 1, 2", 1],
  ["token_bucket", "0, 1, 2", 0.333334],
  ["sentinel", "0, 1, 2", 1],
  ["bounded_log", "0, 1, 2", 1],
  ["drl", "0, 1, 2", 1],
  ["sliding_window_counter", "0, 1, 2", 1.333334],
] as const)("%s: filled by %s, room from %d s on", (algorithm, fillers, at) => {
  const found = explainRow(under(algorithm, 3, 1), { rows: rowsOf("3*200 429", 0, 0) }, 3);
  expect([fillersText(found), found.passesAtUs]).toEqual([fillers, secondsToMicros(at)]);
});

const twoWait = "2 requests were before it in the queue for this key, and at most 2 may wait";
test.each([
  // One leaves each 0.5 s, at 0 s first.
  ["0 200, 0 200, 0 200, 0.1 429", 2, "1, 2", twoWait],
  ["0 200, 0 200, 0.5 200, 0.6 200, 0.7 429", 2, "2, 3", twoWait],
  [
    "0 200, 0.2 200, 0.6 200, 1.1 200, 1.6 200, 1.7 429",
    1,
    "4",
    "1 request was before it in the queue for this key, and at most 1 may wait",
  ],
  ["0 200, 0.4 429", 0, "0", "no request may wait in the queue for this key"],
])(
  "leaky_bucket, %s with a queue of %d: filled by the waiting ones, %s",
  (text, queue, fillers, words) => {
    const rows = text.split(", ").map((word) => {
      const [at = 0, status = 200] = word.split(" ").map(Number);
      return { at, status, ...(status === 429 ? { by: "key" as const } : {}) };
    });
    const world = {
      ...under("leaky_bucket", 2, 1),
      options: { algorithm: "leaky_bucket", queue },
    } as const;
    const found = explainRow(world, { rows }, rows.length - 1);
    expect([found.agrees, fillersText(found)]).toEqual(["yes", fillers]);
    expect(found.text).toContain(`: ${words};`);
  },
);

const clock = { fixedWindowStart: "clock", burst: "rate" } as const;
test.each([
  ["sliding_log", 2, "0 200, 0.5 200, 0.6 429, 1 429", "1, 2 refused"],
  ["bounded_log", 2, "0 200, 0.1 200, 0.2 429, 0.3 429", "1, 2 refused"],
  ["fixed_window", 2, "0.2 200, 0.4 200, 0.5 200, 0.6 200, 0.7 429", "2, 3"],
  ["drl", 2, "0.2 200, 0.4 200, 0.7 429", "0, 1"],
  ["drl", 2, "0.2 200, 0.4 200, 0.6 429, 1.2 200, 1.3 200, 1.4 429", "3, 4"],
  ["sliding_window_counter", 2, "1.4 200, 1.5 200, 2.6 200, 2.7 429", "1, 2"],
  ["token_bucket", 2, "0 200, 0 200, 3 200, 3.1 200, 3.2 429", "2, 3"],
  ["gcra", 2, "0 200, 0 200, 3 200, 3.1 200, 3.2 429", "2, 3"],
  ["gcra", 2, "0 200, 0.6 200, 1.5 200, 1.6 429", "2"],
  ["token_bucket", 2, "0 200, 5 429", ""],
  ["token_bucket", 1, "0 200, 0.1 429, 0.2 429", "0"],
] as const)("%s of %d per second, %s: filled by %j", (algorithm, rate, text, fillers) => {
  const rows = text.split(", ").map((word) => {
    const [at, status] = word.split(" ").map(Number);
    return { at: at!, status: status!, ...(status === 429 ? { by: "key" as const } : {}) };
  });
  const world = { ...under(algorithm, rate, 1), options: { algorithm, ...clock } };
  expect(fillersText(explainRow(world, { rows, epoch: 0.5 }, rows.length - 1))).toBe(fillers);
});

test("a window that its first request began goes by no clock", () => {
  const rows = [{ at: 0.2 }, { at: 0.4 }, { at: 0.6, status: 429, by: "key" as const }];
  expect(fillersText(explainRow(under("fixed_window", 2, 1), { rows, epoch: 0.5 }, 2))).toBe(
    "0, 1",
  );
});

test("a request that another limit refused does not fill this budget", () => {
  const world: VariantText = {
    apis: [api("orders", { globalRateLimit: limitOf(1, 0.05) })],
    keys: [key("alice", { limit: limitOf(2, 1) })],
  };
  const byApi = { at: 0.01, status: 429, by: "api" } as const;
  const rows = [{ at: 0 }, byApi, { at: 0.1 }, { at: 0.2, status: 429, by: "key" as const }];
  expect(fillersText(explainRow(world, { rows }, 3))).toBe("0, 2");
});

test("a later request is no cause of a refusal", () => {
  const rows = [...rowsOf("3*200 429", 0, 0.1), ...rowsOf("3*429", 0.5, 0.1)];
  expect(explainRow(under("sliding_log", 3, 1), { rows }, 3).passesAtUs).toBe(secondsToMicros(1));
});

test("room has to be on every level", () => {
  const world: VariantText = {
    apis: [api("orders", { globalRateLimit: limitOf(1, 1) })],
    keys: [key("alice", { limit: limitOf(1, 5) })],
    options: { algorithm: "fixed_window" },
  };
  const found = explainRow(world, { rows: [{ at: 0 }, { at: 0.5, status: 429, by: "api" }] }, 1);
  expect([found.budget?.scope, found.passesAtUs]).toEqual(["api", secondsToMicros(5)]);
});

test("a smoothed budget may make room by lifting A when the hold-off ends", () => {
  const smoothing = { threshold: 2, step: 2, trigger: 0.5, delayUs: secondsToMicros(2) };
  const world: VariantText = { keys: [key("alice", { limit: limitOf(6, 10, smoothing) })] };
  const found = explainRow(
    world,
    { rows: [{ at: 0 }, { at: 0.5 }, { at: 1, status: 429, by: "key" }] },
    2,
  );
  expect(found.passesAtUs).toBe(secondsToMicros(2));
});

test("the end of a hold-off makes room sooner than the refused attempt itself would leave", () => {
  const smoothing = { threshold: 1, step: 1, trigger: 0.1, delayUs: secondsToMicros(2) };
  const world: VariantText = { keys: [key("alice", { limit: limitOf(3, 10, smoothing) })] };
  const rows = [{ at: 0 }, { at: 0.5, status: 429, by: "key" as const }];
  expect(explainRow(world, { rows }, 1).passesAtUs).toBe(secondsToMicros(2));
});

test("room is there when it surely is, not when it may be", () => {
  const rows = [
    { at: 0, span: [0, 0.04] as const },
    { at: 0.02, span: [0.02, 0.1] as const, status: 429, by: "key" as const },
    { at: 0.5, span: [0.5, 0.5] as const, status: 429, by: "key" as const },
  ];
  const found = explainRow(under("sliding_log", 1, 1), { rows, timing: BOUNDED }, 2);
  expect(found.passesAtUs).toBe(secondsToMicros(1.1));
});

test("a limit of zero never has room", () => {
  const found = explainRow(
    under("sliding_log", 0, 1),
    { rows: [{ at: 0, status: 429, by: "key" }] },
    0,
  );
  expect([found.passesAtUs, found.missedByUs, fillersText(found)]).toEqual([null, null, ""]);
});

test("an admitted request and a rejected one name no budget", () => {
  const rows = [
    { at: 0, by: "key" as const },
    { at: 1, flow: "nobody", status: 401, reason: "credential" as const },
  ];
  const flows = [{ name: "only" }, { name: "nobody", as: null }];
  const world = { ...under("sliding_log", 1, 1), flows };
  expect(explainRow(world, { rows, flows }, 0)).toMatchObject({
    agrees: "yes",
    budget: null,
    because: ["LIM-1"],
    filledBy: [],
    text: "alice got 200: no limit refused it.",
    state: "before it, the only request per second for this key was left",
  });
  expect(explainRow(world, { rows, flows }, 1)).toMatchObject({
    agrees: "yes",
    budget: null,
    because: [],
    text: "flow nobody got 401 before any limit: orders needs a key, and flow nobody sends none.",
  });
});

test("a refusal that the specification forbids is reported as wrong", () => {
  expect(
    explainRow(under("sliding_log", 1, 1), { rows: [{ at: 0, status: 429, by: "key" }] }, 0).agrees,
  ).toBe("no");
});

test("an admission that the specification forbids is reported as wrong, and an open one as open", () => {
  const under1 = under("sliding_log", 1, 1);
  const two = explainRow(under1, { rows: [{ at: 0 }, { at: 0.5 }] }, 1);
  expect([two.agrees, two.status, two.reason, two.budget]).toEqual(["no", 200, "none", null]);
  const refused = { status: 429, by: "key" } as const;
  const rows = [
    { at: 0, span: [0, 0.5] as const },
    { at: 0.3, span: [0.3, 0.6] as const, ...refused },
  ];
  const open = explainRow(under1, { rows, timing: BOUNDED }, 1);
  expect(open.agrees).toBe("open");
  expect(open.filledBy.map(({ row, certain }) => [row, certain])).toEqual([[0, false]]);
  const sure = explainRow(under1, { rows: rowsOf("200 429", 0, 0.1) }, 1);
  expect(sure.filledBy).toMatchObject([{ row: 0, stampUs: 0, status: 200, certain: true }]);
});

test("a refusal without a budget is explained by the one that may refuse by the specification", () => {
  const quota = { max: 9, renewalUs: secondsToMicros(9) };
  const world = { keys: [key("alice", { limit: limitOf(1, 1), quota })] };
  const found = explainRow(world, { rows: [{ at: 0 }, { at: 0.5, status: 429 }] }, 1);
  expect(found.budget).toMatchObject({ scope: "key", rate: 1 });
  const named = { at: 0.5, status: 403, reason: "quota", by: "quota" } as const;
  expect(explainRow(world, { rows: [{ at: 0 }, named] }, 1).budget?.scope).toBe("quota");
});

test("a quota that never renews has no later pass, and the sentence has that", () => {
  const quota = { max: 1, renewalUs: NEVER };
  const world = { keys: [key("alice", { quota })] };
  const refused = { at: 1, status: 403, reason: "quota", by: "quota" } as const;
  const found = explainRow(world, { rows: [{ at: 0 }, refused] }, 1);
  expect(found.passesAtUs).toBe(null);
  expect(found.text).toBe(
    "alice got 403: the only request ever in the quota for this key was used; no wait would have admitted it.",
  );
});

test("a request passes as soon as the limit that refused has room, if the other has room", () => {
  const world: VariantText = {
    apis: [api("orders", { globalRateLimit: limitOf(5, 10) })],
    keys: [key("alice", { limit: limitOf(1, 1) })],
  };
  const rows = [{ at: 0 }, { at: 0.5, status: 429, by: "key" as const }];
  expect(explainRow(world, { rows }, 1).passesAtUs).toBe(secondsToMicros(1));
});

test("requests that fill a smoothed budget with an open allowance leave it in time", () => {
  const smoothing = { threshold: 1, step: 1, trigger: 0.1, delayUs: secondsToMicros(0.75) };
  const world: VariantText = { keys: [key("alice", { limit: limitOf(2, 0.25, smoothing) })] };
  const down = {
    what: "store_down",
    gateway: null,
    fromUs: secondsToMicros(0),
    toUs: secondsToMicros(0.25),
    text: "store is down",
  } as const;
  const rows = [{ at: 1.25 }, { at: 2.25 }, { at: 2.25, status: 429, by: "key" as const }];
  expect(explainRow(world, { rows, spans: [down] }, 2)).toMatchObject({
    agrees: "open",
    passesAtUs: secondsToMicros(2.5),
  });
});

test("later, requests counted by another algorithm do not count", () => {
  const windows = configuration(under("fixed_window", 1, 1));
  const faults = [{ kind: "configure", atUs: secondsToMicros(1), configuration: windows }] as const;
  const rows = [{ at: 0.9 }, { at: 1.1 }, { at: 1.2, status: 429, by: "key" as const }];
  const found = explainRow({ ...under("sliding_log", 1, 1), faults }, { rows }, 2);
  expect(found).toMatchObject({ agrees: "open", passesAtUs: secondsToMicros(2.1) });
});

test.each([1, -1, 0.5])("row %d of one is an error of the caller", (row) => {
  expect(() => explainRow(under("sliding_log", 1, 1), { rows: [{ at: 0 }] }, row)).toThrow(
    `row ${row} of 1`,
  );
});

test("at a later time, only the requests that still count are considered", () => {
  const both: VariantText = {
    apis: [api("orders", { globalRateLimit: limitOf(1, 1) })],
    keys: [key("alice", { limit: limitOf(1, 10) })],
  };
  const rows = [{ at: 0 }, { at: 0.5, status: 429, by: "api" as const }];
  const passes = (restartS: number): number | null => {
    const faults = [{ kind: "store_restart", atUs: secondsToMicros(restartS) }] as const;
    return explainRow({ ...both, faults }, { rows }, 1).passesAtUs;
  };
  expect([passes(0.7), passes(1.2)]).toEqual([secondsToMicros(1), secondsToMicros(1.5)]);
});

test("a later request is no cause, even if times are spans", () => {
  const at = (from: number, to: number, status: number) =>
    ({ at: from, span: [from, to] as const, status, by: "key" }) as const;
  const rows = [at(0, 0.04, 200), at(0.5, 0.5, 429), at(0.9, 0.95, 429)];
  const found = explainRow(under("sliding_log", 1, 1), { rows, timing: BOUNDED }, 1);
  expect(found.passesAtUs).toBe(secondsToMicros(1.04));
});

test.each([
  [5.01, 6],
  [20, 10],
])("a refund until %d s is free again at %d s", (answered, at) => {
  const flows = [{ name: "alice" }, { name: "bob", as: "bob" }];
  const commands: VariantText = {
    apis: [api("orders", { globalRateLimit: limitOf(2, 10) })],
    keys: [key("alice", { limit: limitOf(9, 1) }), key("bob", { limit: limitOf(1, 6) })],
    options: { algorithm: "non_transactional" },
    environment: { storeUs: { kind: "constant", us: micros(2_000) } },
    flows,
  };
  const bob = { flow: "bob", key: "bob" } as const;
  const rows = [
    { at: 0, answered: 0.01, ...bob },
    { at: 5, answered, flow: "alice", status: 429, by: "key" as const },
    { at: 5.005, answered: 5.015, status: 429, by: "key" as const, ...bob },
  ];
  expect(explainRow(commands, { rows, flows }, 2).passesAtUs).toBe(secondsToMicros(at));
});

test("many rows are explained in one walk, each as by itself, a smoothed allowance followed between them", () => {
  const smoothing = { threshold: 2, step: 1, trigger: 0.5, delayUs: secondsToMicros(1) };
  const world = oracleWorld({ keys: [key("alice", { limit: limitOf(4, 10, smoothing) })] });
  const history = historyOf({ rows: rowsOf("2*200 429 200 3*429", 0, 0.9) });
  const rows = Array.from({ length: history.requests.length }, (_, row) => row);
  const together = explainRows(history, world, rows);
  expect([...together.keys()]).toEqual(rows);
  for (const row of rows) expect(together.get(row)).toEqual(explain(history, world, row));
  expect(explainRows(history, world, []).size).toBe(0);
});

test("of many instants at which something leaves, the first that makes room is found", () => {
  const rows = [...rowsOf("20*200", 0, 0.01), { at: 0.5, status: 429, by: "key" as const }];
  const found = explainRow(under("sliding_log", 15, 1), { rows }, 20);
  // Twenty are in the window, and fourteen may stay: the sixth has to leave.
  expect(found.passesAtUs).toBe(secondsToMicros(1.05));
});

test("only the change that set the limit is named", () => {
  const slower = configuration(under("sliding_log", 1, 1));
  const same = configuration(under("sliding_log", 1, 1));
  const faults = [
    { kind: "configure", atUs: secondsToMicros(1), configuration: slower },
    { kind: "configure", atUs: secondsToMicros(2), configuration: same },
  ] as const;
  const refused = { status: 429, by: "key" } as const;
  const rows = [{ at: 0.1 }, { at: 0.2, ...refused }, { at: 2.5 }, { at: 2.6, ...refused }];
  const world = { ...under("sliding_log", 9, 1), faults };
  expect(explainRow(world, { rows }, 1).since).toBe(null);
  expect(explainRow(world, { rows }, 3).since).toEqual({ atUs: secondsToMicros(1), call: null });
});

test("one request owed is one token used", () => {
  const found = explainRow(under("token_bucket", 1, 1), { rows: rowsOf("200 429", 0, 0) }, 1);
  expect(found.text).toContain(
    "the only token for this key was used, and a request needs a whole one",
  );
});
