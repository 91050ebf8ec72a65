// Recommendations for requests of which some are bad: the target is about the others, whose refusals are decided one by one.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { micros, SECOND } from "#src/kit/units.ts";
import { recommend } from "#src/studies/recommend/recommend.ts";
import { holdsUntil } from "../../runs.ts";
import { decideOneByOne, limitOf } from "./one-by-one.ts";
import { ALGORITHM_RULES, namesOf, questionOf, START_US, trafficOf } from "./traffic.ts";

const NAMES = namesOf(5).names;
const WINDOWS = [1, 13].map((s) => micros(s * SECOND));

/** The clients of a list, of which all requests are bad, and requests with labels. */
const labelled = fc
  .tuple(
    fc.subarray([0, 1, 2, 3, 4], { maxLength: 2 }),
    fc.array(fc.tuple(fc.nat(40), fc.nat(4), fc.boolean(), fc.integer({ min: 1, max: 4 })), {
      minLength: 5,
      maxLength: 25,
      size: "max",
    }),
  )
  .map(([listed, drawn]) => {
    const requests = drawn
      .toSorted(([a], [b]) => a - b)
      .flatMap(([step, client, isBad, count]) =>
        Array.from({ length: count }, () => ({ atUs: START_US + step * 500_000, client, isBad })),
      );
    return { listed, requests };
  });

const countClients = (requests: readonly { readonly client: number }[]): number =>
  new Set(requests.map(({ client }) => client)).size;

/** A client that retries too early stays refused by these. */
const COUNTING = new Set(["sliding_log", "non_transactional", "sentinel", "bounded_log"]);

test("totals, rates for each part and refusals are those of the requests without a label", async () => {
  let examined = 0;
  await holdsUntil(
    40,
    () => examined,
    fc.asyncProperty(
      labelled,
      fc.uniqueArray(fc.constantFrom(...ALGORITHM_RULES), { minLength: 1, maxLength: 3 }),
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      fc.constantFrom(0, 0.25, 1),
      async ({ listed, requests: sent }, rules, ofRequests, ofClients) => {
        const traffic = trafficOf(sent);
        traffic.badClients = Uint8Array.from(NAMES, (_, id) => Number(listed.includes(id)));
        const requests = sent.map((each) => ({
          ...each,
          isBad: each.isBad || listed.includes(each.client),
        }));
        const [good, bad] = [false, true].map((isBad) =>
          requests.filter((each) => each.isBad === isBad),
        );
        const target = { requests: ofRequests, clients: ofClients };
        const question = questionOf(rules, { target, windows: WINDOWS, top: 1 });
        const { totals, badTotal, badClients, requestsOf, searches, choice } = await recommend(
          traffic,
          NAMES,
          false,
          question,
        );
        expect({ totals, badTotal, badClients, requestsOf: [...requestsOf].slice(0, 5) }).toEqual({
          totals: { requests: good!.length, clients: countClients(good!) },
          badTotal: bad!.length,
          badClients: countClients(bad!),
          requestsOf: [0, 1, 2, 3, 4].map(
            (id) => requests.filter(({ client }) => client === id).length,
          ),
        });
        for (const { rule, perUs, found } of searches) {
          if (found === null) continue;
          const decideAt = (rate: number) =>
            decideOneByOne(limitOf(rule, { rate, perUs }), requests);
          const { rate } = found.limit.limit;
          const { goodRequests, goodClients, badRequests, badClients: refusedBad } = found.refusals;
          const { refusedOf: _, ...counts } = decideAt(rate);
          expect({ goodRequests, goodClients, badRequests, badClients: refusedBad }).toEqual(
            counts,
          );
          const meetsRequests = (at: number): boolean =>
            decideAt(at).goodRequests <= ofRequests * good!.length + 1e-9;
          const meetsClients = (at: number): boolean =>
            decideAt(at).goodClients <= ofClients * countClients(good!) + 1e-9;
          // What a client sends in the long run is at most this, and may need more than the log does.
          const spanUs = requests.at(-1)!.atUs - requests[0]!.atUs;
          const most = Math.max(
            ...NAMES.map((_, id) => good!.filter(({ client }) => client === id).length),
          );
          const needed = most / Math.max(1, spanUs / perUs);
          for (const [one, isMet] of [
            [found.forRequests, meetsRequests],
            [found.forClients, meetsClients],
          ] as const)
            expect([one, isMet(one), one > 1 && one > Math.ceil(needed) && isMet(one - 1)]).toEqual(
              [one, true, false],
            );
          // The limit of the first table is the larger one of the second.
          expect(Math.max(found.forRequests, found.forClients)).toBe(rate);
          expect(meetsRequests(rate) && meetsClients(rate)).toBe(true);
          examined += Number(rate > 1 && bad!.length > 0);
        }
        const inFirst = WINDOWS.map((perUs) =>
          searches.flatMap((each) => (each.perUs === perUs ? (each.found ?? []) : [])),
        ).find((some) => some.length > 0);
        expect(inFirst ?? [null]).toContain(choice);
        const prompt = inFirst?.filter(({ limit }) => limit.by.name !== "leaky_bucket") ?? [];
        const usable = prompt.length === 0 ? (inFirst ?? []) : prompt;
        const [free, counting] = [false, true].map((counts) =>
          Math.min(
            ...usable
              .filter(({ limit }) => COUNTING.has(limit.by.name) === counts)
              .map(({ mostInWindow }) => mostInWindow!),
          ),
        );
        const best = free! <= 2 * counting! ? free! : counting!;
        expect([choice?.mostInWindow ?? Number.POSITIVE_INFINITY, usable.length === 0]).toEqual([
          best,
          choice === null,
        ]);
        expect(COUNTING.has(choice?.limit.by.name ?? "")).toBe(free! > 2 * counting!);
      },
    ),
    10,
  );
});
