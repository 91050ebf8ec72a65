// The answer of weir diff: each sentence changes or vanishes with its premise, and agrees with the rows.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ConfigurationSide } from "#src/studies/replay/configuration-side.ts";
import { answerDiff } from "#src/show/answers/diff.ts";
import type { DiffRow, UnansweredDiff } from "#src/studies/diff/result.ts";
import { percent, thousands } from "#src/kit/reading/legible.ts";
import { holdsUntil } from "../../runs.ts";
import { facts, requests, sentence, without } from "./diff-premises.ts";
import { diffOf, randomLog, randomPair, rulesOf } from "../../studies/diff/requests.ts";

const row = (name: string, counts: Partial<DiffRow>): DiffRow => ({
  name,
  requests: 10,
  refusedBefore: 0,
  refusedAfter: 0,
  lost: 0,
  gained: 0,
  ...counts,
});

test("the first sentence names the clients that lose, and their shares", () => {
  expect(sentence(facts, "change")).toBe(
    "1 client would lose 33.3 % of its requests: 192.0.2.1; none would gain one.",
  );
  expect(sentence(without, "change")).toBe(
    "Nothing changes: both decide all 9 requests of the log alike.",
  );
  expect(sentence({ ...without, requests: 0 }, "change")).toBe("The log has no request to decide.");
  const gained = {
    ...without,
    gained: 4,
    gainers: 2,
    gainedOnBalance: 4,
    changedClients: [row("a", { gained: 4 })],
  };
  expect(sentence(gained, "change")).toBe(
    "No client would be refused more; 2 would gain 4 requests.",
  );
  const exchanged = { ...without, lost: 2, gained: 2 };
  expect(sentence(exchanged, "change")).toBe(
    "No client would be refused more or less: 2 other requests are refused, and as many pass instead.",
  );
  expect(sentence(exchanged, "exchanged")).toBeUndefined();
  const many = {
    ...facts,
    losers: 9,
    lost: 23,
    lostOnBalance: 20,
    changedClients: [row("a", { lost: 5 }), row("b", { lost: 4 })],
  };
  expect(sentence(many, "change")).toBe(
    "9 clients would lose 20 requests, most of all a (50.0 % of its own); none would gain one.",
  );
  expect(sentence(many, "exchanged")).toBe(
    "Another 3 requests are refused, and as many of the same clients pass in their place.",
  );
  expect(sentence({ ...many, lost: 20 }, "exchanged")).toBeUndefined();
});

test("a client's name that a log has made sly is on one line", () => {
  const sly = { ...facts, changedClients: [row("a\n::error::b\u202E", { lost: 3 })] };
  expect(sentence(sly, "change")).not.toMatch(/\n|\u202E/);
});

test("the second sentence has both totals, and none of an empty log", () => {
  expect(sentence(facts, "total")).toBe(
    "Of 9 requests 3 are refused before (33.3 %) and 6 after (66.7 %).",
  );
  expect(sentence({ ...facts, requests: 0 }, "total")).toBeUndefined();
});

test("the place is the endpoint that loses most, and vanishes if none loses", () => {
  expect(sentence(facts, "place")).toBe("All 3 lost requests are GET /1.");
  expect(sentence({ ...facts, lost: 7 }, "place")).toBe("3 of the 7 lost requests are GET /1.");
  expect(sentence({ ...facts, lost: 31 }, "place")).toBeUndefined();
  const one = [row("GET /x", { lost: 1 })];
  expect(sentence({ ...facts, lost: 1, changedEndpoints: one }, "place")).toBe(
    "The lost request is GET /x.",
  );
  expect(
    sentence({ ...facts, changedEndpoints: [row("GET /x", { gained: 1 })] }, "place"),
  ).toBeUndefined();
});

