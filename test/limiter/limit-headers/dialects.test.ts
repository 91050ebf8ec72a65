import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { AdvertisedTime, ReceivedHeader } from "#src/limiter/limit-headers/advertised.ts";
import { readDialects } from "#src/limiter/limit-headers/dialects.ts";
import { parseHttpDate, parseIsoDate } from "#src/limiter/limit-headers/values.ts";
import { holds } from "../../runs.ts";

const DATE_S = Date.UTC(1994, 10, 6, 8, 49, 37) / 1000;

const read = (headers: Readonly<Record<string, string>>): ReturnType<typeof readDialects> =>
  readDialects(Object.entries(headers));

test.each([
  ["Sun, 06 Nov 1994 08:49:37 GMT", false],
  ["Sunday, 06-Nov-94 08:49:37 GMT", true],
  ["Sun Nov  6 08:49:37 1994", true],
])("%s is a date", (text, isObsolete) => {
  expect(parseHttpDate(text)).toEqual({ unixS: DATE_S, isObsolete });
});

test.each([
  "Sun, 06 Nov 1994 08:49:37 +0000",
  "Sun, 06 Nov 1994 08:49:37 UTC",
  "Sun, 06 Nov 1994 08:49:37",
  "sun, 06 nov 1994 08:49:37 gmt",
  "Mon, 06 Nov 1994 08:49:37 GMT",
  "Sun, 6 Nov 1994 08:49:37 GMT",
  "Thu, 31 Feb 1994 08:49:37 GMT",
  "Sun, 06 Nov 1994 24:49:37 GMT",
  "Sun Nov 6 08:49:37 1994",
  "1994-11-06T08:49:37Z",
])("%s is no date of HTTP", (text) => {
  expect(parseHttpDate(text)).toBeNull();
  expect(read({ "Retry-After": text })[0]).toMatchObject({
    retryAfter: null,
    findings: [{ code: "LINT-SYNTAX" }],
  });
});

test("every second is read from its date, in both forms", () => {
  holds(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (unixS) => {
      const date = new Date(unixS * 1000);
      expect(parseHttpDate(date.toUTCString())).toEqual({ unixS, isObsolete: false });
      expect(parseIsoDate(date.toISOString())).toBe(unixS);
    }),
    300,
  );
});

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const LONG_ENDINGS = ["day", "day", "sday", "nesday", "rsday", "day", "urday"];

/** The three forms of a date, with this weekday in place of its own. */
function writeDates(unixS: number, weekday: number): readonly string[] {
  const [, day, month, year, time] = new Date(unixS * 1000).toUTCString().split(" ");
  const name = WEEKDAYS[weekday]!;
  return [
    `${name}, ${day} ${month} ${year} ${time} GMT`,
    `${name}${LONG_ENDINGS[weekday]}, ${day}-${month}-${year!.slice(2)} ${time} GMT`,
    `${name} ${month} ${day!.replace(/^0/, " ")} ${time} ${year}`,
  ];
}

test("of seven weekdays only that of the day makes a date, in all three forms", () => {
  // A year of two digits is one from 1976 on.
  const second = fc.integer({ min: Date.UTC(1976, 0) / 1000, max: Date.UTC(2075, 11, 31) / 1000 });
  holds(
    fc.property(second, (unixS) => {
      const own = new Date(unixS * 1000).getUTCDay();
      const read = WEEKDAYS.map((_, weekday) =>
        writeDates(unixS, weekday).map((text) => parseHttpDate(text)?.unixS ?? null),
      );
      const none = [null, null, null];
      expect(read).toEqual(
        WEEKDAYS.map((_, weekday) => (weekday === own ? [unixS, unixS, unixS] : none)),
      );
    }),
    100,
  );
});

const TIMES: readonly (readonly [string, AdvertisedTime["form"], number])[] = [
  ["0", "seconds", 0],
  ["59", "seconds", 59],
  ["1.5", "seconds with a fraction", 1.5],
  ["1795000000", "Unix seconds", 1_795_000_000],
  ["1795000000.371", "Unix seconds with a fraction", 1_795_000_000.371],
  ["1795000000371", "Unix milliseconds", 1_795_000_000.371],
  ["6m0s", "duration with units", 360],
  ["20ms", "duration with units", 0.02],
  ["1h2m3.5s", "duration with units", 3723.5],
  ["Sun, 06 Nov 1994 08:49:37 GMT", "HTTP date", DATE_S],
  ["1994-11-06T09:49:37+01:00", "ISO date", DATE_S],
];

