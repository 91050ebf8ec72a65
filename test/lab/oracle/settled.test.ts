// What the oracle carries along from request to request is what it would compute from the whole past: of worlds of every
// kind, with instants and with spans of time.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { micros } from "#src/kit/units.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { buildVariant } from "#src/studies/swarm/trial.ts";
import { EXPECTED } from "#src/studies/swarm/as-scenario.ts";
import { KINDS } from "#src/studies/swarm/kinds.ts";
import { answerOf, type LevelAnswer } from "#src/lab/oracle/answer.ts";
import { bookOf } from "#src/lab/oracle/book.ts";
import { startRunning } from "#src/lab/oracle/context.ts";
import { walk, type Visit } from "#src/lab/oracle/walk.ts";
import { emptyLedger } from "#src/lab/oracle/ledger.ts";
import { rowsWithin } from "#src/lab/oracle/past.ts";
import { worldOf, type OracleWorld } from "#src/lab/oracle/world.ts";
import type { History } from "#src/lab/scenario/history.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import type { Variant } from "#src/lab/scenario/types.ts";
import { attemptOf, momentOf } from "./attempts.ts";
import { holds, SEED } from "../../runs.ts";

/** As a driver in real time records it: each decision fell within a span. */
function withSpans(history: History, seed: number): History {
  const random = rng(seed, "spans");
  const mostUs = Math.round(10 ** (1 + 4 * random.next()));
  const around = (us: Float64Array, sign: 1 | -1): Float64Array =>
    us.map((at) => at + sign * random.int(mostUs));
  // Clocks of gateways may differ by more than the time between requests.
  const skewUs = random.int(2) === 0 ? 1 : 300_000;
  const { requests } = history;
  const fromUs = around(requests.fromUs, -1);
  const toUs = around(requests.toUs, 1);
  return {
    ...history,
    header: {
      ...history.header,
      driver: "redis",
      timing: {
        kind: "bounded",
        jitterUs: micros(0),
        maxUs: micros(mostUs),
        isStamped: random.int(2) === 0,
      },
    },
    requests: {
      ...requests,
      fromUs,
      toUs,
      stampUs: requests.stampUs.map((at) => at + random.int(skewUs)),
      sentUs: requests.sentUs.map((at, row) => Math.min(at, fromUs[row]!)),
      answeredUs: requests.answeredUs.map((at, row) => Math.max(at, toUs[row]!)),
    },
  };
}

const inWords = ({ answer }: LevelAnswer): unknown => {
  const { stateAfter, ...rest } = answer;
  return { ...rest, after: (["admitted", "refused", "visited"] as const).map(stateAfter) };
};

/** Where a gateway restarts, which here is none that is there, nothing is settled. */
const settleNothing = (world: OracleWorld): OracleWorld => ({
  ...world,
  gatewayRestarts: [...world.gatewayRestarts, { gateway: 99, atUs: 0, how: "restarted" }],
});

interface Compared {
  rows: number;
  carried: number; // answers that used something that was carried along
}

function compareAnswers(variant: Variant, history: History, compared: Compared): void {
  const world = worldOf(variant);
  if (world === null) return;
  // The past of a ledger that is not plain is looked through.
  const ledgers = new Map(
    [...bookOf(history, world).ledgers].map(([name, ledger]) => [
      name,
      { ...ledger, isPlain: false },
    ]),
  );
  walk(
    history,
    world,
    ({ entry, answers, context, run }: Visit) => {
      compared.rows++;
      let written = true;
      for (const [index, level] of entry.levels.entries()) {
        const name = entry.ledgers[index]!;
        const running = run.get(name)!;
        if (running.settled.upTo + (running.debt?.upTo ?? 0) > 0) compared.carried++;
        const { settled, debt } = startRunning();
        const whole = {
          ...context,
          world: settleNothing(world),
          book: { ...context.book, ledgers },
        };
        const anew = answerOf(level, name, whole, { ...running, settled, debt }, written);
        written &&= anew.answer.pass;
        expect(inWords(answers[index]!)).toEqual(inWords(anew));
      }
    },
    () => {},
  );
}