test("the cause is the statements that differ, with the old numbers of changed ones", () => {
  const [first] = facts.changes;
  expect(sentence(facts, "cause")).toBe(
    "3 statements about limits differ: burst=5 became burst=2 (nginx-1.conf:3), burst=5 became burst=2 (nginx-1.conf:3) and limit_conn a 1 is new (nginx-1.conf:3).",
  );
  const changes = [{ file: "k.yaml", line: 8, text: "minute: 30", was: "minute: 60" }];
  expect(sentence({ ...facts, changes }, "cause")).toBe(
    "One statement about limits differs: minute: 60 became 30 (k.yaml:8).",
  );
  const rates = diffOf({ before: rulesOf(1, 5), after: rulesOf(2, 5) }, requests);
  expect(rates.changes.map(({ was }) => was)).toEqual([
    "limit_req_zone $remote_addr zone=all:1m rate=1r/s",
    "limit_req_zone everyone zone=one:1m rate=2r/s",
  ]);
  const alone = { ...facts, changes: [{ file: "nginx-1.conf", line: 3, text: first!.text }] };
  expect(sentence(alone, "cause")).toBe(
    `One statement about limits is new: ${first!.text} (nginx-1.conf:3).`,
  );
  expect(sentence({ ...without, changes: [first!] }, "cause")).toBeUndefined();
  expect(sentence({ ...alone, before: { ...facts.before, rules: [] } }, "cause")).toBeUndefined();
});

test("times within a second are named where the log has none and something changes", () => {
  expect(sentence(facts, "times")).toBeUndefined();
  const whole = { ...facts, timestamps: "whole seconds" } as const;
  expect(sentence(whole, "times")).toMatch(/^The log has whole seconds: /);
  expect(sentence({ ...whole, lost: 0, gained: 0 }, "times")).toBeUndefined();
});

test("requests that are of no log are named, and no sentence speaks of a log then", () => {
  expect(sentence(facts, "traffic")).toBeUndefined();
  const planned = { ...without, traffic: { scenario: null, about: "5 clients.", withoutKey: 0 } };
  expect(sentence(planned, "traffic")).toBe(
    "The requests are described, not logged: a log shows what your clients send.",
  );
  expect(sentence(planned, "change")).toMatch(/ requests of the traffic alike\.$/);
  const ofScenario = { scenario: "a.yaml", about: "Title.", withoutKey: 1 };
  expect(sentence({ ...planned, traffic: ofScenario }, "traffic")).toBe(
    "The requests are those of the scenario a.yaml, not logged; 1 request without a key is left out: a log shows what your clients send.",
  );
  expect(sentence({ ...planned, requests: 0 }, "change")).toBe(
    "The traffic has no request to decide.",
  );
});

test("a sentence has what may be wrong, the same in both files once", () => {
  const open = facts.after.open;
  expect(open).toHaveLength(1);
  expect(sentence(facts, "doubt")).toBe(
    "This may be wrong: limit_conn a 1 (nginx-1.conf:3) is not understood: it limits connections at the same time, which this reader does not read.",
  );
  const second = { ...open[0]!, text: "limit_conn b 1" };
  expect(sentence({ ...facts, after: { ...facts.after, open: [...open, second] } }, "doubt")).toBe(
    "This may be wrong: 2 statements are not understood; they are listed below.",
  );
  // It concerns limits that count requests, so that the first sentence may be wrong.
  expect(answerDiff(facts)[1]!.id).toBe("doubt");
  const uncounted = {
    ...facts,
    before: { ...facts.before, open: [] },
    after: { ...facts.after, rules: [] },
  };
  expect(answerDiff(uncounted).at(-1)!.id).toBe("doubt");
  const both = { ...facts, before: { ...facts.before, open } };
  expect(sentence(both, "doubt")).toBe(sentence(facts, "doubt"));
  const ofBefore = { ...both, after: { ...facts.after, open: [] } };
  expect(sentence(ofBefore, "doubt")).toBe(sentence(facts, "doubt"));
  const withQuestion = (isSet: boolean): UnansweredDiff => ({
    ...facts,
    after: { ...facts.after, open: [], questions: [{ name: "plan", value: "", isSet }] },
  });
  expect(sentence(withQuestion(false), "doubt")).toMatch(/1 value is taken for granted/);
  expect(sentence(withQuestion(true), "doubt")).toBeUndefined();
});

const windowOf = (client: readonly [number, number], all: readonly [number, number]) => {
  const side = (which: 0 | 1): UnansweredDiff["windows"][number]["before"] => ({
    mostOfClient: client[which],
    client: "192.0.2.1",
    at: "2026-01-05T10:00:00Z",
    mostOfAll: all[which],
  });
  return { perUs: 60_000_000, before: side(0), after: side(1) };
};