test.each(TIMES)("a reset of %s is %s", (text, form, seconds) => {
  const [{ budgets, findings } = { budgets: [], findings: [] }] = read({
    "X-RateLimit-Reset": text,
  });
  expect(findings).toEqual([]);
  expect(budgets[0]!.reset).toMatchObject({ form, seconds });
});

type Good = readonly [Readonly<Record<string, string>>, string, object];

const GOOD: readonly Good[] = [
  [
    { "X-RateLimit-Limit": "5" },
    "x-ratelimit",
    { limit: 5, remaining: null, reset: null, windowS: null },
  ],
  [{ "X-RateLimit-Remaining": "0" }, "x-ratelimit", { limit: null, remaining: 0 }],
  [
    { "x-rate-limit-limit": "15", "x-rate-limit-reset": "1795000000" },
    "x-rate-limit",
    { limit: 15 },
  ],
  [
    { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "59", "x-ratelimit-used": "1" },
    "github",
    { limit: 60 },
  ],
  [{ "x-ratelimit-limit": "5, 5;w=1" }, "envoy", { limit: 5, windowS: 1 }],
  [{ "x-ratelimit-limit": '5, 5;w=1;name="ip", 9;w=60' }, "envoy", { limit: 5, windowS: 1 }],
  [{ "x-ratelimit-limit": "5", "x-ratelimit-reset-after": "0.65" }, "discord", { limit: 5 }],
  [
    { "X-RateLimit-Limit-Hour": "9", "X-RateLimit-Remaining-Hour": "8" },
    "kong",
    { name: "hour", windowS: 3600 },
  ],
  [{ "X-Shopify-Shop-Api-Call-Limit": "32/40" }, "shopify", { limit: 40, remaining: 8 }],
  [
    { "RateLimit-Limit": "100", "RateLimit-Reset": "50" },
    "ratelimit-03",
    { limit: 100, windowS: null },
  ],
  [
    { "RateLimit-Limit": "10, 10;w=1, 50;w=60", "RateLimit-Reset": "1" },
    "ratelimit-03",
    { limit: 10, windowS: 1 },
  ],
  [
    { "RateLimit-Limit": "5", "RateLimit-Policy": "5;w=60", "RateLimit-Reset": "1" },
    "ratelimit-03",
    { windowS: 60 },
  ],
  [
    { RateLimit: "limit=100, remaining=50, reset=5" },
    "ratelimit-07",
    { limit: 100, remaining: 50 },
  ],
  [
    { RateLimit: '"default";r=50;t=30' },
    "ratelimit-08",
    { name: "default", remaining: 50, limit: null },
  ],
  [
    { "RateLimit-Policy": '"a";q=1;w=2;qu="requests";acme-x' },
    "ratelimit-08",
    { limit: 1, windowS: 2, remaining: null },
  ],
  [
    { RateLimit: '"a";r=0;pk=:YQ==:, "a";r=4;pk=:Yg==:' },
    "ratelimit-08",
    { name: "a", remaining: 0 },
  ],
];

test.each(GOOD)("%j is read without a finding", (headers, dialect, budget) => {
  const readings = read(headers);
  expect(readings.flatMap(({ findings }) => findings)).toEqual([]);
  expect(readings.map((reading) => reading.dialect)).toEqual([dialect]);
  expect(readings[0]!.budgets[0]).toMatchObject(budget);
});

type Bad = readonly [header: string, value: string, code: string, column: number | null];

