// Limits of several windows, enforced together: a request that one of them refuses spends nothing of the others.
import { expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { recommend } from "#src/studies/recommend/recommend.ts";
import { ALGORITHM_RULES, namesOf, questionOf, START_US, trafficOf } from "./traffic.ts";
import { decideTogether, lossesOf } from "#src/studies/recommend/together.ts";

const WINDOWS = [1_000_000, 10_000_000].map(micros);

test("what one limit refuses is not counted by the others", async () => {
  const sent = [0, 100, 200, 300, 1_000, 2_000, 3_000, 10_000];
  const traffic = trafficOf(sent.map((ms) => ({ atUs: START_US + 1000 * ms, client: 0 })));
  const rules = ALGORITHM_RULES.filter(({ by }) => by.name === "fixed_window");
  const question = questionOf(rules, { windows: WINDOWS, target: { requests: 1, clients: 1 } });
  const found = await recommend(traffic, namesOf(1).names, false, question);
  // One per second refuses three, and three per ten seconds the fourth of the others.
  const advice = found.advice.map((each, at) => ({ ...each, rate: [1, 3][at]! }));
  const { decided, searches, totals, target } = found;
  expect(decideTogether(advice, searches, decided, { totals, target })).toEqual({
    refused: 4,
    refusedClients: 1,
    totals: { requests: 8, clients: 1 },
    refusedOfOthers: 4,
    refusedOtherClients: 1,
    badRefused: 0,
    badRefusedClients: 0,
    mostAlone: 6, // at the rates that were searched
    isMet: true,
  });
  const limits = advice.map(({ search, perUs, rate }) => ({
    limit: { rate, perUs },
    options: searches[search]!.rule.options,
  }));
  // If the limit of ten seconds is first, it has counted the three that the one of a second refuses.
  const lost = [false, true].map(
    (isInOrder) => lossesOf(limits.toReversed(), decided, [0], { isInOrder })[0]!.good,
  );
  expect(lost).toEqual([4, 6]);
});
