// The sentences of weir replay claim what the rows of the result have, for random logs and candidates.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { PRICE_CLAIMS } from "./replay-price-claims.ts";
import { answerReplay } from "#src/show/answers/replay.ts";
import { checkMostLoss } from "./replay-loss-claims.ts";
import { limiterWords } from "#src/show/answers/words.ts";
import { FREE_LOG } from "#src/studies/replay/choices.ts";
import { type ReplayedCandidate, type UnansweredReplay } from "#src/studies/replay/result.ts";
import { percent, thousands } from "#src/kit/reading/legible.ts";
import { seconds } from "#src/kit/reading/periods.ts";
import { holdsUntil } from "../../runs.ts";
import { type SentRequest } from "../../studies/recommend/traffic.ts";
import { ofAlgorithm, resultOf, setups, type Setup } from "./replay-results.ts";

type Claim = (text: string, facts: UnansweredReplay) => void;

const hurt = ({ candidates }: UnansweredReplay): readonly ReplayedCandidate[] =>
  candidates.filter(({ refused }) => refused > 0);

const namesOfRefused = (facts: UnansweredReplay): ReadonlySet<string> =>
  new Set(facts.candidates.flatMap(({ clients }) => clients.map(({ client }) => client)));
const wordsOf = (count: number): string => (count === 0 ? "none" : thousands(count));

/** "...: a token bucket least, GCRA (one at once) most" is about each limit whose counts are a range, or about one. */
function checkEnds(text: string, { candidates }: UnansweredReplay): void {
  const [, at, least, most] =
    /(?:: |; at (.+?) per .+? )(an? .+?|GCRA.+?|DRL.*?|\d+ .+?) least, (.+) most/.exec(text)!;
  const rates = new Set(candidates.map(({ rate }) => rate));
  const ends = [...rates].flatMap((rate) => {
    const own = candidates.filter((each) => each.rate === rate);
    const counts = own.map(({ refused }) => refused);
    const namesAt = (count: number): readonly string[] =>
      own.filter(({ refused }) => refused === count).map(({ algorithm }) => algorithm!);
    const found = [namesAt(Math.min(...counts)), namesAt(Math.max(...counts))] as const;
    return new Set(counts).size === 1 ? [] : [{ rate, found, name: JSON.stringify(found) }];
  });
  expect(at === undefined).toBe(new Set(ends.map(({ name }) => name)).size === 1);
  if (at !== undefined) expect(Number(at)).toBe(ends[0]!.rate);
  for (const [words, names] of [
    [least!, ends[0]!.found[0]],
    [most!, ends[0]!.found[1]],
  ] as const)
    if (!/^\d/.test(words))
      for (const name of names)
        expect(words).toContain(limiterWords({ algorithm: name, profile: null }));
}

