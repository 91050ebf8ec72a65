// The reader of Envoy's ratelimit service: which requests its descriptors count, as far as the YAML has it.
import { expect, test } from "vitest";
import { ENVOY_RATELIMIT_READER } from "#src/lab/implementations/envoy-ratelimit/read.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { openOf, readText, rolesOf, startReading, times } from "../read-and-play.ts";
import { byAddress, decidesAsWorld } from "../read-of-translation.ts";

const { read, decisions } = startReading(ENVOY_RATELIMIT_READER);

/** A file with descriptors in the flow style of YAML. */
const file = (...descriptors: readonly string[]): string =>
  `domain: shop\ndescriptors:\n${descriptors.map((each) => `  - ${each}\n`).join("")}`;

const limit = (count: number, unit = "minute"): string =>
  `rate_limit: { unit: ${unit}, requests_per_unit: ${count} }`;

const SAMPLE = `# limits of the shop
domain: shop
descriptors:
  - key: remote_address
    rate_limit:
      unit: minute
      requests_per_unit: 5
  - key: PATH
    value: /export
    shadow_mode: true
    detailed_metric: true
    descriptors:
      - key: remote_address
        rate_limit: &few
          unit: hour
          requests_per_unit: 2
  - key: generic_key
    value: checkout
    rate_limit:
      <<: *few
      name: checkout
      colour: red
  - key: user_id
    quota_mode: true
    ${limit(10, "second")}
`;

test("each field of a realistic file has a role", () => {
  expect(rolesOf(read(SAMPLE))).toMatchInlineSnapshot(`
    [
      "2 read domain: shop",
      "3 read descriptors:",
      "4 read key: remote_address",
      "5 read rate_limit:",
      "6 read unit: minute",
      "7 read requests_per_unit: 5",
      "8 read key: PATH",
      "9 read value: /export",
      "10 read shadow_mode: true",
      "11 irrelevant detailed_metric: true",
      "12 read descriptors:",
      "13 read key: remote_address",
      "14 read rate_limit:",
      "15 read unit: hour",
      "16 read requests_per_unit: 2",
      "17 question key: generic_key: only the routes of Envoy have the descriptor generic_key; all is taken",
      "18 read value: checkout",
      "19 read rate_limit:",
      "21 read name: checkout",
      "22 not understood colour: red: this reader does not know it; if it limits requests, the result is wrong",
      "15 read unit: hour",
      "16 read requests_per_unit: 2",
      "23 question key: user_id: only the routes of Envoy have the descriptor user_id; header:user-id is taken",
      "24 not understood quota_mode: true: this reader does not know it; if it limits requests, the result is wrong",
      "25 read rate_limit:",
      "25 read unit: second",
      "25 read requests_per_unit: 10",
    ]
  `);
  expect(read(SAMPLE).rules.map(({ id, line }) => `${line} ${id}`)).toEqual([
    "4 remote_address",
    "13 PATH=/export, remote_address",
    "17 generic_key=checkout",
    "23 user_id",
  ]);
});

test("windows are those of the clock, and a refused request is counted by every descriptor", () => {
  const text = file(`{ key: remote_address, ${limit(2)} }`, `{ key: METHOD, ${limit(4)} }`);
  // Both count the third and fourth request of the first address, which only one of them refuses.
  const requests = [...times(4, { at: 20 }), ...times(2, { ip: "192.0.2.9" }), { at: 60 }];
  expect(decisions(text, requests)).toBe("++----+");
  const values = { STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT: "true" };
  expect(decisions(text, requests, { values })).toBe("++--+++");
  expect(read(text).questions).toEqual([
    {
      name: "STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT",
      file: "in.txt",
      line: 1,
      value: "false",
      isSet: false,
    },
  ]);
});

test.each([
  ["second", 1],
  ["minute", 60],
  ["HOUR", 3_600],
  ["day", 86_400],
  ["week", 604_800],
  ["month", 2_592_000],
  ["year", 31_536_000],
])("a limit by the %s is over %i seconds", (unit, seconds) => {
  const [rule] = read(file(`{ key: remote_address, ${limit(3, unit)} }`)).rules;
  expect(rule!.limit).toEqual({ rate: 3, perUs: 1_000_000 * seconds });
});

test("an entry with the value comes before a prefix, and this before the key alone", () => {
  const text = file(
    `{ key: x-plan, ${limit(1)} }`,
    `{ key: x-plan, value: gold, ${limit(3)} }`,
    `{ key: x-plan, value: go*, ${limit(2)} }`,
    "{ key: x-plan, value: free }",
  );
  const admits = (plan: string): string =>
    decisions(text, times(4, { at: 0, headers: { "x-plan": plan } }));
  expect(["gold", "goose", "silver", "free"].map(admits)).toEqual(["+++-", "++--", "+---", "++++"]);
  expect(decisions(text, times(4, { at: 0 }))).toBe("++++"); // without the header
});

test("each value of a key has a budget, and the values of a shared prefix have one", () => {
  const requests = ["a1", "a2", "a1"].map((key) => ({ at: 0, headers: { "x-key": key } }));
  expect(decisions(file(`{ key: x-key, ${limit(1)} }`), requests)).toBe("++-");
  const prefix = `key: x-key, value: a*, ${limit(1)}`;
  expect(decisions(file(`{ ${prefix} }`), requests)).toBe("++-");
  expect(decisions(file(`{ ${prefix}, share_threshold: true }`), requests)).toBe("+--");
});

