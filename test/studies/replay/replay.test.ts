// The counts of a replay against a slow model of every algorithm, which shares no code with the limiter.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { levelOf } from "#src/limiter/core/select.ts";
import { micros } from "#src/kit/units.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { ArrivalWindow } from "#src/studies/replay/arrivals.ts";
import type { Candidate, ReplayLimit } from "#src/studies/replay/candidates.ts";
import { NameTable } from "#src/studies/replay/names.ts";
import { placementsFrom } from "#src/studies/replay/placements.ts";
import { replayLogs } from "#src/studies/replay/replay-logs.node.ts";
import { buildReplayResult, type UnansweredReplay } from "#src/studies/replay/result.ts";
import type { RetryName } from "#src/studies/replay/choices.ts";
import { parseKey } from "#src/studies/replay/selectors.ts";
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

const LIMITS = [
  { rate: 3, perUs: micros(1_000_000) },
  { rate: 5, perUs: micros(10_000_000) },
];
const CANDIDATES: readonly ReplayLimit[] = LIMITS.flatMap((limit) =>
  ALGORITHMS.map((algorithm) => ({
    kind: "limit" as const,
    limit,
    by: { kind: "algorithm" as const, name: algorithm },
    options: { ...DEFAULT_OPTIONS, algorithm },
  })),
);

interface LoggedRequest {
  readonly atMs: number;
  readonly client: number;
}

const START_MS = Date.UTC(2026, 0, 5, 10);

const lineOf = ({ atMs, client }: LoggedRequest): string =>
  JSON.stringify({ time: new Date(START_MS + atMs).toISOString(), ip: `192.0.2.${client}` });

async function resultOf(
  logs: readonly (readonly string[])[],
  candidates: readonly Candidate[] = CANDIDATES,
  retries: RetryName | null = null,
): Promise<UnansweredReplay> {
  const folder = mkdtempSync(join(tmpdir(), "weir-replay-"));
  const names = logs.map((lines, index) => {
    const name = join(folder, `${index}.log`);
    writeFileSync(name, lines.map((line) => `${line}\n`).join(""));
    return name;
  });
  const question = {
    candidates,
    key: requireValue(parseKey("ip")),
    conditions: [],
    clients: new NameTable(),
    targets: null,
    format: null,
    seed: 1,
    retries,
  };
  const sources = names.map((name) => ({ name, isFromFolder: false }));
  const progress = {
    isStopped: () => false,
    stop: new Promise<"stop">(() => {}),
    report: () => {},
  };
  let outcome;
  try {
    outcome = requireValue(await replayLogs(sources, question, progress));
  } finally {
    rmSync(folder, { recursive: true });
  }
  const { clients } = question;
  const facts = {
    ...outcome,
    key: "ip",
    cost: null,
    clients,
    isInterrupted: false,
    top: 1000,
    rename: null,
  };
  return buildReplayResult(facts);
}

const refusalsOf = ({ candidates }: UnansweredReplay): readonly string[] =>
  candidates.map(({ limit, algorithm, clients }) =>
    [
      limit,
      algorithm,
      ...clients.map(({ client, refused }) => `${client}=${refused}`).toSorted(),
    ].join(" "),
  );

/** By the sentences of the specification, request by request. */
function modelRefusals(requests: readonly LoggedRequest[]): readonly string[] {
  return CANDIDATES.map(({ limit, options, by }) => {
    const budget = { space: "model", scope: "key" as const, because: [] };
    const level = levelOf(options, { ...budget, limit: { ...limit, smoothing: null } }, 1);
    const books = new Map<number, Book>();
    const refused = new Map<number, number>();
    for (const { atMs, client } of requests.toSorted((a, b) => a.atMs - b.atMs)) {
      const book = books.get(client) ?? emptyBook();
      books.set(client, book);
      const atUs = (START_MS + atMs) * 1000;
      lookAt(level, book, atUs);
      const isAdmitted = passes(level, book, atUs, 1);
      if (isAdmitted || isLog(level)) write(level, book, atUs, 1);
      if (!isAdmitted) refused.set(client, (refused.get(client) ?? 0) + 1);
    }
    const counts = [...refused].map(([client, count]) => `192.0.2.${client}=${count}`);
    return [`${limit.rate}/${limit.perUs / 1_000_000}s`, by.name, ...counts.toSorted()].join(" ");
  });
}

const requestsOf = fc.array(
  fc.record({ atMs: fc.integer({ min: 0, max: 20_000 }), client: fc.integer({ min: 1, max: 4 }) }),
  { minLength: 1, maxLength: 150, size: "max" },
);

test("every algorithm refuses the requests that the model refuses, in any order of the lines", async () => {
  await holdsLater(
    fc.asyncProperty(requestsOf, async (requests) => {
      const result = await resultOf([requests.map(lineOf)]);
      expect(result.requests).toBe(requests.length);
      expect(refusalsOf(result)).toEqual(modelRefusals(requests));
    }),
    25,
  );
});

test("logs of several servers are merged: any split of a log has the result of the whole", async () => {
  await holdsLater(
    fc.asyncProperty(
      requestsOf,
      fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 150, maxLength: 150 }),
      async (requests, servers) => {
        // At different times: two requests of one instant may be decided in either order.
        const apart = [...new Map(requests.map((each) => [each.atMs, each])).values()];
        const parts = [0, 1, 2]
          .map((server) => apart.filter((_, index) => servers[index] === server).map(lineOf))
          .filter((lines) => lines.length > 0);
        expect(refusalsOf(await resultOf(parts))).toEqual(modelRefusals(apart));
      },
    ),
    10,
  );
});