/** What each sentence claims, computed again from the rows. */
const CLAIMS: Readonly<Record<string, Claim>> = {
  refused: (text, facts) => {
    const counts = facts.candidates.map(({ refused }) => refused);
    const limits = new Set(facts.candidates.map(({ limit }) => limit));
    expect(text).toContain(wordsOf(Math.max(...counts)));
    if (limits.size === 1) expect(text).toContain(wordsOf(Math.min(...counts)));
    if (Math.max(...counts) > 0 && limits.size <= 4)
      expect(text).toContain(percent(Math.max(...counts) / facts.requests));
    const isRange = [...limits].some((limit) => {
      const own = facts.candidates.filter((each) => each.limit === limit);
      return new Set(own.map(({ refused }) => refused)).size > 1;
    });
    expect(text.startsWith("Depending on the algorithm, ")).toBe(limits.size > 1 && isRange);
    if (limits.size > 1 && isRange) checkEnds(text, facts);
    const only = / least, [^,]*, all of client (\S+), and /.exec(text)?.[1];
    if (only !== undefined)
      for (const { refused, clients } of facts.candidates)
        if (refused === Math.min(...counts))
          expect(clients.map((each) => each.client)).toEqual([only]);
    const isWhole = facts.clients > 1 && facts.key !== "none" && namesOfRefused(facts).size === 1;
    expect(text.includes("no other client is refused")).toBe(isWhole);
    if (isWhole) expect(text).toContain(`all of client ${[...namesOfRefused(facts)][0]!} (`);
    checkMostLoss(text, facts, isWhole);
  },
  clients: (text, { candidates, clients }) => {
    const counts = candidates.map((each) => each.clients.length);
    expect(text).toContain(`${thousands(clients)} clients`);
    for (const count of [Math.min(...counts), Math.max(...counts)])
      expect(text).toContain(wordsOf(count));
  },
  leader: (text, facts) => {
    const name = /^Client (\S+) is/.exec(text)![1]!;
    const shares = hurt(facts).map(
      ({ clients, refused }) => clients.find(({ client }) => client === name)!.refused / refused,
    );
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.5);
    expect(text).toContain(percent(Math.min(...shares)));
    expect(text).toContain(percent(Math.max(...shares)));
  },
  common: (text, facts) => {
    const all = [...namesOfRefused(facts)].filter((name) =>
      hurt(facts).every(({ clients }) => clients.some(({ client }) => client === name)),
    );
    for (const name of all.slice(0, 3)) expect(text).toContain(name);
    expect(all).not.toEqual([]);
    expect(text.includes("by all of them")).toBe(hurt(facts).length === facts.candidates.length);
  },
  fewest: (text, { candidates: [only] }) => {
    const { clients, refused } = only!;
    const named = clients.filter(({ client }) => new RegExp(`\\b${client}\\b(?!\\d)`).test(text));
    const sum = named.reduce((total, each) => total + each.refused, 0);
    if (named.length === 0) expect(text).toMatch(/of \d+ of these clients/);
    else if (text.startsWith("The refused")) expect(named).toHaveLength(clients.length);
    else {
      expect(sum).toBeGreaterThanOrEqual(0.9 * refused);
      expect(sum - named.at(-1)!.refused).toBeLessThan(0.9 * refused);
      expect(text).toContain(percent(sum / refused));
    }
  },
  counted: (text, { candidates }) => {
    const rate = Number(/At ([\d,]+) /.exec(text)![1]);
    const of = (name: string): number =>
      candidates.find((each) => each.algorithm === name && each.rate === rate)!.refused;
    expect(text).toContain(` ${thousands(of("sliding_log") - of(FREE_LOG))} more`);
  },
  seconds: (text, { candidates }) => {
    const spreads = candidates.map(({ placements }) => {
      const counts = placements.map(({ refused }) => refused);
      return { least: Math.min(...counts), most: Math.max(...counts) };
    });
    const widest = Math.max(...spreads.map(({ least, most }) => most - least));
    const [, least, most] = / refuses (\d+) to (\d+)/.exec(text) ?? [null, "0", "0"];
    expect(Number(most) - Number(least)).toBe(widest);
    if (widest > 0) expect(spreads).toContainEqual({ least: Number(least), most: Number(most) });
  },
  delayed: (text, { candidates }) => {
    const longest = Math.max(...candidates.map(({ longestDelayUs }) => longestDelayUs));
    expect(text).toContain(`the longest ${seconds(longest)}`);
  },
  retries: (text, { candidates }) => {
    const rows = candidates.flatMap(({ retries }) =>
      retries === null || retries.refusedAttempts === 0 ? [] : retries,
    );
    const sorted = rows.map(({ gaveUp }) => gaveUp).toSorted((a, b) => a - b);
    const [least, most] = [sorted[0]!, sorted.at(-1)!];
    const [, given, other = given] = /later and (\S+) given up(?:.*, \S+ and (\S+) with)?/.exec(
      text,
    )!;
    expect([given, other]).toEqual([wordsOf(least), wordsOf(most)]);
  },
  ...PRICE_CLAIMS,
  crowded: (text, { candidates }) => {
    const [first, more] = /(\S+) requests? (?:is|are) refused at first, (\S+) more/
      .exec(text)!
      .slice(1);
    const found = candidates.map(({ refused, retries }) => {
      const all = retries === null ? 0 : retries.admittedLater + retries.gaveUp;
      return [all, Math.max(0, all - refused)] as const;
    });
    expect(found.map((each) => each.map(thousands))).toContainEqual([first, more]);
    expect(more).toBe(thousands(Math.max(...found.map((each) => each[1]))));
  },
};

test("each sentence claims what the rows of the result have, for random logs", async () => {
  const seen = new Map(Object.keys(CLAIMS).map((id) => [id, 0]));
  // Random logs seldom have a client of all limits without a main one; a test of its own has them.
  const often = (): number =>
    Math.min(...[...seen].flatMap(([id, count]) => (id === "common" ? [] : [count])));
  await holdsUntil(
    5,
    often,
    fc.property(setups, (setup) => {
      const facts = resultOf(setup);
      const answer = answerReplay(facts);
      expect(answer[0]!.id).toBe("refused");
      for (const { id, text } of answer) {
        CLAIMS[id]!(text, facts);
        expect(text).not.toMatch(/NaN|undefined|null|Infinity|(?<![\d,])1 (clients|requests)\b/);
        seen.set(id, seen.get(id)! + 1);
      }
    }),
    60,
  );
});