/** The answers to each request at a later time, with what is carried along or without it. */
function laterAnswers(history: History, world: OracleWorld, byUs: number): readonly unknown[] {
  const all: unknown[] = [];
  const look = ({ entry, answersAt }: Visit): void =>
    void all.push(answersAt(entry.moment.loUs + byUs).map(inWords));
  walk(history, world, look, () => {});
  return all;
}

test("worlds of the swarm, with instants and with spans", () => {
  const compared = { instants: { rows: 0, carried: 0 }, spans: { rows: 0, carried: 0 } };
  // Few worlds of some seeds carry anything along: then more are tried.
  const isEnough = (): boolean =>
    compared.instants.rows > 200 && compared.instants.carried > 20 && compared.spans.carried > 20;
  for (let time = 0; time < 4 || (time < 40 && !isEnough()); time++)
    for (const [place, { worlds }] of KINDS.entries()) {
      const seed = SEED + place * 100 + time;
      const [raw] = fc.sample(worlds, { seed, numRuns: 1 });
      const id = `regressions/settled-${place}-${time}`;
      const frame = { id, title: "a world", about: null, proves: ["LIM-1"], expect: EXPECTED };
      const variant = buildVariant(raw!, frame);
      const history = playVirtual(variant, plan(variant, id, seed));
      compareAnswers(variant, history, compared.instants);
      compareAnswers(variant, withSpans(history, seed), compared.spans);
    }
  expect(compared).toSatisfy(isEnough);
});

const LONG = `
id: regressions/settled
title: each algorithm under a rate that changes
about: a first flow of one request at a time, and a second one of several at once
proves: [LIM-1]
matrix: { algorithm: all, changed: [5, 7] }
world:
  gateway: { algorithm: $algorithm, queue: 2 }
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
traffic:
  - { name: single, as: alice, send: GET /orders, rate: 7, for: 12s }
  - { name: several, as: alice, send: GET /orders, burst: 3, at: 5.5s }
  - { name: before, as: alice, send: GET /orders, burst: 3, at: 8.95s }
  - { name: after, as: alice, send: GET /orders, burst: 3, at: 9.05s }
faults:
  - { at: 9s, configure: { gateway: { fixed_window_start: clock }, keys: { alice: { rate: $changed } } } }
expect:
  - { id: agrees, decisions: {}, agreeWith: oracle }
`;

test("every algorithm over a long time, also after a change of its rate", () => {
  const { scenario, problems } = decode("scenarios/regressions/settled.yaml", LONG);
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  for (const variant of scenario!.variants) {
    const history = playVirtual(variant, plan(variant, scenario!.id, SEED));
    for (let time = 0; time < 10; time++) {
      const compared = { rows: 0, carried: 0 };
      compareAnswers(variant, time === 0 ? history : withSpans(history, SEED + time), compared);
      expect(compared.rows).toBe(93);
      if (time === 0) continue; // instants are settled whatever may be lost
      const world = worldOf(variant)!;
      const spans = withSpans(history, SEED + time);
      for (const byUs of [1, 50_000])
        expect(laterAnswers(spans, world, byUs)).toEqual(
          laterAnswers(spans, settleNothing(world), byUs),
        );
    }
  }
});

const attempts = fc.array(
  fc.record({
    loUs: fc.nat(60),
    spanUs: fc.nat(9),
    sentUs: fc.nat(60),
  }),
  { maxLength: 30 },
);

test("rows within a time have every attempt with a later stamp that was sent by then", () => {
  holds(
    fc.property(attempts, fc.nat(60), fc.nat(60), (drawn, sinceUs, untilUs) => {
      const ledger = emptyLedger();
      const past = drawn.map(({ loUs, spanUs, sentUs }, row) => {
        const attempt = attemptOf({
          ...momentOf(row, loUs, loUs + spanUs),
          flightFromUs: sentUs,
        });
        ledger.past.push({ attempt, counts: "yes" });
        return attempt;
      });
      const { first, end } = rowsWithin(ledger, sinceUs, untilUs);
      const wanted = past.filter(
        ({ hiUs, flightFromUs }) => hiUs > sinceUs && flightFromUs <= untilUs,
      );
      expect(wanted.filter(({ row }) => row < first || row >= end)).toEqual([]);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(past.length);
    }),
    300,
  );
});
