// The sentences of weir identify claim what its result has: of hidden limits of virtual time, known and unknown ones.
import { expect, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { SECOND } from "#src/kit/units.ts";
import { answerIdentify } from "#src/show/answers/identify.ts";
import type { ServerDecide } from "#src/studies/identify/hidden-server.ts";
import { drawHidden } from "#src/studies/identify/hidden.ts";
import { Identifier } from "#src/studies/identify/identify.ts";
import { INTERRUPTED, NO_REQUESTS, NO_TIME } from "#src/studies/identify/prober.ts";
import { PLAIN_LIMIT } from "#src/studies/identify/model.ts";
import { buildIdentifyResult, type UnansweredIdentify } from "#src/studies/identify/result.ts";
import type { ProbeTarget } from "#src/studies/identify/target.ts";
import { createVirtualTarget } from "#src/studies/identify/virtual-target.ts";
import { SEED } from "../../runs.ts";
import { createOwnServer } from "../../studies/identify/own-server.ts";

/** "5 per 2 s". */
const wordsOf = (numbers: string): string => numbers.replaceAll(/(\d)(us|ms|s)\b/g, "$1 $2");

const CAPS = { requests: 4_000, durationUs: 2 * 3_600 * SECOND };
const NETWORK = { oneWayUs: 2_000, jitterUs: 200, loss: 0, storeUs: 300, clockUs: 3_000 };
const BY_CREDENTIAL = { credential: true, address: false, path: false };

async function resultOf(target: ProbeTarget, caps = CAPS): Promise<UnansweredIdentify> {
  return buildIdentifyResult(
    "t",
    3,
    await new Identifier(target, caps, 3).identify(["credential"]),
    null,
  );
}

const ofServer = (createClient: () => ServerDecide): ProbeTarget =>
  createVirtualTarget(createOwnServer(createClient), BY_CREDENTIAL, NETWORK, rng(3, "answers"));

const BUCKET = { ...PLAIN_LIMIT, algorithm: "token_bucket", rate: 5, perUs: 2 * SECOND } as const;
const bucket = (): ProbeTarget =>
  createVirtualTarget(BUCKET, BY_CREDENTIAL, NETWORK, rng(3, "answers"));

/** A log of 7 in 3 s in which a refused request counts twice: no known behaviour. */
const createDoublingLog = (): ProbeTarget =>
  ofServer(() => {
    let times: number[] = [];
    return (atUs) => {
      times = times.filter((each) => each > atUs - 3 * SECOND);
      const isAdmitted = times.length < 7;
      times.push(atUs, ...(isAdmitted ? [] : [atUs]));
      return { isAdmitted, workUs: 0 };
    };
  });

const CLAIMS: Readonly<Record<string, (text: string, facts: UnansweredIdentify) => void>> = {
  "open-begin": (text, { left }) => expect(text).toContain(`admits ${left[0]!.capacity},`),
  decider: (text, { left }) => {
    for (const { windowsBegin } of left) expect(text).toContain(windowsBegin);
  },
  behaviour: (text, { identified, countedBy }) => {
    expect(text).toContain(`: ${wordsOf(identified!.numbers)}`);
    const counted = Object.entries(countedBy).flatMap(([aspect, is]) =>
      is === true ? aspect : [],
    );
    expect(text.includes(", for each")).toBe(counted.length > 0);
    for (const aspect of counted) expect(text).toContain(aspect);
  },
  alike: (text, { alike }) => {
    for (const { title } of alike) expect(text).toContain(title);
  },
  wait: (text, { announced }) => {
    const { refusals, waits, comparedWaits, tooShort, tooLong } = announced!;
    expect(text).toContain(`of ${refusals} refusal`);
    expect(text.startsWith("None")).toBe(waits === 0);
    expect(text.includes("is right")).toBe(comparedWaits > 0 && tooShort + tooLong === 0);
    if (text.includes("is right")) expect(text).toContain(`is right in ${comparedWaits} of`);
    expect(text.includes("compared")).toBe(comparedWaits < waits);
  },
  headers: (text, { announced, identified }) => {
    const { limits, remaining, reset } = announced!;
    const isWrong = limits.length > 0 && !limits.includes(identified!.capacity);
    expect(text.includes("Limit is")).toBe(isWrong);
    expect(text.includes("Remaining is wrong")).toBe(remaining.untrue > 0);
    expect(text.includes("Reset is wrong")).toBe(reset.untrue > 0);
  },
  profiles: (text, { identified }) => {
    const { length } = identified!.profiles;
    for (const name of identified!.profiles.slice(0, 3)) expect(text).toContain(name);
    const rest = / and (\d+) others\./.exec(text)?.[1];
    expect(Number(rest ?? 0)).toBe(length > 4 ? length - 3 : 0);
  },
  likely: (text, { left, seconds, why, requests }) => {
    const { capacity } = left[0]!;
    expect(text).toMatch(new RegExp(`^Probably ${capacity === 1 ? "one" : capacity} `));
    expect(text.includes(`: ${Math.round(seconds)} s were too short.`)).toBe(
      why === NO_TIME || why.startsWith("refused"),
    );
    expect(text.includes(`: ${requests} requests were too few.`)).toBe(why === NO_REQUESTS);
  },
  busy: (text, { lateUs }) => {
    expect(lateUs).toBeGreaterThan(0);
    expect(text).toContain(`more than ${lateUs / 1_000} ms late`);
  },
  seen: (text, { seen, why, requests, identified }) => {
    expect(identified).toBeNull();
    const short = why === NO_REQUESTS ? `${requests} requests were too few` : why;
    if (why !== NO_TIME) expect(text).toContain(short);
    expect(text).toContain(seen.split("; then ")[0]!);
  },
  closest: (text, { closest, requests }) => {
    const [first, second] = closest;
    expect(text).toContain(
      `${wordsOf(first!.numbers)}: it differs in ${first!.differing} of ${requests}`,
    );
    expect(second === undefined || second.differing >= first!.differing).toBe(true);
    expect(closest.every(({ differing }) => differing <= requests)).toBe(true);
  },
  left: (text, { left }) => {
    if (left.length > 1) expect(text).toContain(`known behaviours ${left.length} still fit`);
    else expect(text).toContain(wordsOf(left[0]!.numbers));
  },
  next: (text, { identified, left, why, saved }) => {
    expect(identified).toBeNull();
    expect(/[Ll]arger caps/.test(text)).toBe(
      left.length > 0 || /^(no time|too few|it was interrupted)/.test(why),
    );
    expect(text.includes("has what was sent")).toBe(saved !== null);
    expect(text).toContain(saved ?? "");
  },
  algorithms: (text, { identified }) => {
    const names = identified!.algorithms.map((name) => name.split("_").at(-1)!);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(text.toLowerCase()).toContain(name);
  },
};

function checkClaims(facts: UnansweredIdentify): readonly string[] {
  const answer = answerIdentify(facts);
  for (const { id, text } of answer) {
    CLAIMS[id]!(text, facts);
    expect(text).not.toMatch(/NaN|undefined|null|Infinity|\b1 responses\b/);
  }
  return answer.map(({ text }) => text);
}

test("a named limit is one sentence with its numbers, and its waits are compared", async () => {
  const facts = await resultOf(bucket());
  const [first, ...others] = checkClaims(facts);
  expect(first).toBe(
    "It is a token bucket that refills steadily: 5 at once, and one more every 400 ms, for each credential.",
  );
  expect(others[0]).toBe("Of Weir's algorithms a token bucket and GCRA decide in that way.");
  const one = { ...facts.identified!, algorithms: ["leaky_bucket without a queue"] };
  expect(checkClaims({ ...facts, identified: one })[1]).toBe(
    "Of Weir's algorithms a leaky bucket without a queue decides in that way.",
  );
  const unknown = { ...one, algorithms: [] };
  expect(checkClaims({ ...facts, identified: unknown }).join(" ")).not.toContain("Of Weir's");
  expect(others.join(" ")).toMatch(/It behaves as .* and \d+ others/);
  const announced = {
    refusals: 9,
    waits: 9,
    comparedWaits: 9,
    tooShort: 0,
    tooLong: 0,
    limits: [5],
  };
  const none = { present: 0, compared: 0, untrue: 0 };
  const ofWaits = (change: Partial<typeof announced>) =>
    checkClaims({
      ...facts,
      countedBy: { credential: false, address: null, path: null },
      announced: { ...announced, remaining: none, reset: none, ...change },
    });
  expect(ofWaits({})).toContain("Retry-After is right in 9 of 9 refusals.");
  expect(ofWaits({})[0]).not.toContain("for each");
  expect(ofWaits({ tooShort: 2 }).join(" ")).toContain("refusals, and too short in 2.");
  expect(ofWaits({ comparedWaits: 7 })).toContain(
    "Retry-After is right in 7 of 9 refusals; 2 could not be compared.",
  );
  expect(ofWaits({ comparedWaits: 7, tooLong: 1 })).toContain(
    "Retry-After is in 9 of 9 refusals, and more than a second too long in 1; 2 could not be compared.",
  );
  expect(ofWaits({ comparedWaits: 0 })).toContain(
    "Retry-After is in 9 of 9 refusals; none could be compared.",
  );
  expect(ofWaits({ waits: 0, comparedWaits: 0 }).join(" ")).toContain(
    "None of 9 refusals has Retry-After",
  );
  expect(ofWaits({ limits: [10] })).toContain("Limit is 10, and 5 are admitted at once.");
});

test("a behaviour that no known one fits has what was seen, and the closest", async () => {
  const facts = await resultOf(createDoublingLog());
  expect(facts.identified).toBeNull();
  const texts = checkClaims(facts);
  expect(texts[0]).toMatch(
    /^Undecided: 7 requests admitted until one was refused, the next one [\d.]+ to [\d.]+ s later; no /,
  );
  expect(texts[1]).toMatch(/^Closest is a .*: it differs in \d+ of \d+ responses; then /);
  expect(facts.closest[0]!.differing).toBeGreaterThan(0);
  expect(facts.closest[0]!.differing).toBeLessThan(facts.requests / 4);
  expect(checkClaims({ ...facts, closest: [] }).join(" ")).not.toContain("Closest");
  expect(answerIdentify({ ...facts, lateUs: 190_000 })[0]!.text).toContain(
    " s later; no known behaviour fits, perhaps because this machine was too busy.",
  );
});

test("what caps leave undecided is listed", async () => {
  const facts = await resultOf(bucket(), { ...CAPS, requests: 40 });
  expect(facts.left.length).toBeGreaterThan(0);
  const texts = checkClaims(facts);
  expect(texts[0]).toMatch(/^Undecided: /);
  expect(texts.at(-1)).toBe("Larger caps (--requests, --max-duration) may decide it.");
  expect(checkClaims({ ...facts, saved: "a.yaml" }).at(-1)).toMatch(
    /^a\.yaml has what was sent and admitted, as a scenario; larger caps /,
  );
  const capped = { ...facts, left: [], why: "no time is left" };
  expect(checkClaims(capped).at(-1)).toMatch(/^Larger caps /);
  // The cap that helps is then in the reason.
  expect(
    checkClaims({ ...capped, why: "no limit was found within 9 requests" }).at(-1),
  ).not.toMatch(/caps/);
  expect(checkClaims({ ...capped, why: "the target does not respond" }).at(-1)).not.toContain(
    "caps",
  );
  const [only] = facts.left;
  const likely = { ...facts, left: [only!], why: NO_TIME, seconds: 149.6 };
  const of = (change: Partial<typeof only>, why = NO_TIME): string =>
    checkClaims({ ...likely, why, left: [{ ...only!, ...change }] })[0]!;
  const windows = {
    behaviour: "shifted_window",
    algorithms: ["fixed_window"],
    capacity: 10,
    spanUs: 3_062_000,
    rangeUs: [2_940_000, 3_180_000],
  } as const;
  expect(of(windows)).toBe(
    "Probably 10 per about 3 s in fixed windows, not confirmed: 150 s were too short.",
  );
  expect(
    of(
      { ...windows, rangeUs: null, spanUs: 3_000_000 },
      "refused, and not admitted again within 2s",
    ),
  ).toBe("Probably 10 per 3 s in fixed windows, not confirmed: 150 s were too short.");
  expect(of(windows, INTERRUPTED)).toContain("not confirmed: it was interrupted.");
  expect(
    of({
      behaviour: "bucket",
      algorithms: ["token_bucket"],
      capacity: 5,
      spanUs: 400_000,
      rangeUs: null,
    }),
  ).toBe(
    "Probably 5 at once and one more every 400 ms by a token bucket, not confirmed: 150 s were too short.",
  );
  expect(of(windows, "the target stopped responding")).toMatch(/^Undecided: /);
  expect(checkClaims({ ...likely, left: [only!, { ...only!, capacity: 99 }] })[0]).toMatch(
    /^Undecided: /,
  );
  const begins = ["window", "clock_window"].map((behaviour) => ({
    ...only!,
    ...windows,
    behaviour,
    windowsBegin: behaviour === "window" ? "with the first request" : "with the clock",
  }));
  const open = { ...likely, left: begins, why: "the target stopped responding" };
  expect(checkClaims(open).slice(0, 2)).toEqual([
    "By what was sent it is a fixed window of about 3 s that admits 10, its begin undecided: the target stopped responding.",
    "Windows may begin with the first request, or with the clock. To decide it, wait for more than two windows of about 3 s, use up the limit, and repeat a request: one that is admitted earlier than about 3 s after the first one shows a window that did not begin with it.",
  ]);
  const [first, second] = begins;
  expect(checkClaims({ ...open, left: [first!, { ...second!, capacity: 9 }] })[0]).toMatch(
    /^Undecided: /,
  );
  expect(checkClaims(likely)[1]).toMatch(/^The only known behaviour that still fits is /);
  expect(checkClaims({ ...likely, lateUs: 150_000 })[1]).toBe(
    "This machine was too busy for exact times: one request in ten was sent more than 150 ms late. Repeat it while nothing else runs.",
  );
  expect(checkClaims({ ...likely, lateUs: 2_000 }).join(" ")).not.toContain("busy");
});

test("hidden limits have answers that hold", async () => {
  for (let index = 0; index < 2; index++) {
    const random = rng(SEED, `answers/${index}`);
    const { configuration, server, countedBy, network } = drawHidden(random, "round");
    const target = createVirtualTarget(server ?? configuration, countedBy, network, random);
    const facts = await resultOf(target, { requests: 5_000, durationUs: 4 * 3_600 * SECOND });
    expect(checkClaims(facts).length).toBeGreaterThan(0);
  }
});
