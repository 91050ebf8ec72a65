// Limits in units against a slow model of every algorithm, charged before a request runs and after.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { ALGORITHMS, TRAITS, type Algorithm } from "#src/limiter/core/algorithms.ts";
import { levelOf } from "#src/limiter/core/select.ts";
import type { Level } from "#src/limiter/core/store.ts";
import { micros } from "#src/kit/units.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import type { ReplayLimit } from "#src/studies/replay/candidates.ts";
import { ChargeMeter } from "#src/studies/replay/charges.ts";
import type { ChargeTime } from "#src/studies/replay/choices.ts";
import { NameTable } from "#src/studies/replay/names.ts";
import { replayLogs } from "#src/studies/replay/replay-logs.node.ts";
import { buildReplayResult, type UnansweredReplay } from "#src/studies/replay/result.ts";
import { parseKey, parseSelectors } from "#src/studies/replay/selectors.ts";
import { DEFAULT_OPTIONS } from "#src/limiter/world/options.ts";
import {
  emptyBook,
  isLog,
  lookAt,
  passes,
  write,
  type Book,
} from "../../properties/model/budget.ts";
import { holds, holdsLater } from "../../runs.ts";

interface CostlyRequest {
  readonly atMs: number;
  readonly client: number;
  readonly cost: number;
  readonly tookMs: number;
}

const START_MS = Date.UTC(2026, 0, 5, 10);
const LIMITS = [
  { rate: 10, perUs: micros(1_000_000) },
  { rate: 30, perUs: micros(10_000_000) },
];

const candidatesOf = (
  charge: ChargeTime,
  algorithms: readonly Algorithm[],
): readonly ReplayLimit[] =>
  LIMITS.flatMap((limit) =>
    algorithms.map((algorithm) => ({
      kind: "limit" as const,
      limit,
      by: { kind: "algorithm" as const, name: algorithm },
      options: { ...DEFAULT_OPTIONS, algorithm, burst: 5 },
      charge,
    })),
  );

interface CostlyReplay {
  readonly file: string;
  readonly key: string;
  readonly cost: string;
  readonly charge: ChargeTime;
  readonly candidates: readonly ReplayLimit[];
}

async function replay({ file, key, cost, charge, candidates }: CostlyReplay) {
  const question = {
    candidates,
    key: requireValue(parseKey(key)),
    conditions: [],
    clients: new NameTable(),
    targets: null,
    format: null,
    seed: 1,
    retries: null,
    cost: requireValue(parseSelectors(cost)),
    needsDuration: charge === "after",
  };
  const progress = {
    isStopped: () => false,
    stop: new Promise<"stop">(() => {}),
    report: () => {},
  };
  const sources = [{ name: file, isFromFolder: false }];
  const outcome = requireValue(await replayLogs(sources, question, progress));
  return buildReplayResult({
    ...outcome,
    key,
    cost: { field: cost, charge },
    clients: question.clients,
    isInterrupted: false,
    top: 1000,
    rename: null,
  });
}

