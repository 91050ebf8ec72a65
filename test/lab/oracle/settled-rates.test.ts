// A budget whose rate changes while requests are under way: those at the new rate may have come before one at the old rate.
import { expect, test } from "vitest";
import { asQueue } from "#src/lab/oracle/answer-debt.ts";
import { startRunning, type EvaluationContext } from "#src/lab/oracle/context.ts";
import { emptyLedger, enter } from "#src/lab/oracle/ledger.ts";
import type { OracleLevel } from "#src/lab/oracle/levels.ts";
import type { OracleWorld } from "#src/lab/oracle/world.ts";
import { attemptOf, momentOf } from "./attempts.ts";

/** From, to, stamp, rate, units: each is sent five before and answered five after. */
const ROWS = [
  [40, 46, 45, 5, 1],
  [60, 72, 66, 5, 3],
  [86, 101, 95, 5, 1],
  [90, 108, 97, 7, 1],
] as const;
const EVALUATED = 2;

const attempts = ROWS.map(([fromUs, toUs, stampUs, rate, cost], row) =>
  attemptOf(momentOf(row, fromUs, toUs), {
    loUs: stampUs,
    hiUs: stampUs,
    flightFromUs: fromUs - 5,
    flightToUs: toUs + 5,
    certain: rate === 5,
    rate,
    capacity: rate,
    cost,
  }),
);

const worldWith = (gatewayRestarts: OracleWorld["gatewayRestarts"]): OracleWorld =>
  ({ storeRestartsUs: [], gatewayRestarts, storeFlightUs: 10 }) as unknown as OracleWorld;

/** The rows up to the evaluated one, in turn: the later ones find some of the earlier ones settled. */
function whyOf(world: OracleWorld): { readonly why: string; readonly settled: number } {
  const ledger = emptyLedger();
  for (const attempt of attempts) enter(ledger, attempt, world);
  const level = { algorithm: "leaky_bucket", limit: { rate: 5, perUs: 100 } };
  const running = startRunning();
  let why = "";
  for (const moment of attempts.slice(0, EVALUATED + 1)) {
    const context = { world, inSteps: true, entry: { moment, cost: 1 } };
    const { answer } = asQueue(() => 4).answer(
      level as unknown as OracleLevel,
      context as unknown as EvaluationContext,
      ledger,
      running,
      true,
    );
    why = answer.why;
  }
  return { why, settled: running.debt?.upTo ?? 0 };
}

test("is open where a request at another rate may have come first, whatever is settled", () => {
  const carried = whyOf(worldWith([]));
  expect(carried.settled).toBeGreaterThan(0);
  // A restart of a gateway that is not there: nothing is settled.
  const anew = whyOf(worldWith([{ gateway: 99, atUs: 0, how: "restarted" }]));
  expect(anew).toEqual({ why: "the budget was used at another rate a moment ago", settled: 0 });
  expect(carried.why).toBe(anew.why);
});
