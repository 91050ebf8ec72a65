// A hint has numbers of its own run, and the table above it has no others: no hint of the swarm's worlds, nor of the suite
// (test/suite.test.ts), states what the requests of its history refute.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { hintsOf } from "#src/lab/check/hints.ts";
import { totalsOf } from "#src/lab/check/totals.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { NAME } from "#src/studies/swarm/as-scenario.ts";
import { KINDS } from "#src/studies/swarm/kinds.ts";
import { buildVariant } from "#src/studies/swarm/trial.ts";
import { REASONS, type History } from "#src/lab/scenario/history.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { countRuns, SEED } from "../../runs.ts";
import { contradictionIn } from "./hint-numbers.ts";

const WORLDS = 300;

/** How many requests of each key a limiter decided, and how many of these got 200. */
function countsOfKeys({ requests, header }: History): readonly string[] {
  return header.keys.map((_, key) => {
    const rows = Array.from(requests.key.keys()).filter(
      (row) =>
        requests.key[row] === key &&
        ["none", "rate", "quota"].includes(REASONS[requests.reason[row]!]!),
    );
    const admitted = rows.filter((row) => requests.status[row] === 200).length;
    return `${admitted} of ${rows.length}`;
  });
}

test("no hint of a world of the swarm is refuted by its history", () => {
  let hints = 0;
  const refuted: string[] = [];
  for (let seed = SEED; seed < SEED + countRuns(WORLDS); seed++) {
    const { worlds } = KINDS[seed % KINDS.length]!;
    const [world] = fc.sample(worlds, { seed, numRuns: 1 });
    const variant = buildVariant(world!);
    if (variant.world.configuration === null || variant.calls.length > 0) continue;
    const history = playVirtual(variant, plan(variant, NAME, seed));
    for (const hint of hintsOf(variant, history)) {
      hints++;
      const contradiction = contradictionIn(hint, totalsOf(history));
      if (contradiction !== null) refuted.push(`seed ${seed}: ${contradiction}`);
      const [, counted] = /([\d,]+ of [\d,]+) were admitted/.exec(hint) ?? [];
      if (counted !== undefined && !countsOfKeys(history).includes(counted.replaceAll(",", "")))
        refuted.push(`seed ${seed}: no key has ${counted} admitted`);
    }
  }
  expect(refuted).toEqual([]);
  expect(hints).toBeGreaterThan(countRuns(WORLDS) / 60);
});
