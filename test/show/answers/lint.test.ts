// The sentences of weir lint claim what the verdicts and findings have, for random recordings.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { requireValue } from "#src/kit/reading/failure.ts";
import { answerLint } from "#src/show/answers/lint.ts";
import { parseRecorded } from "#src/studies/lint/recorded.ts";
import { buildResult, type UnansweredLint } from "#src/studies/lint/result.ts";
import { lintText } from "#src/studies/lint/text.ts";
import { holdsUntil } from "../../runs.ts";

interface Recorded {
  readonly afterS: number; // since the response before
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const START_MS = Date.UTC(2026, 0, 1);

function resultOf(recorded: readonly Recorded[]): UnansweredLint {
  let ms = START_MS;
  const lines = recorded.map(({ afterS, status, headers }) => {
    ms += afterS * 1000 + 20;
    const [sentAt, receivedAt] = [ms, ms + 10].map((each) => new Date(each).toISOString());
    const all = { Date: new Date(ms).toUTCString(), ...headers };
    return JSON.stringify({ sentAt, receivedAt, status, headers: all });
  });
  const exchanges = requireValue(parseRecorded("a.ndjson", lines.join("\n")));
  return buildResult("a.ndjson", "the file ends", exchanges);
}

/** A fixed window of 2 per 4 s, whose headers may be wrong, by a client that waits, or sends a second too early. */
interface Server {
  readonly waits: readonly number[];
  readonly retryAfter: string | null;
  readonly hasLegacy: boolean;
  readonly remaining: number; // how wrong Remaining is
}

const servers: fc.Arbitrary<Server> = fc.record({
  waits: fc.array(fc.constantFrom(0, 0, 0, 3, 4, 5), { minLength: 1, maxLength: 10 }),
  retryAfter: fc.constantFrom(null, "right", "right", "1", "2.5"),
  hasLegacy: fc.boolean(),
  remaining: fc.constantFrom(0, 0, 1),
});

function recordingOf({ waits, retryAfter, hasLegacy, remaining }: Server): readonly Recorded[] {
  let [at, start, used] = [0, -10, 0];
  return waits.map((afterS) => {
    at += afterS + 0.02;
    if (at >= start + 4) [start, used] = [at, 0];
    const isAdmitted = used < 2;
    if (isAdmitted) used++;
    const leftS = Math.ceil(start + 4 - at);
    return {
      afterS,
      status: isAdmitted ? 200 : 429,
      headers: {
        ...(hasLegacy && {
          "X-RateLimit-Limit": "2",
          "X-RateLimit-Remaining": String(2 - used + remaining),
          "X-RateLimit-Reset": String(leftS),
        }),
        ...(!isAdmitted &&
          retryAfter !== null && {
            "Retry-After": retryAfter === "right" ? String(leftS) : retryAfter,
          }),
      },
    };
  });
}

const WRONG: readonly string[] = ["invalid", "untrue", "inconsistent", "missing"];
const wrongIn = ({ dialects }: UnansweredLint) =>
  dialects.filter(({ verdict }) => WRONG.includes(verdict));
const shortOf = (title: string): string => title.split(/[ ,]/)[0]!;

const CLAIMS: Readonly<Record<string, (text: string, facts: UnansweredLint) => void>> = {
  trust: (text, facts) => {
    const [, trusted = ""] =
      /^Clients can (?:probably )?trust (.*?)(?: \(one test\))?(?:, but (?:not|none|the only) .*)?\.$/.exec(
        text,
      ) ?? [];
    const valid = facts.dialects.filter(({ verdict }) => verdict === "valid");
    expect(text.includes("probably")).toBe(valid.some(({ waits }) => waits.enough === 1));
    for (const { title, verdict } of facts.dialects)
      expect([title, trusted.includes(shortOf(title))]).toEqual([title, verdict === "valid"]);
    const untrue = wrongIn(facts).filter(({ verdict }) => verdict !== "missing");
    expect(/cannot trust|but not/.test(text)).toBe(untrue.length > 0);
    const [named = ""] = /cannot trust [^:]*|but not [^:]*/.exec(text) ?? [];
    expect(untrue.filter(({ title }) => named.includes(shortOf(title)))).toHaveLength(
      Math.min(1, untrue.length),
    );
    const lacks = /(?:none of (\d+) refusals has|only refusal has no) Retry-After/.exec(text);
    expect(lacks !== null).toBe(untrue.length < wrongIn(facts).length);
    if (lacks !== null) expect(Number(lacks[1] ?? 1)).toBe(facts.refused);
  },
  others: (text, facts) => {
    const own = wrongIn(facts).find(({ title }) =>
      text.startsWith(`Nor can they trust ${title}: `),
    )!;
    expect(own.findings.some(({ message }) => text.includes(`: ${message} (in `))).toBe(true);
    expect(answerLint(facts)[0]!.text).not.toContain(`trust ${own.title}`);
  },
  fix: (text, facts) => {
    const wrong = wrongIn(facts);
    const errors = wrong.flatMap(({ findings }) =>
      findings.filter(({ severity }) => severity === "error"),
    );
    expect(errors.some(({ fix }) => text.includes(fix))).toBe(true);
    expect(Number(/(\d+) more error/.exec(text)?.[1] ?? 0)).toBe(errors.length - 1);
    if (wrong.some(({ dialect }) => dialect === "retry-after"))
      expect(text).toMatch(/^Correct (Retry-After|the headers) first/);
  },
  wait: (text, { dialects }) => {
    const { waits, verdict } = dialects.find(({ dialect }) => dialect === "retry-after")!;
    expect(WRONG).not.toContain(verdict);
    expect(text).toContain(`(${waits.enough} test`);
    expect(text.includes("one second earlier")).toBe(waits.needed > 0);
  },
  limit: (text, { dialects, refused, mostBeforeRefusal }) => {
    expect(new Set(dialects.flatMap(({ limit }) => limit ?? []))).toEqual(new Set([2]));
    expect(text).toMatch(/advertises? a limit of 2/);
    expect(mostBeforeRefusal === null).toBe(refused === 0);
    const limited = dialects.filter(({ limit }) => limit !== null);
    const isShort = (mostBeforeRefusal ?? 2) < 2;
    for (const { verdict, open } of limited) {
      expect(open.some((why) => why.startsWith("the limit of 2 is not reached"))).toBe(isShort);
      if (isShort) expect(verdict).not.toBe("valid");
    }
  },
  open: (text, { dialects, refused }) => {
    if (text.startsWith("No request was refused")) expect(refused).toBe(0);
    else expect(dialects.some(({ open }) => open.some((why) => text.includes(why)))).toBe(true);
  },
};

test("each sentence claims what the verdicts have, for random recordings", async () => {
  const seen = new Map(Object.keys(CLAIMS).map((id) => [id, 0]));
  await holdsUntil(
    5,
    () => Math.min(...seen.values()),
    fc.property(servers, (server) => {
      const facts = resultOf(recordingOf(server));
      const answer = answerLint(facts);
      expect(answer[0]!.id).toBe("trust");
      for (const { id, text } of answer) {
        CLAIMS[id]!(text, facts);
        expect(text).not.toMatch(/NaN|undefined|null|Infinity/);
        seen.set(id, seen.get(id)! + 1);
      }
    }),
    100,
  );
});

const textsOf = (recorded: readonly Recorded[]): readonly string[] =>
  answerLint(resultOf(recorded)).map(({ text }) => text);

const RIGHT = recordingOf({
  waits: [0, 0, 0, 3, 1],
  retryAfter: "right",
  hasLegacy: false,
  remaining: 0,
});

test("a wait that holds is trusted, and one that is too short is not", () => {
  expect(textsOf(RIGHT)).toEqual([
    "Clients can probably trust Retry-After (one test).",
    "A client that waits as long as Retry-After advertises is admitted (1 test), and one second earlier it is refused.",
  ]);
  const short = RIGHT.map((each) =>
    each.status === 200 ? each : { ...each, headers: { "Retry-After": "1" } },
  );
  expect(textsOf(short)[0]).toMatch(
    /^Clients cannot trust Retry-After: it advertises a wait of 1 s, and /,
  );
  expect(textsOf(short)[1]).toMatch(/^Correct Retry-After first: round the wait up/);
  const long = RIGHT.map((each) =>
    each.status === 200 ? each : { ...each, headers: { "Retry-After": "60" } },
  );
  // The request may have passed earlier: the time is a bound.
  expect(textsOf(long)[0]).toBe(
    "Clients cannot trust Retry-After: it advertises a wait of 60 s, and a request passes at most 1.03 s after the refusal, and none was sent earlier (in 1 of 2 refusals).",
  );
});

test("a limit that no run reaches is wrong, and the answer has how many were admitted", () => {
  const most = (limit: number): readonly Recorded[] =>
    recordingOf({
      waits: [0, 0, 0, 4, 0, 0],
      retryAfter: "right",
      hasLegacy: true,
      remaining: 0,
    }).map((each) => ({
      ...each,
      headers: {
        ...each.headers,
        "X-RateLimit-Limit": `${limit}`,
        "X-RateLimit-Remaining": `${Number(each.headers["X-RateLimit-Remaining"]) + limit - 2}`,
      },
    }));
  const texts = textsOf(most(100));
  expect(texts.join(" ").match(/at most 2/g)).toHaveLength(1);
  const short = resultOf(
    RIGHT.map((each) => ({ ...each, headers: { ...each.headers, "X-RateLimit-Limit": "9" } })),
  );
  expect(answerLint(short).map(({ text }) => text)).toEqual([
    "Clients can probably trust Retry-After (one test).",
    "A client that waits as long as Retry-After advertises is admitted (1 test), and one second earlier it is refused.",
    "X-RateLimit-* advertises a limit of 9, without its window.",
    "Not tested: the limit of 9 is not reached: at most 2 were admitted before a refusal (X-RateLimit-*).",
  ]);
  const [wrong] = resultOf(most(100)).dialects.flatMap(({ findings }) => findings);
  expect(wrong).toMatchObject({ code: "LINT-LIMIT", header: "X-RateLimit-Limit" });
  const codes = (limit: number): readonly string[] =>
    resultOf(most(limit)).dialects.flatMap(({ findings }) => findings.map(({ code }) => code));
  expect(codes(100)).toContain("LINT-LIMIT");
  expect(texts[0]).toContain(
    "Clients cannot trust X-RateLimit-*: a limit of 100 is advertised, and at most 2 were admitted before a refusal (in 2 of 6 responses)",
  );
  expect(codes(2)).toEqual([]);
  expect(textsOf(most(2))).toContain("X-RateLimit-* advertises a limit of 2, without its window.");
});

test("a dialect that is sometimes right counts both, and each wrong dialect has its own cause", () => {
  const facts = resultOf(
    recordingOf({
      waits: [0, 0, 0, 1.1, 1.9, 1, 0, 0],
      retryAfter: "1",
      hasLegacy: true,
      remaining: 1,
    }),
  );
  const [retry] = facts.dialects;
  expect(retry!.waits).toMatchObject({ enough: 1, short: 2 });
  const lines = lintText(facts, (_tone, text) => text);
  expect(lines[0]).toBe(
    "untrue Retry-After (RFC 9110): given as seconds, the wait is enough in 1 test, too short in 2",
  );
  const [first, second] = answerLint(facts).map(({ text }) => text);
  expect(first).toMatch(
    /^Clients cannot trust Retry-After: .* is refused again \(in 2 of 4 refusals\)\.$/,
  );
  expect(second).toMatch(
    /^Nor can they trust X-RateLimit-\*: Remaining is .* \(in \d of 8 responses\)\.$/,
  );
  const always = { ...retry!, waits: { ...retry!.waits, enough: 0, short: 2 } };
  expect(lintText({ ...facts, dialects: [always] }, (_tone, text) => text)[0]).toContain(
    ", the wait is too short (2 tests)",
  );
});

test("without headers or refusals, the answer has what to do", () => {
  const bare = RIGHT.map((each) => ({ ...each, headers: {} }));
  expect(textsOf(bare)).toEqual([
    "Clients cannot know when to come back: none of 2 refusals has Retry-After.",
    'Correct Retry-After first: send the whole seconds after which a request passes, such as "Retry-After: 30".',
  ]);
  expect(textsOf(bare.slice(0, 1))[0]).toMatch(/: use up the limit, or check the URL\.$/);
  expect(textsOf([{ ...bare[0]!, status: 404 }])[0]).toMatch(/: correct the error of the server/);
  const legacy = { waits: [0, 0], retryAfter: null, hasLegacy: true, remaining: 0 };
  expect(textsOf(recordingOf(legacy)).at(-1)).toMatch(/^No request was refused/);
});

test("if other headers are right and wrong, a missing Retry-After is named", () => {
  const legacy = recordingOf({
    waits: [0, 0, 0, 3, 1, 0, 0, 3, 1],
    retryAfter: null,
    hasLegacy: true,
    remaining: 0,
  });
  const wrong = { RateLimit: "two left" };
  const both = legacy.map((each) => ({ ...each, headers: { ...each.headers, ...wrong } }));
  expect(textsOf(both)[0]).toMatch(
    /^Clients can trust X-RateLimit-\*, but not .*RateLimit.*; none of \d refusals has Retry-After\.$/,
  );
});

test("a server that only fails is not examined, with limit headers or without", () => {
  const fails = (status: number, headers = {}) => ({ afterS: 0, status, headers });
  const budget = { "X-RateLimit-Limit": "2", "X-RateLimit-Remaining": "1" };
  expect(textsOf([fails(502, budget), fails(502, budget), fails(500)])).toEqual([
    "Not examined: the server answers 502 to 2 of 3 requests. Start its upstream, and repeat.",
  ]);
  expect(textsOf([fails(500)])).toEqual([
    "Not examined: the server answers 500 to each request. Correct its error, and repeat.",
  ]);
  const missing =
    "Not examined: the server answers 401 to each request, because a valid key is missing. Send one";
  expect(textsOf([fails(401), fails(401)])).toEqual([`${missing}, and repeat.`]);
  const live = { ...resultOf([fails(401)]), source: "http://localhost:8080/" };
  expect(answerLint(live)[0]!.text).toBe(`${missing} with --header Authorization:KEY, and repeat.`);
  expect(textsOf([fails(401), fails(200)])[0]).not.toContain("Not examined");
  expect(textsOf([fails(502), fails(200)])[0]).not.toContain("Not examined");
});

test("a wait that is longer than the reset of the same response is a contradiction", () => {
  const refusal = (wait: number, reset: number, left = 0): readonly string[] =>
    textsOf([
      {
        afterS: 0,
        status: 429,
        headers: {
          "Retry-After": `${wait}`,
          "X-RateLimit-Limit": "2",
          "X-RateLimit-Remaining": `${left}`,
          "X-RateLimit-Reset": `${reset}`,
        },
      },
    ]);
  expect(refusal(30, 8).slice(0, 2)).toEqual([
    "Clients cannot trust X-RateLimit-*: the reset of X-RateLimit-* is 22.0 s before the end of the wait in Retry-After (RFC 9110) of the same response.",
    "Correct X-RateLimit-Reset first: send one wait in both: the seconds until a request passes.",
  ]);
  // A reset may be the time at which the budget is full, and a budget with requests left did not refuse.
  for (const texts of [refusal(8, 30), refusal(9, 8), refusal(30, 8, 1)])
    expect(texts.join(" ")).not.toContain("of the same response");
});
