// The suite as a busy machine runs it: requests and injected faults come late, and the gateway decides each rightly at its
// own time. Such a run may leave expectations open, and fails none.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rng, type Rng } from "#src/kit/chance/rng.ts";
import { checkVariant } from "#src/lab/check/run.ts";
import { micros, SECOND, type Micros } from "#src/kit/units.ts";
import { MOST_UNCERTAIN_US } from "#src/lab/drivers/driver.ts";
import { OFFERS } from "#src/lab/drivers/offers.ts";
import { reasonsAgainst } from "#src/lab/drivers/support.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import type { History, HistorySpan } from "#src/lab/scenario/history.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import type { Fault, Plan, Variant } from "#src/lab/scenario/types.ts";
import { SEED } from "../../runs.ts";

const root = join(import.meta.dirname, "../../../scenarios");
const AS_IN_CI = { stretch: 1, maxDurationUs: micros(10 * SECOND) };
const MOST_ARRIVALS = 500;

/** From one to 400 milliseconds: all of a run, or some of it, by any part of that. */
function latenessOf(random: Rng): () => number {
  const mostUs = Math.round(1_000 * 400 ** random.next());
  const share = random.next();
  return () => (random.next() < share ? random.int(mostUs) : random.int(300));
}

/** In the order of the plan, and no two at once: each late time belongs to one that was planned. */
function late(atUs: Float64Array, latenessUs: () => number): Float64Array {
  let lastUs = -1;
  return atUs.map((us) => (lastUs = Math.max(lastUs + 1, us + latenessUs())));
}

const timeOf = (fault: Fault): Micros => ("atUs" in fault ? fault.atUs : fault.fromUs);

function delay(fault: Fault, byUs: number): Fault {
  const later = (us: Micros): Micros => micros(us + byUs);
  return "atUs" in fault
    ? { ...fault, atUs: later(fault.atUs) }
    : { ...fault, fromUs: later(fault.fromUs), toUs: later(fault.toUs) };
}

function playLate(variant: Variant, planned: Plan, random: Rng): History {
  const latenessUs = latenessOf(random);
  const atUs = late(planned.atUs, latenessUs);
  let lastUs = 0;
  const faults = variant.faults.map((fault) => {
    lastUs = Math.max(lastUs, timeOf(fault) + latenessUs());
    return delay(fault, lastUs - timeOf(fault));
  });
  const history = playVirtual({ ...variant, faults }, { ...planned, atUs });
  const plannedUs = new Map(Array.from(atUs, (us, arrival) => [us, planned.atUs[arrival]!]));
  const jitterUs = micros(Math.max(0, ...atUs.map((us, arrival) => us - planned.atUs[arrival]!)));
  return {
    ...history,
    header: {
      ...history.header,
      driver: "redis",
      timing: { kind: "bounded", jitterUs, maxUs: MOST_UNCERTAIN_US, isStamped: true },
    },
    requests: {
      ...history.requests,
      plannedUs: history.requests.plannedUs.map((us) => plannedUs.get(us)!),
    },
    spans: [...history.spans, ...faults.flatMap(spanOf)],
  };
}

/** As a driver in real time notes it. */
const spanOf = (fault: Fault): readonly HistorySpan[] =>
  "atUs" in fault
    ? [{ what: "fault", gateway: null, fromUs: fault.atUs, toUs: fault.atUs, text: fault.kind }]
    : [];

test("no expectation of the suite fails where all that is planned comes late", () => {
  const random = rng(SEED, "late");
  const failed: string[] = [];
  let played = 0;
  let open = 0;
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (!name.endsWith(".yaml")) continue;
    const { scenario } = decode(name, readFileSync(join(root, name), "utf8"));
    for (const variant of scenario!.variants) {
      const isPlayedInRealTime = [OFFERS.embedded, OFFERS.redis].some(
        (offer) => reasonsAgainst(offer, scenario!, variant, AS_IN_CI).length === 0,
      );
      // Calls take waiting, and long variants would take most of the time.
      if (!isPlayedInRealTime || variant.calls.length > 0) continue;
      const planned = plan(variant, scenario!.id, 1);
      if (planned.atUs.length > MOST_ARRIVALS) continue;
      const of = `${scenario!.id} ${variant.name}`;
      const verdicts = checkVariant(variant, playLate(variant, planned, random.split(of)));
      played++;
      if (verdicts.some(({ outcome }) => outcome === "inconclusive")) open++;
      for (const { expectation, outcome, expected, observed } of verdicts)
        if (outcome === "fail" || outcome === "error")
          failed.push(`${of}, ${expectation}: ${outcome}, expected ${expected}, got ${observed}`);
    }
  }
  expect(failed).toEqual([]);
  // Late enough to matter, and not so late that most is open.
  expect(played).toBeGreaterThan(1_500);
  expect(open).toBeGreaterThan(played / 20);
  expect(open).toBeLessThan(played / 2);
});
