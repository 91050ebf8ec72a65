// The reader of Caddy on JSON: sentences of the documentation of its routes, matchers and of caddy-ratelimit.
import { expect, test } from "vitest";
import { CADDY_READER } from "#src/lab/implementations/caddy/read.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { findReader } from "#src/lab/implementations/readers.ts";
import { openOf, readText, rolesOf, startReading, times, type Sent } from "../read-and-play.ts";

const { read, decisions } = startReading(CADDY_READER);

type Fields = Readonly<Record<string, unknown>>;

const limit = (rest: Fields = {}, name = "few"): Fields => ({
  handler: "rate_limit",
  rate_limits: {
    [name]: { key: "{http.request.remote.host}", window: "1m", max_events: 1, ...rest },
  },
});

const proxy = { handler: "reverse_proxy", upstreams: [{ dial: "app:80" }] };

const file = (...routes: readonly Fields[]): string =>
  JSON.stringify({ apps: { http: { servers: { main: { listen: [":443"], routes } } } } }, null, 1);

const to = (...paths: readonly string[]): readonly Sent[] => paths.map((path) => ({ at: 0, path }));

test("a zone counts the requests of the last window, as a text or in nanoseconds", () => {
  const of = (window: unknown): string =>
    decisions(file({ handle: [limit({ window }), proxy] }), [{ at: 0 }, { at: 59 }, { at: 61 }]);
  expect([of("1m"), of(60e9), of(1e9)]).toEqual(["+-+", "+-+", "+++"]);
});

test("each statement of limits has its line and a role, and no secret is in them", () => {
  const text = file(
    { handle: [{ handler: "authentication", providers: { http_basic: { password: "hunter2" } } }] },
    { handle: [{ ...limit({ colour: "red" }), distributed: {}, jitter: 0.2 }, { handler: "waf" }] },
  );
  const configuration = read(text);
  expect(configuration.rules.map(({ id, line }) => [id, line])).toEqual([["zone few", 27]]);
  expect(configuration.rules[0]!.sharesCounters).toBe(true);
  expect(openOf(configuration)).toEqual([
    "12 not understood - handler: authentication: it may answer requests before they are counted, and here they count",
    "31 not understood colour: red: this reader does not know it; if it limits requests, the result is wrong",
    "37 not understood - handler: waf: it may limit requests, and this reader does not read it",
  ]);
  expect(rolesOf(configuration).join("\n")).not.toContain("hunter2");
});

test.each([
  ["path", [{ path: ["/a*", "/b"] }], ["/a1", "/b"], ["/c"]],
  ["one of two sets", [{ path: ["/a"], method: ["GET"] }, { path: ["/b"] }], ["/a", "/b"], ["/c"]],
  ["all of one set", [{ path: ["/a"], method: ["POST"] }], [], ["/a"]],
  ["not", [{ not: [{ path: ["/a"] }, { path: ["/b"] }] }], ["/c"], ["/a", "/b"]],
  ["path_regexp", [{ path_regexp: { pattern: "^/a\\d$" } }], ["/a1"], ["/ab"]],
  ["query", [{ query: { k: ["1", "2"] } }], ["/?k=2"], ["/?k=3", "/"]],
  ["remote_ip", [{ remote_ip: { ranges: ["192.0.2.0/24"] } }], ["/"], []],
])(
  "the matcher %s has its requests alone, of a route and of a zone",
  (_, match, inside, outside) => {
    for (const text of [
      file({ match, handle: [limit()] }),
      file({ handle: [limit({ match }), proxy] }),
    ]) {
      const isCounted = (path: string): boolean =>
        decisions(text, times(2, { at: 0, path, ip: "192.0.2.1" })) === "+-";
      expect([inside.filter(isCounted), outside.filter(isCounted)]).toEqual([inside, []]);
      expect(openOf(read(text))).toEqual([]);
    }
  },
);

test("a header has one of its values, or is missing", () => {
  const of = (header: Fields, headers: Readonly<Record<string, string>>): string =>
    decisions(file({ match: [{ header }], handle: [limit()] }), times(2, { at: 0, headers }));
  expect(of({ "X-Plan": ["free", "gold"] }, { "x-plan": "gold" })).toBe("+-");
  expect(of({ "X-Plan": ["free", "gold"] }, { "x-plan": "none" })).toBe("++");
  expect(of({ "X-Plan": null }, {})).toBe("+-");
  expect(of({ "X-Plan": null }, { "x-plan": "gold" })).toBe("++");
});

test("routes are met in their order, until one ends the request", () => {
  const first = { match: [{ path: ["/a*"] }], handle: [proxy] };
  const last = { handle: [limit()] };
  expect(decisions(file(first, last), to("/a", "/a", "/b", "/b"))).toBe("+++-");
  expect(decisions(file(last, first), to("/a", "/a"))).toBe("+-");
  const headers = { match: [{ path: ["/a*"] }], handle: [{ handler: "headers" }] };
  expect(decisions(file(headers, last), to("/a", "/a"))).toBe("+-");
  expect(decisions(file({ ...headers, terminal: true }, last), to("/a", "/a"))).toBe("++");
});

test("of a group the first route that matches applies alone, and subroutes have routes", () => {
  const inGroup = (path: string, ...handle: readonly Fields[]): Fields => ({
    group: "g",
    match: [{ path: [path] }],
    handle,
  });
  const nested = { handler: "subroute", routes: [{ handle: [limit()] }] };
  const text = file(inGroup("/a", { handler: "headers" }), inGroup("/*", nested));
  expect(decisions(text, to("/a", "/a", "/b", "/b"))).toBe("+++-");
});

test("a matcher that this reader does not know is a question", () => {
  const text = file({ match: [{ expression: "{method} == 'GET'" }], handle: [limit()] });
  const [name] = read(text).questions.map((each) => each.name);
  expect(openOf(read(text))).toEqual([expect.stringContaining("does not know the matcher")]);
  expect(decisions(text, times(2, { at: 0 }))).toBe("+-");
  expect(decisions(text, times(2, { at: 0 }), { values: { [name!]: "none" } })).toBe("++");
});

test("it is recognized, and a zone without a window is a problem", () => {
  const found = findReader({ file: "caddy.json", text: file({ handle: [limit()] }) }, null);
  expect(isFailure(found) ? null : found?.kind).toBe("caddy");
  const failure = readText(CADDY_READER, file({ handle: [limit({ window: "soon" })] }));
  expect(isFailure(failure) && failure.message).toMatch(/^in.txt:\d+: window is "soon"/);
});
