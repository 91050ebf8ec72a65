// The study of weir diff, on random logs and pairs of configurations: its counts follow from two replays.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Ajv2020 } from "ajv/dist/2020.js";
import { startCandidate, type Candidate } from "#src/studies/replay/candidates.ts";
import { NameTable } from "#src/studies/replay/names.ts";
import { StartedRules, budgetNames } from "#src/lab/implementations/started-rules.ts";
import { client } from "#src/limiter/core/client.ts";
import type { DiffRow, UnansweredDiff } from "#src/studies/diff/result.ts";
import { diffSchema } from "#src/studies/diff/result.ts";
import { addAnswer } from "#src/show/answers/answer.ts";
import { answerDiff } from "#src/show/answers/diff.ts";
import { holdsUntil } from "../../runs.ts";
import {
  addressOf,
  diffOf,
  randomLog,
  randomPair,
  rulesOf,
  START_US,
  type LoggedRequest,
} from "./requests.ts";

/** Which requests one configuration refuses, decided alone and request by request. */
function decideAlone(candidate: Candidate, requests: readonly LoggedRequest[]): readonly boolean[] {
  if (candidate.kind === "rules") {
    const rules = new StartedRules(candidate.configuration);
    return requests.map((request) => {
      const names = budgetNames(candidate.configuration, {
        address: addressOf(request.client),
        method: "GET",
        target: `/${request.path}`,
        host: "",
        header: () => null,
      });
      const budgets = names.map((name) =>
        name === null ? null : { client: client(name), mayRefuse: true },
      );
      return rules.decide(budgets, request.atUs) !== 0;
    });
  }
  const limiter = startCandidate(candidate, { clients: new NameTable(), targets: null });
  limiter.makeRoom(6);
  return requests.map((request) => limiter.decide(request.client, 0, request.atUs) !== 0);
}

const COUNTED = ["requests", "refusedBefore", "refusedAfter", "lost", "gained"] as const;
type Counts = Pick<DiffRow, (typeof COUNTED)[number]>;

function countsOf(rows: readonly (readonly [before: boolean, after: boolean])[]): Counts {
  const count = (isCounted: (before: boolean, after: boolean) => boolean): number =>
    rows.filter(([before, after]) => isCounted(before, after)).length;
  return {
    requests: rows.length,
    refusedBefore: count((before) => before),
    refusedAfter: count((_, after) => after),
    lost: count((before, after) => !before && after),
    gained: count((before, after) => before && !after),
  };
}

const pick = (row: Counts): Counts =>
  Object.fromEntries(COUNTED.map((name) => [name, row[name]])) as unknown as Counts;

const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
  diffSchema() as object,
);

const sum = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0);

/** The most requests in any half-open window, by comparing each with all before it. */
const mostWithin = (requests: readonly LoggedRequest[], perUs: number): number =>
  Math.max(
    0,
    ...requests.map(
      (last, at) => requests.slice(0, at + 1).filter(({ atUs }) => atUs > last.atUs - perUs).length,
    ),
  );

let changed = 0;
test("counts are those of two replays, in all, by client and by endpoint", async () => {
  const property = fc.property(randomPair, randomLog, (pair, requests) => {
    const found = diffOf(pair, requests);
    const before = decideAlone(pair.before, requests);
    const after = decideAlone(pair.after, requests);
    const rows = requests.map((request, at) => ({
      request,
      ways: [before[at]!, after[at]!] as const,
    }));
    const expected = countsOf(rows.map(({ ways }) => ways));
    expect(pick(found)).toEqual(expected);
    expect(found.refusedAfter - found.refusedBefore).toBe(found.lost - found.gained);
    const byClient = Map.groupBy(rows, ({ request }) => addressOf(request.client));
    const byPath = Map.groupBy(rows, ({ request }) => `GET /${request.path}`);
    expect(found.clients).toBe(byClient.size);
    for (const [listed, all] of [
      [found.changedClients, byClient],
      [found.changedEndpoints, byPath],
    ] as const) {
      const counts = [...all]
        .map(([name, own]) => ({ name, ...countsOf(own.map(({ ways }) => ways)) }))
        .filter(({ lost, gained }) => lost + gained > 0);
      expect(new Map(listed.map((row) => [row.name, pick(row)]))).toEqual(
        new Map(counts.map((row) => [row.name, pick(row)])),
      );
      const losses = counts.map(({ lost, gained }) => lost - gained).toSorted((a, b) => b - a);
      expect(listed.map(({ lost, gained }) => lost - gained)).toEqual(losses);
    }
    const balance = found.changedClients.map(({ lost, gained }) => lost - gained);
    const losses = balance.filter((each) => each > 0);
    const gains = balance.filter((each) => each < 0).map(Math.abs);
    const sumOf = (all: readonly number[]): number => all.reduce((sum, each) => sum + each, 0);
    expect([found.losers, found.lostOnBalance]).toEqual([losses.length, sumOf(losses)]);
    expect([found.gainers, found.gainedOnBalance]).toEqual([gains.length, sumOf(gains)]);
    for (const { perUs, before: own, after: other } of found.windows)
      for (const [side, which] of [
        [own, 0],
        [other, 1],
      ] as const) {
        const admitted = rows.filter(({ ways }) => !ways[which]).map(({ request }) => request);
        expect(side.mostOfAll).toBe(mostWithin(admitted, perUs));
        const byName = Map.groupBy(admitted, ({ client: id }) => id);
        const most = [...byName.values()].map((each) => mostWithin(each, perUs));
        expect(side.mostOfClient).toBe(Math.max(0, ...most));
      }
    const { requests: all, refusedBefore, refusedAfter } = found.overTime;
    expect([all, refusedBefore, refusedAfter].map(sum)).toEqual([
      found.requests,
      found.refusedBefore,
      found.refusedAfter,
    ]);
    validate(addAnswer(found, answerDiff));
    expect(validate.errors).toBeNull();
    if (found.lost > 0 && found.gained > 0) changed++;
  });
  await holdsUntil(10, () => changed, property, 80);
});