async function replayRequests(
  requests: readonly CostlyRequest[],
  charge: ChargeTime,
  candidates: readonly ReplayLimit[],
): Promise<UnansweredReplay> {
  const folder = mkdtempSync(join(tmpdir(), "weir-costs-"));
  const file = join(folder, "a.ndjson");
  const lines = requests.map(({ atMs, client, cost, tookMs }) =>
    JSON.stringify({
      time: new Date(START_MS + atMs).toISOString(),
      ip: `192.0.2.${client}`,
      cost,
      duration_ms: tookMs,
    }),
  );
  writeFileSync(file, lines.join("\n"));
  try {
    return await replay({ file, key: "ip", cost: "field:cost", charge, candidates });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const levelOfCandidate = ({ limit, options }: ReplayLimit): Level => {
  const budget = { space: "model", scope: "key" as const, because: [] };
  return levelOf(options, { ...budget, limit: { ...limit, smoothing: null } }, 1);
};

const usOf = (ms: number): number => (START_MS + ms) * 1000;

/** The refused units of each client, request by request. */
function modelBefore(candidate: ReplayLimit, requests: readonly CostlyRequest[]): string {
  const level = levelOfCandidate(candidate);
  const books = new Map<number, Book>();
  let refused = 0;
  let units = 0;
  for (const { atMs, client, cost } of requests.toSorted((a, b) => a.atMs - b.atMs)) {
    const book = books.get(client) ?? emptyBook();
    books.set(client, book);
    lookAt(level, book, usOf(atMs));
    const isAdmitted = passes(level, book, usOf(atMs), cost);
    if (isAdmitted || isLog(level)) write(level, book, usOf(atMs), cost);
    if (isAdmitted) continue;
    refused++;
    units += cost;
  }
  return `${candidate.by.name} refuses ${refused} of ${units} units`;
}

/** All that ends until a request arrives is charged first. */
function modelAfter(candidate: ReplayLimit, requests: readonly CostlyRequest[]): string {
  const level = levelOfCandidate(candidate);
  const books = new Map<number, Book>();
  let running: CostlyRequest[] = [];
  let refused = 0;
  let units = 0;
  const endOf = ({ atMs, tookMs }: CostlyRequest): number => atMs + tookMs;
  for (const request of requests.toSorted((a, b) => a.atMs - b.atMs)) {
    const ended = running.filter((each) => endOf(each) <= request.atMs);
    running = running.filter((each) => !ended.includes(each));
    for (const each of ended.toSorted((a, b) => endOf(a) - endOf(b)))
      write(level, books.get(each.client)!, usOf(endOf(each)), each.cost);
    const book = books.get(request.client) ?? emptyBook();
    books.set(request.client, book);
    lookAt(level, book, usOf(request.atMs));
    if (!passes(level, book, usOf(request.atMs), 1)) {
      refused++;
      units += request.cost;
    } else if (request.tookMs === 0) write(level, book, usOf(request.atMs), request.cost);
    else running.push(request);
  }
  return `${candidate.by.name} refuses ${refused} of ${units} units`;
}

const refusalsOf = ({ candidates }: UnansweredReplay): readonly string[] =>
  candidates.map(
    ({ algorithm, refused, units }) => `${algorithm} refuses ${refused} of ${units?.refused} units`,
  );

const requestsOf = fc.array(
  fc.record({
    atMs: fc.integer({ min: 0, max: 20_000 }),
    client: fc.integer({ min: 1, max: 3 }),
    cost: fc.integer({ min: 1, max: 12 }),
    tookMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4000 })),
  }),
  { minLength: 1, maxLength: 80, size: "max" },
);

test("charged before, every algorithm refuses the requests and units that the model refuses", async () => {
  const candidates = candidatesOf("before", ALGORITHMS);
  await holdsLater(
    fc.asyncProperty(requestsOf, async (requests) => {
      const result = await replayRequests(requests, "before", candidates);
      expect(refusalsOf(result)).toEqual(candidates.map((each) => modelBefore(each, requests)));
      const all = requests.reduce((sum, { cost }) => sum + cost, 0);
      for (const { units } of result.candidates) expect(units!.refused + units!.spent).toBe(all);
    }),
    20,
  );
});

const CHARGED_AFTER = ALGORITHMS.filter(
  (algorithm) => !TRAITS[algorithm].delays && algorithm !== "sentinel",
);

test("charged after, every algorithm refuses the requests and units that the model refuses", async () => {
  const candidates = candidatesOf("after", CHARGED_AFTER);
  await holdsLater(
    fc.asyncProperty(requestsOf, async (requests) => {
      const result = await replayRequests(requests, "after", candidates);
      expect(refusalsOf(result)).toEqual(candidates.map((each) => modelAfter(each, requests)));
      const all = requests.reduce((sum, { cost }) => sum + cost, 0);
      for (const { units } of result.candidates) expect(units!.refused + units!.spent).toBe(all);
    }),
    20,
  );
});

test("the meter has the most units of any window, by looking at all of them", () => {
  const perUs = 1000;
  const charges = fc.array(
    fc.record({
      client: fc.integer({ min: 0, max: 2 }),
      atUs: fc.integer({ min: 0, max: 5000 }),
      units: fc.integer({ min: 1, max: 9 }),
    }),
    { minLength: 1, maxLength: 60, size: "max" },
  );
  holds(
    fc.property(charges, (drawn) => {
      const inOrder = drawn.toSorted((a, b) => a.atUs - b.atUs);
      const meter = new ChargeMeter(perUs);
      for (const { client, atUs, units } of inOrder) meter.note(client, atUs, units);
      const sums = inOrder.map(({ client, atUs }) =>
        inOrder
          .filter((each) => each.client === client && each.atUs <= atUs && each.atUs > atUs - perUs)
          .reduce((sum, { units }) => sum + units, 0),
      );
      expect(meter.mostUnits).toBe(Math.max(...sums));
    }),
    100,
  );
});

