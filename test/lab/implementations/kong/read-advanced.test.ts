// The plugin rate-limiting-advanced of Kong: sentences of its documentation, with a case each.
import { expect, test } from "vitest";
import { KONG_READER } from "#src/lab/implementations/kong/read.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { openOf, readText, startReading, times } from "../read-and-play.ts";

const { read, decisions } = startReading(KONG_READER);

const writeLimit = (config: string): string =>
  `{ name: rate-limiting-advanced, config: { ${config} } }`;

const file = (...plugins: readonly string[]): string =>
  `_format_version: "3.0"\nservices:\n- { name: a, url: "http://a", routes: [{ name: all, paths: [/] }] }\nplugins: [${plugins.join(", ")}]\n`;

test("a window slides by default, and its earlier part counts by its overlap", () => {
  const text = file(writeLimit("limit: [4], window_size: [60]"));
  expect(openOf(read(text))).toEqual([]);
  const requests = [...times(4, { at: 30 }), ...times(3, { at: 90 })];
  expect(decisions(text, requests)).toBe("++++++-");
});

test("window_type: fixed has windows of the clock", () => {
  const text = file(writeLimit("limit: [2], window_size: [60], window_type: fixed"));
  expect(decisions(text, [...times(3, { at: 59 }), ...times(3, { at: 60 })])).toBe("++-++-");
});

test("a refused request counts in a sliding window, unless disable_penalty", () => {
  const of = (rest: string): string =>
    decisions(file(writeLimit(`limit: [2], window_size: [10]${rest}`)), [
      ...times(6, { at: 0 }),
      { at: 16 },
    ]);
  expect(of("")).toBe("++-----");
  expect(of(", disable_penalty: true")).toBe("++----+");
});

test("each limit belongs to the window size of its place, and all of them apply", () => {
  const text = file(writeLimit("limit: [2, 3], window_size: [10, 60], window_type: fixed"));
  const { rules } = read(text);
  expect(rules.map(({ id, limit }) => [id, limit.rate, limit.perUs / 1e6])).toEqual([
    ["every request, each 10s", 2, 10],
    ["every request, each 60s", 3, 60],
  ]);
  expect(decisions(text, [...times(2, { at: 0 }), ...times(2, { at: 10 })])).toBe("+++-");
});

test("each window counts a request that another one refuses", () => {
  const text = file(writeLimit("limit: [1, 3], window_size: [10, 60], window_type: fixed"));
  expect(decisions(text, [...times(3, { at: 0 }), { at: 10 }])).toBe("+---");
});

test.each([
  ["ip", "+--"],
  ["header, header_name: X-Plan", "+-+"],
  ["service", "+--"],
])("identifier: %s", (by, decided) => {
  const text = file(writeLimit(`limit: [1], window_size: [60], identifier: ${by}`));
  const requests = [{ at: 0 }, {}, { headers: { "x-plan": "gold" } }];
  expect(decisions(text, requests)).toBe(decided);
});

test("plugins with one namespace and window size count together", () => {
  const of = (namespace: string): string => {
    const plugin = writeLimit(`limit: [1], window_size: [60], namespace: ${namespace}`);
    const other = writeLimit("limit: [1], window_size: [60], namespace: one");
    const text = `_format_version: "3.0"\nservices:\n- { name: a, routes: [{ paths: [/a], plugins: [${plugin}] }, { paths: [/b], plugins: [${other}] }] }\n`;
    return decisions(
      text,
      ["/a", "/b"].map((path) => ({ at: 0, path })),
    );
  };
  expect([of("one"), of("two")]).toEqual(["+-", "++"]);
});

test("its counters are those of the instance, unless strategy has another store", () => {
  const sharing = (rest: string): boolean | undefined =>
    read(file(writeLimit(`limit: [1], window_size: [60]${rest}`))).rules[0]!.sharesCounters;
  expect([sharing(""), sharing(", strategy: redis, sync_rate: -1")]).toEqual([false, true]);
});

test("both plugins apply to a request, and what cannot be counted so is named", () => {
  const windows = writeLimit("limit: [5, 9], window_size: [10, 60]");
  const text = file(windows, "{ name: rate-limiting, config: { minute: 1 } }");
  expect(decisions(text, times(2, { at: 0 }))).toBe("+-");
  expect(openOf(read(text))).toEqual([
    expect.stringContaining("a window counts requests that another one refuses, and not here"),
  ]);
});

test.each([
  ["limit: [1, 2], window_size: [60]", "has 2 of limit and 1 of window_size"],
  ["window_size: [60]", "has 0 of limit and 1 of window_size"],
  ["limit: [no], window_size: [60]", 'limit has "no"; write a number above 0'],
  ["limit: [1], window_size: [60], identifier: colour", 'identifier is "colour"; write consumer'],
])("%s is a problem", (config, problem) => {
  const failure = readText(KONG_READER, file(writeLimit(config)));
  expect(isFailure(failure) && failure.message).toContain(problem);
});