test("the most that is admitted is of the window that changes most, and vanishes if none does", () => {
  const windows = [windowOf([9, 9], [9, 9]), windowOf([9, 3], [20, 14]), windowOf([9, 8], [90, 8])];
  expect(sentence({ ...facts, windows }, "most")).toBe(
    "In any one minute client 192.0.2.1 gets at most 9 requests through before and 3 after, all clients together 20 and 14.",
  );
  expect(sentence({ ...facts, windows: [windowOf([9, 9], [20, 14])] }, "most")).toBe(
    "In any one minute all clients together get at most 20 requests through before and 14 after; the most of one client stays 9.",
  );
  expect(sentence({ ...facts, windows: windows.slice(0, 1) }, "most")).toBeUndefined();
  const other = windowOf([9, 3], [20, 14]);
  const changedClient = { ...other, after: { ...other.after, client: "b" } };
  expect(sentence({ ...facts, windows: [changedClient] }, "most")).toMatch(/ one client gets /);
});

test("the worst case is that of the one limit that changed, and vanishes if several did", () => {
  const worstRow = (side: "before" | "after", most: number | null, limit = "1r/s") => ({
    side,
    rule: "zone a",
    limit,
    perUs: 1_000_000,
    most,
  });
  const same = [worstRow("before", 5, "9r/s"), worstRow("after", 5, "9r/s")];
  const worst = (...rows: UnansweredDiff["worst"]): string | undefined =>
    sentence({ ...facts, worst: [...same, ...rows] }, "worst");
  expect(worst(worstRow("before", 7), worstRow("after", 3))).toBe(
    "At worst the changed limit lets a sender get 7 before and 3 after in any second.",
  );
  expect(worst(worstRow("before", 7), worstRow("after", 7, "2r/s"))).toMatch(
    / get 7 in any second, as before\.$/,
  );
  const inMinute = { ...worstRow("after", 3), perUs: 60_000_000 };
  expect(worst(worstRow("before", 7), inMinute)).toBeUndefined();
  expect(worst()).toBeUndefined();
  expect(worst(worstRow("before", 7), worstRow("after", null))).toBeUndefined();
  expect(worst(worstRow("before", 7), worstRow("after", 3), worstRow("after", 4))).toBeUndefined();
});

test("another status or other headers of refusals are named", () => {
  const refusal = { statuses: [503], headers: ["off"] } as const;
  const other = { statuses: [429], headers: ["legacy"] } as const;
  const of = (refusals: UnansweredDiff["refusals"]): string | undefined =>
    sentence({ ...facts, refusals }, "refusals");
  expect(of({ before: refusal, after: other })).toBe(
    "Refusals look different to clients: status 429 after, status 503 before; X-RateLimit headers after, no rate limit headers before.",
  );
  expect(of({ before: refusal, after: { ...refusal, statuses: [429] } })).toBe(
    "Refusals look different to clients: status 429 after, status 503 before.",
  );
  expect(of({ before: refusal, after: refusal })).toBeUndefined();
  expect(of({ before: null, after: other })).toBeUndefined();
});

