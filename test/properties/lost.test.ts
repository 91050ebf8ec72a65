// Nothing vanishes where gateways end: each planned request is one row, with a result, and every figure counts each row once.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerTo, type AnswerKind } from "#src/lab/check/rejections.ts";
import { binRows, countsBy, endUsOf } from "#src/lab/check/series.ts";
import { totalsOf } from "#src/lab/check/totals.ts";
import { SECOND } from "#src/kit/units.ts";
import { playAttempts, playVirtual } from "#src/lab/drivers/virtual.ts";
import { NAME, type RawScenario } from "#src/studies/swarm/as-scenario.ts";
import { KINDS } from "#src/studies/swarm/kinds.ts";
import { buildVariant } from "#src/studies/swarm/trial.ts";
import { binsOf } from "#src/lab/report/build/bins.ts";
import { demandFigure } from "#src/lab/report/build/over-time.ts";
import { frameOf } from "#src/lab/report/build/setting.ts";
import { isLost, REASONS, type History } from "#src/lab/scenario/history.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import type { Plan, Variant } from "#src/lab/scenario/types.ts";
import { holdsUntil } from "../runs.ts";
import { lossyWorlds } from "./lost-worlds.ts";
import { agreesInWorldsOf } from "./oracle-worlds.ts";

const RUNS = 60;
const frame = { id: NAME, title: "lost", about: null, proves: ["LIM-C18"], expect: [] };
const worlds = fc.oneof(...KINDS.map((kind) => kind.worlds), lossyWorlds(), lossyWorlds());

interface Played {
  readonly variant: Variant;
  readonly planned: Plan;
  readonly history: History;
}

function playWorld(raw: RawScenario): Played {
  const variant = buildVariant(raw, { ...frame, expect: [{ id: "all", count: {}, atLeast: 0 }] });
  const planned = plan(variant, NAME, 1);
  return { variant, planned, history: playVirtual(variant, planned) };
}

const rowsIn = ({ requests }: History): readonly number[] => [...requests.status.keys()];

const countLost = (history: History): number =>
  rowsIn(history).filter((row) => isLost(history.requests.status[row]!)).length;

/** A lost request may have been decided from when it was sent until its client knew. */
function listLossesOutOfOrder({ requests }: History): readonly string[] {
  const { plannedUs, sentUs, fromUs, toUs, answeredUs, status, reason } = requests;
  return [...status.keys()].flatMap((row) => {
    if (!isLost(status[row]!)) return [];
    const [planned, sent, from, to, known] = [plannedUs, sentUs, fromUs, toUs, answeredUs].map(
      (times) => times[row]!,
    ) as [number, number, number, number, number];
    const isOrdered = planned <= sent && sent === from && from <= to && to === known;
    const isUntaken = REASONS[reason[row]!] === "unreachable";
    return isOrdered && (!isUntaken || sent === known)
      ? []
      : [`row ${row}: ${planned} ${sent} ${from} ${to} ${known}`];
  });
}

describe("in worlds whose gateways end", () => {
  test("each planned request has one row that is its first attempt, with one of four results", async () => {
    let lost = 0;
    const property = fc.property(worlds, (raw) => {
      const { planned, history } = playWorld(raw);
      const { requests } = history;
      const nameRequest = (atUs: number, flow: number, client: number): string =>
        `${atUs} ${flow} ${client}`;
      const first = rowsIn(history)
        .filter((row) => requests.attempt[row] === 0)
        .map((row) =>
          nameRequest(requests.plannedUs[row]!, requests.flow[row]!, requests.client[row]!),
        );
      const wanted = Array.from(planned.atUs, (atUs, arrival) =>
        nameRequest(atUs, planned.flow[arrival]!, planned.client[arrival]!),
      );
      expect(first.toSorted()).toEqual(wanted.toSorted());
      const { admitted, refused, rejected, lost: losses, losses: causes } = totalsOf(history);
      expect(admitted + refused + rejected + losses).toBe(requests.length);
      expect(losses).toBe(countLost(history));
      expect(causes.reduce((sum, cause) => sum + cause.requests, 0)).toBe(losses);
      expect(listLossesOutOfOrder(history)).toEqual([]);
      lost += losses;
    });
    await holdsUntil(100, () => lost, property, RUNS);
  });

  test("the attempts that a brief run keeps are those of its history", async () => {
    let lost = 0;
    const property = fc.property(lossyWorlds(), (raw) => {
      const { variant, planned, history } = playWorld(raw);
      const attempts = playAttempts(variant, planned);
      const names = Object.keys(attempts) as (keyof typeof attempts)[];
      const whole = Object.fromEntries(names.map((name) => [name, history.requests[name]]));
      expect(attempts).toEqual(whole);
      lost += countLost(history);
    });
    await holdsUntil(100, () => lost, property, RUNS);
  });

  test("the oracle allows what is decided, and no invariant breaks", async () => {
    let lost = 0;
    const property = agreesInWorldsOf({ name: "lost", worlds: lossyWorlds() }, (trial) => {
      lost += trial.lost;
    });
    await holdsUntil(50, () => lost, property, RUNS / 2);
  });
});