test("nested descriptors count requests that have all of their entries", () => {
  const text = file(
    `{ key: PATH, value: /a, descriptors: [{ key: remote_address, ${limit(1)} }] }`,
  );
  const requests = [{ at: 0, path: "/a" }, { path: "/b" }, { path: "/a", ip: "192.0.2.2" }];
  expect(decisions(text, [...requests, { path: "/a" }])).toBe("+++-");
});

test("unlimited, shadow mode and a limit of 0", () => {
  const of = (rest: string): string =>
    decisions(file(`{ key: remote_address, ${rest} }`), times(3, { at: 0 }));
  expect(of("rate_limit: { unlimited: true }")).toBe("+++");
  expect(of(`shadow_mode: true, ${limit(1)}`)).toBe("+++");
  expect(of(limit(0))).toBe("---");
});

test("with the stop of counts, a limit in shadow mode over its count stops those of the others", () => {
  const text = file(
    `{ key: remote_address, shadow_mode: true, ${limit(1)} }`,
    `{ key: method, ${limit(2)} }`,
  );
  const playWith = (stop: string): string =>
    decisions(text, [...times(3, { at: 0 }), { ip: "192.0.2.2" }, { ip: "192.0.2.3" }], {
      values: { STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT: stop },
    });
  expect(playWith("false")).toBe("++---");
  expect(playWith("true")).toBe("++++-");
});

test("a limit that another one replaces does not count the request", () => {
  const limitCalled = (count: number, rest: string): string =>
    `rate_limit: { unit: minute, requests_per_unit: ${count}, ${rest} }`;
  const text = file(
    `{ key: remote_address, ${limitCalled(1, "name: all")} }`,
    `{ key: x-plan, value: gold, ${limitCalled(3, "name: gold, replaces: [{ name: all }]")} }`,
  );
  expect(decisions(text, times(4, { at: 0, headers: { "x-plan": "gold" } }))).toBe("+++-");
  expect(decisions(text, times(2, { at: 0 }))).toBe("+-");
});

test("a key that only the routes of Envoy give is a question", () => {
  const text = file(
    `{ key: generic_key, value: slow, ${limit(1)} }`,
    `{ key: user_id, ${limit(2)} }`,
  );
  expect(openOf(read(text))).toEqual([
    "3 question key: generic_key: only the routes of Envoy have the descriptor generic_key; all is taken",
    "4 question key: user_id: only the routes of Envoy have the descriptor user_id; header:user-id is taken",
  ]);
  expect(decisions(text, times(2, { at: 0 }))).toBe("+-");
  const values = { generic_key_slow: "path:/slow", user_id: "header:x-user" };
  const paths = [{ at: 0, path: "/slow" }, { path: "/slow/2" }, { path: "/fast" }];
  expect(decisions(text, paths, { values })).toBe("+-+");
  const users = times(4, { at: 0, headers: { "x-user": "ann" } });
  expect(decisions(text, users, { values })).toBe("++--");
  expect(readText(ENVOY_RATELIMIT_READER, text, { values: { user_id: "?" } })).toMatchObject({
    problems: [expect.stringContaining("--set user_id=? is no source; write all, none,")],
  });
});

test("no unknown field is dropped in silence", () => {
  const open = openOf(read(file(`{ key: remote_address, quota_mode: true, ${limit(1)} }`)));
  expect(open).toEqual([expect.stringContaining("not understood quota_mode: true")]);
});

test.each([
  ["domain: [", "in.txt:1: this is not YAML:"],
  ["", "in.txt has no map or list; it is no configuration in YAML"],
  [file("{ value: x }"), "in.txt:3: a descriptor has no key; add one"],
  [
    file(`{ key: remote_address, ${limit(1, "fortnight")} }`),
    "in.txt:3: rate_limit has no unit of",
  ],
  [
    file("{ key: remote_address, rate_limit: { unit: day } }"),
    "in.txt:3: rate_limit has no requests_per_unit, an integer from 0 to 4294967295",
  ],
  [
    file("{ key: remote_address, rate_limit: { unit: day, requests_per_unit: -1 } }"),
    "in.txt:3: rate_limit has no requests_per_unit",
  ],
  ["domain: a\ndomain: b\ndescriptors: []\n", 'in.txt:2: "domain" is given twice; keep one'],
  ["domain: &a [*a]\ndescriptors: []\n", "in.txt:1: values are nested more than 64 deep"],
])("%j is one problem", (text, problem) => {
  const failed = readText(ENVOY_RATELIMIT_READER, text);
  expect(isFailure(failed) ? failed.problems : failed).toEqual([expect.stringContaining(problem)]);
});

test.each(["all-descriptors", "stop-over-limit"])(
  "envoy-ratelimit/%s decides as the world that was translated",
  async (variant) => {
    const compared = await decidesAsWorld(
      {
        name: `envoy-ratelimit/${variant}`,
        file: "runtime/weir/config/limits.yaml",
        reader: ENVOY_RATELIMIT_READER,
        change: (raw) => byAddress(raw),
        clientsAre: "addresses",
        sends: (key) => ({ ip: key }),
        valuesOf: ({ limits }) => ({
          ...Object.fromEntries(
            limits.map(({ places }, index) => [
              `header_match_limit_${index}`,
              `path:${places[0]!.path}`,
            ]),
          ),
          STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT: `${variant === "stop-over-limit"}`,
        }),
      },
      60,
    );
    expect(compared.worlds).toBeGreaterThan(20);
    expect(compared.refused).toBeGreaterThan(100);
  },
);