const BAD: readonly Bad[] = [
  ["X-RateLimit-Limit", "5.0", "LINT-SYNTAX", 2],
  ["X-RateLimit-Limit", "-5", "LINT-SYNTAX", 1],
  ["X-RateLimit-Limit", "", "LINT-SYNTAX", 1],
  ["X-RateLimit-Limit", "5 per minute", "LINT-SYNTAX", 2],
  ["X-RateLimit-Limit", "5, 5", "LINT-SYNTAX", 2],
  ["X-RateLimit-Remaining", "NaN", "LINT-SYNTAX", 1],
  ["X-RateLimit-Remaining", "1234567890123456", "LINT-SYNTAX", 17],
  ["X-RateLimit-Reset", "soon", "LINT-SYNTAX", 1],
  ["RateLimit-Remaining", "4;w=1", "LINT-SYNTAX", 2],
  ["RateLimit-Reset", "1795000000", "LINT-FORM", 1],
  ["RateLimit-Limit", "ten", "LINT-SYNTAX", 1],
  ["RateLimit-Limit", "5, 6;w=1", "LINT-RANGE", 1],
  ["RateLimit-Limit", "5;w=0", "LINT-SYNTAX", 5],
  ["RateLimit", "limit=5, remaining=x, reset=1", "LINT-SYNTAX", 20],
  ["RateLimit", "limit=5, remaining=4.0, reset=1", "LINT-SYNTAX", 20],
  ["RateLimit", "limit=5, limit=6, remaining=4, reset=1", "LINT-DUPLICATE", 10],
  ["RateLimit", "limit=5, remaining=6, reset=1", "LINT-RANGE", null],
  ["RateLimit", "Limit=5", "LINT-SYNTAX", 1],
  ["RateLimit", "default;r=5", "LINT-SYNTAX", 1],
  ["RateLimit", '"default";r=-1', "LINT-SYNTAX", 13],
  ["RateLimit", '"default";r=5.0', "LINT-SYNTAX", 13],
  ["RateLimit", '"default";r=5;r=6', "LINT-DUPLICATE", 15],
  ["RateLimit", '"default"', "LINT-MISSING", 1],
  ["RateLimit", '"default";r=5;pk=abc', "LINT-SYNTAX", 18],
  ["RateLimit", '"a";r=5, "a";r=4', "LINT-DUPLICATE", 10],
  ["RateLimit-Policy", '"default";w=60', "LINT-MISSING", 1],
  ["RateLimit-Policy", '"default";q=5;w=0', "LINT-SYNTAX", 17],
  ["RateLimit-Policy", '"default";q=5;qu=requests', "LINT-SYNTAX", 18],
  ["Retry-After", "2.0", "LINT-SYNTAX", 2],
  ["Retry-After", "-1", "LINT-SYNTAX", 1],
  ["Retry-After", "5s", "LINT-SYNTAX", 2],
  ["Retry-After", "Sunday, 06-Nov-94 08:49:37 GMT", "LINT-SYNTAX", 1],
  ["Retry-After", "1795000000", "LINT-FORM", 1],
  ["X-Shopify-Shop-Api-Call-Limit", "40", "LINT-SYNTAX", 1],
  ["X-Shopify-Shop-Api-Call-Limit", "41/40", "LINT-RANGE", 1],
];

test.each(BAD)("%s: %s has the finding %s in column %s", (header, value, code, column) => {
  const findings = read({ [header]: value }).flatMap((reading) => reading.findings);
  expect(findings).toContainEqual(expect.objectContaining({ code, column }));
  for (const { message, fix } of findings) expect([message, fix]).not.toContain("");
});

test("a header that is present twice is a finding, and a list may be split", () => {
  const twice: readonly ReceivedHeader[] = [
    ["X-RateLimit-Limit", "5"],
    ["x-ratelimit-limit", "6"],
  ];
  expect(readDialects(twice)[0]!.findings[0]).toMatchObject({ code: "LINT-DUPLICATE" });
  const split: readonly ReceivedHeader[] = [
    ["RateLimit", '"a";r=1'],
    ["RateLimit", '"b";r=2'],
  ];
  expect(readDialects(split)[0]).toMatchObject({
    findings: [],
    budgets: [{ name: "a" }, { name: "b" }],
  });
});

test("any value of any header is read without an error of the reader", () => {
  const names = [...new Set([...GOOD.flatMap(([headers]) => Object.keys(headers)), "Retry-After"])];
  const value = fc.oneof(fc.string({ maxLength: 20 }), fc.stringMatching(/^[ -~]{0,20}$/));
  holds(
    fc.property(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 }), (headers) => {
      for (const { findings } of read(headers))
        for (const { message, fix } of findings)
          expect(message.length * fix.length).toBeGreaterThan(0);
    }),
    1000,
  );
});
