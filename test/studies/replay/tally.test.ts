// What a replay counts of a log, however the log is divided: into blocks that are read one after the other, and into
// shares of clients that are added up in any order.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { micros, SECOND } from "#src/kit/units.ts";
import type { ReplayLimit } from "#src/studies/replay/candidates.ts";
import { Replay, type DecidedShare, type ReplayQuestion } from "#src/studies/replay/replay.ts";
import { Tally } from "#src/studies/replay/tally.ts";
import {
  ALGORITHM_RULES,
  arrivalsOf,
  namesOf,
  PROFILE_RULES,
  replayOf,
  START_US,
  type SentRequest,
} from "../recommend/traffic.ts";
import { holdsUntil } from "../../runs.ts";

const LIMITS = [
  { rate: 1, perUs: micros(SECOND) },
  { rate: 7, perUs: micros(13 * SECOND) },
];
const [FIRST_RULE] = ALGORITHM_RULES;
const CLIENTS = namesOf(4); // none is added

const candidate = (limit: ReplayLimit["limit"], rule = FIRST_RULE!): ReplayLimit => ({
  kind: "limit",
  limit,
  ...rule,
});

const questionOf = (
  candidates: readonly ReplayLimit[],
  share: ReplayQuestion["share"],
): ReplayQuestion => ({
  candidates,
  key: [],
  conditions: [],
  clients: CLIENTS,
  targets: null,
  format: null,
  seed: 1,
  retries: null,
  ...(share === undefined ? {} : { share }),
});

function replayBlocks(
  question: ReplayQuestion,
  blocks: readonly (readonly SentRequest[])[],
  isWholeSeconds: boolean,
): Replay {
  const replay = new Replay(question, isWholeSeconds);
  for (const block of blocks) replay.decide(arrivalsOf(block));
  replay.end();
  return replay;
}

const countsOf = ({ runs, overTime }: Replay) => ({
  steps: overTime.steps(),
  runs: runs.map(({ tallies }) =>
    tallies.map((tally) => {
      const { ids, refusedOf, firstOf, lastOf, meter: _, ...totals } = tally.counts();
      const clients = Array.from(ids, (id, i) => [id, refusedOf[i], firstOf[i], lastOf[i]]);
      return { ...totals, clients: clients.toSorted((a, b) => a[0]! - b[0]!) };
    }),
  ),
});

test("a share without refusals leaves the first refusal as it is, whichever is added first", () => {
  const limits = [candidate({ rate: 1, perUs: micros(13 * SECOND) })];
  const countsAt = (ms: readonly number[]) => {
    const requests = ms.map((each) => ({ atUs: START_US + 1000 * each, client: 0 }));
    return replayBlocks(questionOf(limits, undefined), [requests], false).runs[0]!.tallies[0]!;
  };
  const refusing = countsAt([0, 5, 9]).counts();
  const empty = [countsAt([0]).counts(), countsAt([]).counts()];
  for (const parts of [[refusing, ...empty], [...empty, refusing], empty]) {
    const sum = new Tally(limits[0]!, { clients: CLIENTS, targets: null });
    for (const part of parts) sum.add(structuredClone(part));
    const { firstUs, lastUs, refusedRequests } = sum.counts();
    expect([firstUs, lastUs, refusedRequests]).toEqual(
      parts === empty ? [-1, -1, 0] : [START_US + 5000, START_US + 9000, 2],
    );
  }
});

test("of shares the earliest refusal is the first, and the latest the last", () => {
  const sum = new Tally(candidate(LIMITS[0]!), { clients: CLIENTS, targets: null });
  const empty = sum.counts();
  const at = (firstUs: number, lastUs: number) => ({ ...empty, firstUs, lastUs });
  for (const part of [at(50, 60), empty, at(20, 30), at(40, 90)]) sum.add(part);
  expect([sum.firstUs, sum.lastUs]).toEqual([20, 90]);
});