const burst = (count: number, path = 0): readonly LoggedRequest[] =>
  Array.from({ length: count }, (_, at) => ({ atUs: START_US + at, client: 0, path }));

test("the same configuration twice changes nothing", () => {
  const rules = rulesOf(1, 2);
  const found = diffOf({ before: rules, after: rulesOf(1, 2) }, burst(9));
  expect(found).toMatchObject({
    refusedBefore: 6,
    refusedAfter: 6,
    lost: 0,
    gained: 0,
    changes: [],
  });
  expect(found.before.rules).toEqual(found.after.rules);
});

test("rules with the same counters and other bursts count together", () => {
  const withBurst = (burstOfPath: number): Candidate =>
    rulesOf(1, 5, `limit_req zone=all burst=${burstOfPath};`);
  // Six requests of the path / fill the budget of the client that /1 counts too.
  const requests = [...burst(6), ...burst(1, 1)];
  const found = diffOf({ before: withBurst(4), after: withBurst(6) }, requests);
  expect(found).toMatchObject({ refusedBefore: 1, refusedAfter: 0, gained: 1 });
});

test("a dry run refuses nothing, and a request that it would refuse spends nothing of other limits", () => {
  const dry = rulesOf(1, 1, "limit_req zone=all burst=20; limit_req_dry_run on;");
  // Zone `one` would refuse seven of nine, so that two are in zone `all` when the path / is requested.
  const later = { atUs: START_US + 1_000_100, client: 0, path: 0 };
  const found = diffOf({ before: rulesOf(1, 1), after: dry }, [...burst(9, 1), later]);
  expect(found).toMatchObject({ refusedBefore: 7, refusedAfter: 0, gained: 7, lost: 0 });
});

test("a statement that the new file alone has is a change, with its place", () => {
  const { changes } = diffOf({ before: rulesOf(1, 2), after: rulesOf(3, 2) }, burst(1));
  expect(changes.map(({ line, text }) => `${line} ${text}`)).toEqual([
    "1 limit_req_zone $remote_addr zone=all:1m rate=3r/s",
    "2 limit_req_zone everyone zone=one:1m rate=6r/s",
  ]);
});

test("each rule has the number of requests that it counts", () => {
  const { before, after } = diffOf({ before: rulesOf(1, 2), after: rulesOf(1, 2, "return 204;") }, [
    ...burst(3),
    ...burst(5, 1),
  ]);
  expect(before.rules.map(({ counted }) => counted)).toEqual([3, 5]);
  expect(after.rules.map(({ counted }) => counted)).toEqual([3, 0]);
});

test("only as many clients and endpoints are listed as are wanted", () => {
  const requests = [0, 1, 2].flatMap((each) =>
    burst(9, each).map((one) => ({ ...one, client: each })),
  );
  const pair = { before: rulesOf(1, 5), after: rulesOf(1, 1) };
  const found: UnansweredDiff = diffOf(pair, requests, { top: 1 });
  expect([found.losers, found.changedClients.length, found.changedEndpoints.length]).toEqual([
    3, 1, 1,
  ]);
  expect(found.lost).toBe(12);
});