const at = (second: number, client: number): SentRequest => ({
  atUs: Date.UTC(2026, 0, 5, 10) * 1000 + second * 1_000_000,
  client,
});
const one = (requests: readonly SentRequest[], more: Partial<Setup> = {}): UnansweredReplay =>
  resultOf({
    requests,
    candidates: [ofAlgorithm("fixed_window", 2, 60)],
    isWholeSeconds: false,
    key: "ip",
    retries: null,
    units: null,
    ...more,
  });
/** Without the price, which replay-price.test.ts has. */
const textsOf = (facts: UnansweredReplay): readonly string[] =>
  answerReplay(facts).flatMap(({ id, text }) => (id === "price" || id === "kept" ? [] : [text]));
const textOf = (id: string, facts: UnansweredReplay): string | undefined =>
  answerReplay(facts).find((each) => each.id === id)?.text;

const SCRAPER = [0, 1, 2, 3, 4].map((second) => at(second, 1));

test("the client that has all refusals is named only while no other client is refused", () => {
  const alone = one([...SCRAPER, at(5, 2)]);
  expect(textsOf(alone)).toEqual([
    "2 per minute by a fixed window refuses 3 of 6 requests (50.0 %), all of client 192.0.2.1 (60.0 % of its requests); no other client is refused.",
  ]);
  const both = one([...SCRAPER, at(5, 2), at(6, 2), at(7, 2)]);
  expect(textsOf(both)).toEqual([
    "2 per minute by a fixed window refuses 4 of 8 requests (50.0 %), of 2 of 2 clients; 192.0.2.1 loses most, 3 of its 5 (60.0 %).",
    "The refused clients are 192.0.2.1 and 192.0.2.2.",
  ]);
  expect(textsOf(one(SCRAPER))).toEqual([
    "2 per minute by a fixed window refuses 3 of 5 requests (60.0 %).",
  ]);
  expect(textsOf(one(SCRAPER.slice(0, 2)))).toEqual([
    "2 per minute by a fixed window refuses none of the 2 requests.",
  ]);
  expect(textsOf(one([]))).toEqual(["No request was replayed."]);
});

test("candidates are compared only where something separates them", () => {
  const names = ["fixed_window", "sliding_log", FREE_LOG];
  const candidates = names.map((name) => ofAlgorithm(name, 2, 3));
  const apart = one([...SCRAPER, at(5, 2)], { candidates });
  expect(textsOf(apart)).toEqual([
    "At 2 per 3 seconds a fixed window and a log that does not count refusals refuse least, 1 of 6 requests (16.7 %), and a sliding log most, 3 (50.0 %), all of client 192.0.2.1 (20.0 % to 60.0 % of its requests); no other client is refused.",
    "At 2 per 3 seconds a sliding log refuses 2 more requests only because it also counts refusals.",
  ]);
  const alike = one(SCRAPER.slice(0, 3), { candidates });
  expect(textsOf(alike)).toEqual([
    "2 per 3 seconds refuses 1 of 3 requests (33.3 %), whichever of the 3 candidates decides.",
  ]);
});

test("a client is the main reason while it has half of the refusals of every candidate", () => {
  const requests = [...SCRAPER, at(5, 2), at(6, 2), at(7, 2)];
  const candidates = ["fixed_window", "token_bucket"].map((name) => ofAlgorithm(name, 2, 60));
  const facts = one(requests, { candidates });
  expect(textOf("leader", facts)).toBe(
    "Client 192.0.2.1 is the main reason: 75.0 % of the refusals of each candidate are its own.",
  );
  const [first, second] = facts.candidates;
  const [main, other] = second!.clients;
  const withMain = (refused: number) => ({
    ...facts,
    candidates: [first!, { ...second!, refused: 20, clients: [{ ...main!, refused }, other!] }],
  });
  expect(textOf("leader", withMain(10))).toContain("50.0 % to 75.0 %");
  expect(textOf("leader", withMain(9))).toBeUndefined();
});

test("the only client that the mildest algorithm refuses is named with its count", () => {
  const requests = [...SCRAPER, ...[0, 59, 61, 62].map((second) => at(second, 2))];
  const facts = one(requests, {
    candidates: [ofAlgorithm("fixed_window", 2, 60), ofAlgorithm("sliding_log", 2, 60)],
  });
  expect(textsOf(facts)[0]).toMatch(
    /^At 2 per minute a fixed window refuses least, .*, all of client 192\.0\.2\.1, and a sliding log most, /,
  );
});