/** What each sentence claims, computed from the rows of the document by other code. */
const CLAIMS: Readonly<Record<string, (text: string, facts: UnansweredDiff) => void>> = {
  change: (text, { changedClients: rows, requests: all }) => {
    const loss = ({ refusedBefore, refusedAfter }: DiffRow): number => refusedAfter - refusedBefore;
    const losing = rows.filter((each) => loss(each) > 0);
    const gaining = rows.filter((each) => loss(each) < 0);
    if (rows.length > 0 && losing.length + gaining.length === 0) {
      expect(text).toMatch(/^No client would be refused more or less: /);
      return;
    }
    if (rows.length === 0) expect(text).toContain(`all ${all} requests of the log alike`);
    else if (losing.length === 0) expect(text).toMatch(/^No client would be refused more;/);
    else if (losing.length <= 3) {
      expect(text).toMatch(new RegExp(`^${losing.length} clients? would lose `));
      for (const each of losing) {
        expect(text).toContain(each.name);
        expect(text).toContain(percent(loss(each) / each.requests));
      }
    } else {
      const total = losing.reduce((sum, each) => sum + loss(each), 0);
      const worst = losing.toSorted((a, b) => loss(b) - loss(a))[0]!;
      expect(text).toContain(`${losing.length} clients would lose ${thousands(total)} requests`);
      expect(text).toContain(`(${percent(loss(worst) / worst.requests)} of its own)`);
    }
    const total = gaining.reduce((sum, each) => sum - loss(each), 0);
    if (gaining.length > 0) expect(text).toContain(`; ${gaining.length} would gain ${total}`);
    else if (rows.length > 0) expect(text).toMatch(/; none would gain one\.$/);
  },
  total: (text, { refusedBefore, refusedAfter, lost, gained }) => {
    const [, before, after] = /requests ([\d,]+) (?:is|are) refused .* and ([\d,]+) after/.exec(
      text,
    )!;
    expect([Number(before), Number(after)]).toEqual([refusedBefore, refusedAfter]);
    expect(Number(after) - Number(before)).toBe(lost - gained);
  },
  exchanged: (text, { changedClients: rows }) => {
    const exchanged = rows.reduce((sum, { lost, gained }) => sum + Math.min(lost, gained), 0);
    expect(text).toMatch(new RegExp(`^Another ${exchanged} requests? `));
  },
  place: (text, { changedEndpoints: rows }) => {
    const total = rows.reduce((sum, { lost }) => sum + lost, 0);
    const most = Math.max(...rows.map(({ lost }) => lost));
    const named = rows.find(({ name }) => text.includes(name))!;
    expect(named.lost).toBe(most);
    if (text.startsWith("All ")) expect(most).toBe(total);
    else if (!text.startsWith("The lost")) expect(text).toContain(`${most} of the ${total} lost`);
  },
  cause: (text, { changes }) => {
    if (changes.length > 1) expect(text).toMatch(new RegExp(`^${changes.length} statements `));
    else expect(text).toMatch(/^One statement /);
    expect(text).toContain(changes[0]!.text.split(" ").at(-1));
  },
  most: (text, { windows }) => {
    const numbers = [...text.matchAll(/(?<= )\d+(?= |,|\.)/g)].map(([number]) => Number(number));
    const isStated = windows.some(({ before, after }) => {
      const ofClients = [before.mostOfClient, after.mostOfClient];
      const ofAll = [before.mostOfAll, after.mostOfAll];
      const stated = text.includes(" stays ") ? [...ofAll, ofClients[1]] : [...ofClients, ...ofAll];
      return stated.every((each) => numbers.includes(each!));
    });
    expect(isStated).toBe(true);
  },
  worst: (text, { worst }) => {
    const most = worst.map((each) => each.most);
    const [, first] = / get (\d+) /.exec(text)!;
    expect(most).toContain(Number(first));
    expect(new Set(worst.map(({ side }) => side)).size).toBe(2);
  },
  refusals: (text, { refusals }) => {
    expect(text).toContain("429");
    expect(refusals.before!.statuses).not.toEqual(refusals.after!.statuses);
  },
  unused: (text, { before, after }) => {
    const [, unused] = /^(\d+) limit/.exec(text)!;
    const limiting = [before, after].filter(({ rules }) => rules.some((rule) => rule.counted > 0));
    const ids = limiting.flatMap(({ rules }) =>
      rules.flatMap(({ rule, counted }) => (counted > 0 ? [] : [rule])),
    );
    expect(new Set(ids).size).toBe(Number(unused));
  },
  limiters: (text, { before, after }) => {
    for (const { limiter } of [before, after].filter(({ kind }) => kind === "limit"))
      expect(text).toContain(` of ${limiter!.rate} per `);
  },
  nothing: (text, { before, after }) => {
    const isIdle = ({ rules }: ConfigurationSide): boolean =>
      rules.length > 0 && rules.every(({ counted }) => counted === 0);
    expect(text.includes("The old configuration limits")).toBe(isIdle(before));
    expect(/the new configuration limits/i.test(text)).toBe(isIdle(after));
  },
  doubt: (text, { before, after }) => {
    expect(before.open.length + after.open.length).toBeGreaterThan(0);
    expect(text).toContain(" is not understood: "); // these files can have only one
  },
};

test("no sentence contradicts the rows of a random result", async () => {
  const seen = new Map<string, number>();
  const property = fc.property(randomPair, randomLog, (pair, log) => {
    const found = diffOf(pair, log);
    for (const { id, text } of answerDiff(found)) {
      CLAIMS[id]!(text, found);
      seen.set(id, (seen.get(id) ?? 0) + 1);
    }
  });
  await holdsUntil(
    3,
    () => Math.min(...Object.keys(CLAIMS).map((id) => seen.get(id) ?? 0)),
    property,
    80,
  );
  expect([...seen.keys()].toSorted()).toEqual(Object.keys(CLAIMS).toSorted());
});
