import { expect, test } from "vitest";
import { readExchange, type JudgedExchange } from "#src/limiter/limit-headers/exchange.ts";
import { nextProbe } from "#src/studies/lint/next-probe.ts";
import {
  httpDate,
  lintModel,
  retryAfter,
  tokenBucket,
  windowLimiter,
  type HeaderWriter,
  type ModelServer,
} from "./model-server.ts";
import {
  examineRow,
  combine,
  legacy,
  onlyIf,
  secondsLeft,
  wait,
  WINDOW_S,
  type WrongServer,
} from "./wrong-headers.ts";

const MANY = { requests: 20_000, seconds: 3600 };

const ROWS: readonly WrongServer[] = [
  // Retry-After
  [
    "a wait one second too short",
    wait((d) => String(secondsLeft(d) - 1)),
    "retry-after",
    "untrue",
    "LINT-WAIT-SHORT",
  ],
  [
    "a wait two seconds too long",
    wait((d) => String(secondsLeft(d) + 2)),
    "retry-after",
    "untrue",
    "LINT-WAIT-LONG",
  ],
  ["a wait of an hour", wait(() => "3600"), "retry-after", "untrue", "LINT-WAIT-LONG"],
  ["a wait of 0", wait(() => "0"), "retry-after", "untrue", "LINT-WAIT-SHORT"],
  [
    "a wait that is always the window",
    wait(() => "10"),
    "retry-after",
    "untrue",
    "LINT-WAIT-LONG",
    { decide: tokenBucket(5, WINDOW_S) },
  ],
  [
    "a fraction",
    wait(({ retryS, nowS }) => (retryS - nowS).toFixed(3)),
    "retry-after",
    "invalid",
    "LINT-SYNTAX",
  ],
  [
    "a fraction that is whole",
    wait((d) => `${secondsLeft(d)}.0`),
    "retry-after",
    "invalid",
    "LINT-SYNTAX",
  ],
  ["a unit", wait((d) => `${secondsLeft(d)}s`), "retry-after", "invalid", "LINT-SYNTAX"],
  [
    "an ISO date",
    wait(({ retryS }) => new Date(retryS * 1000).toISOString()),
    "retry-after",
    "invalid",
    "LINT-SYNTAX",
  ],
  [
    "a Unix time as the wait",
    wait(({ retryS }) => String(Math.ceil(retryS))),
    "retry-after",
    "invalid",
    "LINT-FORM",
  ],
  [
    "a date in the past",
    wait(({ nowS }) => httpDate(nowS - 5)),
    "retry-after",
    "untrue",
    "LINT-PAST",
  ],
  [
    "a date in local time, ahead",
    wait(({ retryS }) => httpDate(Math.ceil(retryS) + 7200)),
    "retry-after",
    "untrue",
    "LINT-LOCAL-TIME",
  ],
  [
    "a date in local time, behind",
    wait(({ retryS }) => httpDate(Math.ceil(retryS) - 5 * 3600)),
    "retry-after",
    "untrue",
    "LINT-LOCAL-TIME",
  ],
  [
    "a date that was rounded down",
    wait(({ retryS }) => httpDate(Math.floor(retryS) - 1)),
    "retry-after",
    "untrue",
    "LINT-WAIT-SHORT",
  ],
  [
    "a date with the weekday of the next day",
    wait(({ retryS }) => {
      const [, ...rest] = httpDate(Math.ceil(retryS)).split(", ");
      const [weekday] = httpDate(Math.ceil(retryS) + 86_400).split(", ");
      return [weekday, ...rest].join(", ");
    }),
    "retry-after",
    "invalid",
    "LINT-SYNTAX",
  ],
  ["two headers", combine(retryAfter, retryAfter), "retry-after", "invalid", "LINT-DUPLICATE"],
  ["none", legacy, "retry-after", "missing", "LINT-RETRY-AFTER"],
  [
    "only every other one",
    onlyIf(({ retryS, nowS }) => retryS - nowS > 5, retryAfter),
    "retry-after",
    "inconsistent",
    "LINT-ABSENT",
  ],
  [
    "503 without a wait",
    legacy,
    "retry-after",
    "missing",
    "LINT-RETRY-AFTER",
    { refusalStatus: 503 },
  ],
];

test.for(ROWS)("%s is found", (row) => {
  expect(examineRow(row)).toEqual({ verdict: row[3], finding: row[4] });
});

test("a finding has the header, the column, the correction and the responses", () => {
  const writer = wait((d) => `${secondsLeft(d)}.5`);
  const { dialects } = lintModel({ write: writer, decide: windowLimiter(2, WINDOW_S) });
  expect(dialects[0]!.findings[0]).toMatchObject({
    code: "LINT-SYNTAX",
    severity: "error",
    header: "Retry-After",
    column: 3,
    message: 'Retry-After is "10.5", a fraction, and clients that follow RFC 9110 ignore it',
    fix: "round up: Retry-After: 11",
  });
});

test("a limit that is never reached leaves the rest open", () => {
  const result = lintModel({ write: legacy, decide: windowLimiter(1000, 60) });
  expect(result).toMatchObject({
    verdict: "inconclusive",
    ended: "the cap of 200 requests is reached",
  });
  expect(result.dialects[0]!.open[0]).toContain("no request was refused");
});

test("a wait that is longer than the cap of time leaves the wait open", () => {
  const writer = combine(retryAfter, legacy);
  const result = lintModel(
    { write: writer, decide: windowLimiter(3, 90) },
    { requests: 100, seconds: 60 },
  );
  expect(result.verdict).toBe("inconclusive");
  expect(result.dialects[0]!.open[0]).toMatch(/the last wait is \d+ s$/);
});

test("a server that refuses after each wait gets requests at ever longer pauses", () => {
  const refuse: ModelServer["decide"] = (nowS) => ({
    ...windowLimiter(1, WINDOW_S)(nowS),
    isAdmitted: false,
    retryS: nowS,
  });
  const { ended, refused, dialects } = lintModel(
    { write: wait(() => "0"), decide: refuse },
    { requests: 10_000, seconds: 3600 },
  );
  expect(ended).toBe("the cap of 3600 s is reached");
  expect(refused).toBeLessThan(20);
  expect(dialects[0]).toMatchObject({ dialect: "retry-after", verdict: "untrue" });
});

test("ten thousand admitted requests take no longer than the reading of each", () => {
  let read = 0;
  const admitted = new Proxy<JudgedExchange[]>([], {
    get: (target, name) => {
      if (/^\d+$/.test(String(name))) read++;
      return Reflect.get(target, name) as unknown;
    },
  });
  for (let index = 0; index < 10_000; index++) {
    const state = { exchanges: admitted, startS: 0, nowS: index / 1000, caps: MANY };
    expect(nextProbe(state).kind).toBe("send");
    admitted.push(
      readExchange({ sentS: index, receivedS: index, status: 200, headers: [] }, index),
    );
  }
  expect(read).toBeLessThan(100_000);
});

test("headers that are absent are no zeros", () => {
  const writer: HeaderWriter = () => [["X-RateLimit-Limit", "5"]];
  const { dialects } = lintModel({
    write: combine(retryAfter, writer),
    decide: windowLimiter(5, WINDOW_S),
  });
  expect(dialects[1]).toMatchObject({ limit: 5, resetForm: null, verdict: "valid", findings: [] });
});