test("clients that every limit refuses are named if no client has most of the refusals", () => {
  const requests = [0, 1, 2, 3, 4].flatMap((second) =>
    [1, 2, 3].map((client) => at(second, client)),
  );
  const common = (...rates: readonly number[]): string | undefined =>
    textOf(
      "common",
      one(requests, { candidates: rates.map((rate) => ofAlgorithm("fixed_window", rate, 60)) }),
    );
  const names = "Clients 192.0.2.1, 192.0.2.2 and 192.0.2.3 are refused by";
  expect(common(1, 2)).toBe(`${names} all of them.`);
  expect(common(1, 2, 9)).toBe(`${names} all that refuse any request.`);
  expect(common(1)).toBeUndefined();
});

test("limits are compared, and the one that refuses nothing is named", () => {
  const candidates = [1, 3, 9].map((rate) => ofAlgorithm("fixed_window", rate, 60));
  const facts = one([...SCRAPER, at(5, 2), at(6, 2)], { candidates });
  expect(textsOf(facts).slice(0, 2)).toEqual([
    "1 per minute refuses 5 of 7 requests (71.4 %), 3 per minute 2 (28.6 %) and 9 per minute none; 192.0.2.1 loses most, 2 to 4 of its 5 (40.0 % to 80.0 %).",
    "1 per minute refuses 2 of 2 clients, 3 per minute 1 and 9 per minute none.",
  ]);
});

const LOG = {
  file: "a.log",
  format: "combined",
  lines: 5,
  requests: 5,
  unreadable: 0,
  unreadableExamples: [],
  withoutKey: 0,
  withoutEndpoint: 0,
  notSelected: 0,
  takesDurationOff: false,
  hasDurations: true,
  withoutDuration: 0,
  withoutCost: 0,
  roundedCosts: 0,
  absentFields: [],
  cut: null,
};

test("the next command is named only if the result has all that is to be typed", () => {
  const facts = { ...one(SCRAPER), logs: [LOG] };
  const start =
    "Search the smallest limit that refuses almost nothing: weir recommend a.log --per 1m";
  expect(textOf("next", facts)).toBe(start);
  expect(textOf("next", { ...facts, key: "header:X-Api-Key" })).toBe(
    `${start} --key header:X-Api-Key`,
  );
  for (const log of [
    { ...LOG, file: "-" },
    { ...LOG, format: "log_format" },
    { ...LOG, notSelected: 1 },
  ])
    expect(textOf("next", { ...facts, logs: [log] })).toBeUndefined();
  expect(textOf("next", { ...facts, logs: [LOG, LOG] })).toBeUndefined();
});

test("a cost that is charged at the end without durations is a reservation", () => {
  const cost = { field: "field:tokens", charge: "after" } as const;
  const facts = { ...one(SCRAPER), cost, logs: [{ ...LOG, hasDurations: false }] };
  expect(textOf("durations", facts)).toMatch(/is missing: the log has no durations/);
  expect(textOf("durations", { ...facts, logs: [LOG] })).toBeUndefined();
  const before = { ...facts, cost: { ...cost, charge: "before" as const } };
  expect(textOf("durations", before)).toBeUndefined();
});

test("requests that a world rejects before any limit have a sentence of their own", () => {
  const facts = one(SCRAPER);
  const world = { ...facts.candidates[0]!, world: "w.yaml", limit: null, rate: null, perUs: null };
  const rejecting = { ...facts, candidates: [{ ...world, rejected: 1 }] };
  expect(textOf("rejected", rejecting)).toMatch(/^w\.yaml rejects 1 of 5 requests \(20\.0 %\)/);
  expect(textOf("rejected", { ...facts, candidates: [world] })).toBeUndefined();
});

test("retries push others out only if more requests are refused at first with them", () => {
  const endsAt = (last: number): UnansweredReplay =>
    one(
      [0, 1, 2, last].map((second) => at(second, 1)),
      { retries: "retry-after" },
    );
  expect(textOf("crowded", endsAt(3))).toBeUndefined();
  const facts = one(
    [0, 1, 2, 3, 61, 62].map((second) => at(second, 1)),
    { retries: "retry-after" },
  );
  expect(textOf("crowded", facts)).toBe(
    "The retries push others out: 4 requests are refused at first, 2 more than without retries.",
  );
});