test.each(ALGORITHMS)("a higher rate of %s never refuses more", async (algorithm) => {
  const candidates = [1, 2, 3, 5, 8, 13].map((rate) => ({
    kind: "limit" as const,
    limit: { rate, perUs: micros(1_000_000) },
    by: { kind: "algorithm" as const, name: algorithm },
    options: { ...DEFAULT_OPTIONS, algorithm },
  }));
  await holdsLater(
    fc.asyncProperty(requestsOf, async (requests) => {
      const counts = (await resultOf([requests.map(lineOf)], candidates)).candidates;
      const refused = counts.map((each) => each.refused);
      expect(refused).toEqual(refused.toSorted((a, b) => b - a));
    }),
    10,
  );
});

const second = (at: number): string => `10:00:${String(at).padStart(2, "0")}`;
const commonLine = (at: number): string =>
  `192.0.2.1 - - [05/Jan/2026:${second(at)} +0000] "GET / HTTP/1.1" 200 1`;

test("of whole seconds the answer is an interval from requests spread evenly to all at once", async () => {
  const limit = { rate: 2, perUs: micros(500_000) };
  const by = { kind: "algorithm" as const, name: "fixed_window" };
  const options = { ...DEFAULT_OPTIONS, algorithm: "fixed_window" as const };
  const result = await resultOf(
    [[1, 1, 1, 1, 2].map(commonLine)],
    [{ kind: "limit", limit, by, options }],
  );
  expect(result.timestamps).toBe("whole seconds");
  const [candidate] = result.candidates;
  const refused = candidate!.placements.map((each) => each.refused);
  // Two fit into each half of a second: spread evenly none is refused, and at once two of four are.
  expect(refused.slice(0, 2)).toEqual([0, 2]);
  expect(candidate!.placements.map(({ placement }) => placement)).toEqual([
    "spread evenly",
    "all at once",
    "at random, seed 1",
    "at random, seed 2",
    "at random, seed 3",
  ]);
  for (const each of refused.slice(2)) expect(each).toBeLessThanOrEqual(2);
});

test("every placement keeps requests within their seconds and in their order", () => {
  holds(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 50, size: "max" }),
      (drawn) => {
        const seconds = drawn.toSorted((a, b) => a - b);
        const atUs = Float64Array.from(seconds, (each) => each * 1_000_000);
        const arrivals = {
          count: atUs.length,
          atUs,
          clients: new Int32Array(atUs.length),
          targets: new Int32Array(atUs.length),
        };
        for (const { place } of placementsFrom(7)) {
          const times = new Float64Array(atUs.length);
          place(arrivals, times);
          expect(Array.from(times, (us) => Math.floor(us / 1_000_000))).toEqual(seconds);
          expect(times.toSorted()).toEqual(times);
          expect(times.every(Number.isInteger)).toBe(true);
        }
      },
    ),
    50,
  );
});

test("the window sorts what is late by less than half of its rows, and refuses what is later", () => {
  const emitted: number[] = [];
  const window = new ArrivalWindow(
    ({ count, atUs }) => emitted.push(...atUs.subarray(0, count)),
    false,
    8,
  );
  const added = [5, 3, 4, 1, 9, 7, 8, 6, 2, 10].map((at) => window.add(at, 0, 0));
  window.end();
  expect(added).toEqual([true, true, true, true, true, true, true, true, false, true]);
  expect(emitted).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test("a second with more requests than the window makes it grow, and is emitted as a whole", () => {
  const groups: number[][] = [];
  const window = new ArrivalWindow(
    ({ count, atUs }) => count > 0 && groups.push([...atUs.subarray(0, count)]),
    true,
    4,
  );
  for (const at of [1, 2, 2, 2, 2, 2, 2, 3, 4, 5, 6, 7]) window.add(at * 1_000_000, 0, 0);
  window.end();
  const seconds = groups.map((group) => new Set(group));
  expect(groups.flat()).toHaveLength(12);
  for (const [index, group] of seconds.entries())
    for (const other of seconds.slice(index + 1))
      expect([...group].some((each) => other.has(each))).toBe(false);
});

test("clients that wait as advertised are admitted later, in their turns", async () => {
  // Five at once where two fit into ten seconds: two are admitted, two after one window and one after two.
  const requests = [0, 0, 0, 0, 0].map((atMs) => ({ atMs, client: 1 }));
  const window: Candidate = {
    kind: "limit",
    limit: { rate: 2, perUs: micros(10_000_000) },
    by: { kind: "algorithm", name: "fixed_window" },
    options: { ...DEFAULT_OPTIONS, algorithm: "fixed_window" },
  };
  const result = await resultOf([requests.map(lineOf)], [window], "retry-after");
  expect(result.candidates[0]!.retries).toEqual({
    behaviour: "retry-after",
    attempts: 5 + 3 + 1,
    refusedAttempts: 3 + 1,
    admittedLater: 3,
    gaveUp: 0,
    longestWaitUs: 20_000_000,
  });
});

test("clients that back off end: each request is admitted or given up", async () => {
  await holdsLater(
    fc.asyncProperty(requestsOf, async (requests) => {
      const result = await resultOf([requests.map(lineOf)], CANDIDATES, "backoff");
      for (const { refused, retries, algorithm } of result.candidates) {
        const { attempts, refusedAttempts, admittedLater, gaveUp } = retries!;
        const atFirst = attempts - refusedAttempts - admittedLater;
        expect([algorithm, atFirst + admittedLater + gaveUp]).toEqual([algorithm, requests.length]);
        expect(refusedAttempts === 0).toBe(refused === 0);
      }
    }),
    5,
  );
});