test("requests that run at the same time overshoot a limit that is charged after, and not before", async () => {
  // Ten of 5 units at once, each for a second: all are admitted, because nothing is spent before one ends.
  const requests = Array.from({ length: 10 }, () => ({
    atMs: 0,
    client: 1,
    cost: 5,
    tookMs: 1000,
  }));
  const most = async (charge: ChargeTime) =>
    (await replayRequests(requests, charge, candidatesOf(charge, ["fixed_window"]))).candidates[0]!;
  expect(await most("before")).toMatchObject({
    refused: 8,
    units: { refused: 40, mostInWindow: 10, aboveLimit: 0 },
  });
  expect(await most("after")).toMatchObject({
    refused: 0,
    units: { refused: 0, mostInWindow: 50, aboveLimit: 40, mostClient: "192.0.2.1" },
  });
});

test.each([
  [50, 1], // half a unit has come back
  [100, 0],
])(
  "charged after, a bucket that was emptied %i ms ago refuses %i requests",
  async (atMs, refused) => {
    const requests = [
      { atMs: 0, client: 1, cost: 10, tookMs: 0 },
      { atMs, client: 1, cost: 1, tookMs: 0 },
    ];
    const [candidate] = candidatesOf("after", ["token_bucket"]);
    const result = await replayRequests(requests, "after", [candidate!]);
    expect(result.candidates[0]!.refused).toBe(refused);
  },
);

test("with costs a higher limit may refuse more requests: it admits a large one, which leaves nothing for small ones", async () => {
  const requests = [6, 1, 1, 1, 1, 1].map((cost, i) => ({ atMs: i, client: 1, cost, tookMs: 0 }));
  const refusalsAt = async (rate: number) => {
    const [candidate] = candidatesOf("before", ["fixed_window"]);
    const limit = { rate, perUs: micros(1_000_000) };
    const result = await replayRequests(requests, "before", [{ ...candidate!, limit }]);
    return [result.candidates[0]!.refused, result.candidates[0]!.units!.refused];
  };
  expect([await refusalsAt(5), await refusalsAt(6)]).toEqual([
    [1, 6],
    [5, 5],
  ]);
});

const TRACE = join(import.meta.dirname, "../../../../shared/data/azure-llm-2023-code.csv");

test.skipIf(!existsSync(TRACE))(
  "tokens of a real trace: a fixed window refuses what a plain loop refuses",
  async () => {
    const perUs = 60_000_000;
    const rate = 400_000;
    let [startUs, count, refused, refusedUnits] = [Number.NEGATIVE_INFINITY, 0, 0, 0];
    for (const line of readFileSync(TRACE, "utf8").trim().split(/\r?\n/).slice(1)) {
      const [time, context, generated] = line.split(",");
      const [, seconds, decimals] = /^(.*)\.(\d{6})/.exec(time!)!;
      const atUs = Date.parse(`${seconds!.replace(" ", "T")}Z`) * 1000 + Number(decimals);
      const tokens = Number(context) + Number(generated);
      if (atUs >= startUs + perUs) [startUs, count] = [atUs, 0];
      if (count + tokens <= rate) count += tokens;
      else {
        refused++;
        refusedUnits += tokens;
      }
    }
    const result = await replay({
      file: TRACE,
      key: "none",
      cost: "field:ContextTokens+field:GeneratedTokens",
      charge: "before",
      candidates: [
        {
          kind: "limit",
          limit: { rate, perUs: micros(perUs) },
          by: { kind: "algorithm", name: "fixed_window" },
          options: { ...DEFAULT_OPTIONS, algorithm: "fixed_window" },
          charge: "before",
        },
      ],
    });
    expect(result).toMatchObject({ requests: 8819, clients: 1 });
    expect(refused).toBeGreaterThan(1000);
    expect(result.candidates[0]).toMatchObject({ refused, units: { refused: refusedUnits } });
  },
);