/** By the name of each bar, how many requests it has. */
function countBars({ variant, history }: Played): ReadonlyMap<string, number> {
  const bins = binsOf(history);
  const { bars, binS } = demandFigure(history, bins, frameOf(history, variant.faults, bins));
  const counts = new Map<string, number>();
  for (const { what, values } of bars) {
    const sum = values.reduce((total, value) => total + Math.round(value * binS), 0);
    const [kind = ""] = what.split(" ");
    counts.set(kind, (counts.get(kind) ?? 0) + sum);
  }
  return counts;
}

/** Retries may go on for years. */
const MOST_BINS = 10_000;

describe("charts", () => {
  test("have each request once, by its result", async () => {
    let lost = 0;
    const property = fc.property(worlds, (raw) => {
      const played = playWorld(raw);
      const totals = totalsOf(played.history);
      const { admitted, delayed, refused, rejected } = totals;
      const kinds = { admitted: admitted - delayed, delayed, refused, rejected, lost: totals.lost };
      const wanted = Object.entries(kinds).filter(([, count]) => count > 0);
      expect(Object.fromEntries(countBars(played))).toEqual(Object.fromEntries(wanted));
      lost += totals.lost;
    });
    await holdsUntil(100, () => lost, property, RUNS);
  });

  test("admit in no bin as long as the window of the peak more than the peak has", async () => {
    let [peaks, full] = [0, 0];
    const property = fc.property(
      worlds,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (raw, from) => {
        const { history } = playWorld(raw);
        const { requests } = history;
        const { peak } = totalsOf(history);
        if (peak === null) return;
        const binUs = peak.perUs;
        const fromUs = -Math.floor(from * binUs);
        const count = Math.min(MOST_BINS, Math.floor((endUsOf(requests) - fromUs) / binUs) + 1);
        const kinds: readonly AnswerKind[] = ["admitted"];
        const counts = countsBy(binRows(requests, { fromUs, binUs, count }), "result", (row) =>
          kinds.indexOf(answerTo(requests, row)),
        );
        const most = Math.max(0, ...(counts.get(0) ?? []));
        expect(most).toBeLessThanOrEqual(peak.admitted);
        peaks++;
        full += Number(most === peak.admitted && most > 1);
      },
    );
    await holdsUntil(30, () => Math.min(peaks, full), property, RUNS);
  });

  test("have every attempt in the bin in which it was sent, retries too", async () => {
    let retries = 0;
    const property = fc.property(worlds, (raw) => {
      const { history } = playWorld(raw);
      const { requests } = history;
      const count = Math.min(MOST_BINS, Math.floor(endUsOf(requests) / SECOND) + 1);
      const bins = { fromUs: 0, binUs: SECOND, count };
      const sent = countsBy(binRows(requests, bins), "sent", () => 0).get(0) ?? [];
      const wanted = new Map<number, number>();
      for (const us of requests.sentUs) {
        const bin = Math.floor(us / SECOND);
        if (bin < count) wanted.set(bin, (wanted.get(bin) ?? 0) + 1);
      }
      const counted = [...sent].flatMap((each, bin) => (each === 0 ? [] : [[bin, each] as const]));
      expect(new Map(counted)).toEqual(wanted);
      retries += requests.attempt.filter((attempt) => attempt > 0).length;
    });
    await holdsUntil(20, () => retries, property, RUNS);
  });
});