test("of thousands of refused clients, each has the number and the times of its own refusals", () => {
  const refusals = Array.from({ length: 5_000 }, (_, client) => 1 + (client % 3));
  const lengths = refusals.map((refused) => refused + 1); // the first request is admitted
  const requests = lengths.flatMap((length, client) =>
    Array.from({ length }, (_, i) => ({ atUs: START_US + 10 * i + client, client })),
  );
  const sent = requests.toSorted((a, b) => a.atUs - b.atUs);
  const { runs } = replayOf(sent, [candidate(LIMITS[0]!)], false);
  const { ids, refusedOf, firstOf, lastOf } = runs[0]!.tallies[0]!.counts();
  const counts = Array.from(ids, (id, i) => [id, refusedOf[i], firstOf[i], lastOf[i]] as const);
  expect(counts.toSorted((a, b) => a[0] - b[0])).toEqual(
    refusals.map((refused, id) => {
      const firstUs = START_US + 10 + id;
      return [id, refused, firstUs, firstUs + 10 * (refused - 1)];
    }),
  );
});

const atWholeSecond = ({ atUs, client }: SentRequest): SentRequest => ({
  atUs: Math.floor(atUs / SECOND) * SECOND,
  client,
});

/** Of whole seconds, all requests of a second are in one block. */
function divide(
  requests: readonly SentRequest[],
  places: readonly number[],
  isWholeSeconds: boolean,
): readonly (readonly SentRequest[])[] {
  const second = (at: number): number => Math.floor(requests[at]!.atUs / SECOND);
  const cuts = places
    .map((place) => Math.floor(place * requests.length))
    .filter((at) => at > 0 && !(isWholeSeconds && second(at - 1) === second(at)))
    .toSorted((a, b) => a - b);
  return [0, ...cuts].map((from, i) => requests.slice(from, cuts[i] ?? requests.length));
}

const requestsOfFew = fc
  .array(fc.tuple(fc.nat(40), fc.nat(CLIENTS.count - 1)), {
    minLength: 1,
    maxLength: 50,
    size: "max",
  })
  .map((drawn) =>
    drawn
      .map(([half, client]) => ({ atUs: START_US + half * 500_000, client }))
      .toSorted((a, b) => a.atUs - b.atUs),
  );

const place = fc.double({ min: 0, max: 0.999, noNaN: true });
const division = fc.record({
  candidates: fc.uniqueArray(
    fc
      .tuple(fc.constantFrom(...LIMITS), fc.constantFrom(...ALGORITHM_RULES, ...PROFILE_RULES))
      .map(([limit, rule]) => candidate(limit, rule)),
    { minLength: 1, maxLength: 3 },
  ),
  isWholeSeconds: fc.boolean(),
  places: fc.array(place, { maxLength: 6 }),
  order: fc
    .integer({ min: 1, max: 7 })
    .chain((of) => fc.shuffledSubarray([...Array.from({ length: of }).keys()], { minLength: of })),
});

test("a log divided into blocks and shares has the counts of the undivided log, in any order of the shares", async () => {
  let withEmpty = 0;
  await holdsUntil(
    20,
    () => withEmpty,
    fc.property(
      requestsOfFew,
      division,
      (requests, { candidates, isWholeSeconds, places, order }) => {
        const sent = isWholeSeconds ? requests.map(atWholeSecond) : requests;
        const blocks = divide(sent, places, isWholeSeconds);
        const replay = (share: ReplayQuestion["share"], parts = blocks) =>
          replayBlocks(questionOf(candidates, share), parts, isWholeSeconds);
        const whole = countsOf(replay(undefined, [sent]));
        expect(countsOf(replay(undefined))).toEqual(whole);
        const sum = replay("none");
        const shares = order.map((index): DecidedShare =>
          structuredClone(replay({ index, of: order.length }).takeShare()),
        );
        for (const share of shares) sum.add(share);
        expect(countsOf(sum)).toEqual(whole);
        const refusals = shares.flatMap((share) =>
          share.map(({ tallies }) => tallies[0]!.refusedRequests),
        );
        withEmpty += Number(refusals.includes(0) && refusals.some((count) => count > 0));
      },
    ),
    25,
  );
});
