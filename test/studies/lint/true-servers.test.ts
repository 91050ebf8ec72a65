import * as fc from "fast-check";
import { expect, test } from "vitest";
import { holds } from "../../runs.ts";
import {
  windowLimiter,
  lintModel,
  retryAfter,
  slidingLog,
  tokenBucket,
  WRITERS,
  type HeaderWriter,
  type ModelServer,
} from "./model-server.ts";

const LIMITERS = {
  windowLimiter,
  tokenBucket,
  slidingLog,
  "a log that counts refusals": (limit: number, windowS: number) =>
    slidingLog(limit, windowS, true),
};

const both =
  (write: HeaderWriter): HeaderWriter =>
  (decision) => [...retryAfter(decision), ...write(decision)];

const verdicts = (server: ModelServer): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lintModel(server).dialects.map(({ dialect, verdict, findings, open }) => [
      dialect,
      [verdict, ...findings.map(({ message }) => message), ...open].join("; "),
    ]),
  );

const cases = Object.entries(LIMITERS).flatMap(([name, limiter]) =>
  Object.entries(WRITERS).map(([dialect, write]) => [name, dialect, limiter, write] as const),
);

test.each(cases)("of %s, %s is valid", (_name, dialect, limiter, write) => {
  // A minute is the window that Kong's header names.
  const windowS = dialect === "kong" ? 60 : 10;
  const found = verdicts({ decide: limiter(5, windowS), write: both(write), clockS: 7300.4 });
  expect(Object.values(found)).toEqual(["valid", "valid"]);
});

test("a bucket that fills by one request within 50 ms is right", () => {
  // 31 requests pass within 50 ms, because one comes back after 33 ms.
  const { dialects } = lintModel({
    decide: tokenBucket(30, 1),
    write: both(WRITERS["openai"]!),
    latenciesS: [0.0011, 0.0001],
    clockS: 0,
  });
  expect(dialects.flatMap(({ findings }) => findings)).toEqual([]);
});

const server = fc.record({
  name: fc.constantFrom(...(Object.keys(LIMITERS) as (keyof typeof LIMITERS)[])),
  limit: fc.integer({ min: 1, max: 40 }),
  windowS: fc.integer({ min: 1, max: 30 }),
  dialects: fc.subarray(
    Object.keys(WRITERS).filter((dialect) => dialect !== "kong"),
    {
      minLength: 1,
      maxLength: 1,
    },
  ),
  latenciesS: fc.array(fc.double({ min: 0.0001, max: 0.2, noNaN: true }), {
    minLength: 1,
    maxLength: 9,
  }),
  clockS: fc.double({ min: -90_000, max: 90_000, noNaN: true }),
});

test("no true server is found wrong, whatever the latency and its clock", () => {
  holds(
    fc.property(server, ({ name, limit, windowS, dialects, latenciesS, clockS }) => {
      const write = both((decision) => dialects.flatMap((each) => WRITERS[each]!(decision)));
      const decide = LIMITERS[name](limit, windowS);
      const { dialects: judged } = lintModel({ decide, write, latenciesS, clockS });
      expect(judged.flatMap(({ findings }) => findings)).toEqual([]);
    }),
    500,
  );
});

/** Names that a server may have for secrets, some of them almost those of limits. */
const SECRET_NAMES = [
  "Set-Cookie",
  "Authorization",
  "X-RateLimit-Key",
  "X-RateLimit-Token",
  "RateLimit-Client",
  "Retry-After-Key",
  "X-Date",
];

test("a result has no header but Date and those of its dialects, whatever else a server sends", () => {
  const secrets = fc.uniqueArray(
    fc.tuple(fc.constantFrom(...SECRET_NAMES), fc.stringMatching(/^[a-z]{3,9}$/)),
    { minLength: 1, maxLength: 4 },
  );
  holds(
    fc.property(fc.constantFrom(...Object.keys(WRITERS)), secrets, (name, sent) => {
      const hidden = sent.map(([header, value]) => [header, `hidden-${value}`] as const);
      const write: HeaderWriter = (decision) => [...both(WRITERS[name]!)(decision), ...hidden];
      const result = lintModel({ decide: windowLimiter(3, 10), write });
      const dialects = result.dialects.flatMap(({ headers }) => headers);
      const known = new Set(["date", ...dialects].map((each) => each.toLowerCase()));
      const shown = result.responses.flatMap(({ headers }) => headers.map(([header]) => header));
      expect(new Set(shown.map((each) => each.toLowerCase()))).toEqual(known);
      expect(JSON.stringify(result)).not.toContain("hidden-");
    }),
    20,
  );
});
