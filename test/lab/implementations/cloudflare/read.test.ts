// The reader of Cloudflare: sentences of the documentation of rate limiting rules, with a case each.
import { expect, test } from "vitest";
import { CLOUDFLARE_READER } from "#src/lab/implementations/cloudflare/read.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { openOf, readText, startReading, times } from "../read-and-play.ts";

const { read, decisions } = startReading(CLOUDFLARE_READER);

type Fields = Readonly<Record<string, unknown>>;

const rule = (limit: Fields, rest: Fields = {}): Fields => ({
  action: "block",
  expression: "true",
  ...rest,
  ratelimit: {
    characteristics: ["cf.colo.id", "ip.src"],
    period: 60,
    requests_per_period: 1,
    ...limit,
  },
});

/** Terraform's JSON with one ruleset. */
const file = (...rules: readonly Fields[]): string =>
  JSON.stringify(
    {
      variable: { few: { default: 2 }, none: {} },
      resource: { cloudflare_ruleset: { limits: { phase: "http_ratelimit", rules } } },
    },
    null,
    1,
  );

test("requests over the rate are refused until the period ends, for each address", () => {
  const sent = [{ at: 0 }, { at: 1 }, { ip: "192.0.2.2" }, { at: 59 }, { at: 60 }];
  expect(decisions(file(rule({})), sent)).toBe("+-+-+");
  expect(openOf(read(file(rule({}))))).toEqual([
    expect.stringContaining("does not have where a period begins; first_request is taken"),
  ]);
});

test.each([
  ["first_request", "++-+"],
  ["clock", "++++"],
  ["sliding", "++-+"],
])("the start of a period is a question: %s", (start, decided) => {
  const values = { window_start: start };
  const sent = [{ at: 50 }, { at: 55 }, { at: 65 }, { at: 116 }];
  expect(decisions(file(rule({ requests_per_period: 2 })), sent, { values })).toBe(decided);
});

test("the duration refuses all requests, and then the count is new", () => {
  const text = file(rule({ mitigation_timeout: 600 }));
  expect(decisions(text, [{ at: 0 }, { at: 1 }, { at: 300 }, { at: 600 }, { at: 602 }])).toBe(
    "+---+",
  );
  expect(read(text).rules[0]!.written).toBe("1 per 60 s, then refused for 600 s");
});

test("each combination of the characteristics has a counter", () => {
  const text = file(rule({ characteristics: ["ip.src", 'http.request.headers["X-Key"]'] }));
  const sent = ["a", "b", "a"].map((key) => ({ at: 0, headers: { "x-key": key } }));
  expect(decisions(text, sent)).toBe("++-");
  const country = file(rule({ characteristics: ["ip.src.country"] }));
  expect(read(country).questions).toContainEqual(
    expect.objectContaining({ name: "ip_src_country", value: "all" }),
  );
  expect(decisions(country, [{ at: 0 }, { ip: "192.0.2.2" }])).toBe("+-");
});

test.each([
  ['http.request.uri.path eq "/a"', { path: "/a?b" }, { path: "/a/" }],
  ['(http.request.uri.path contains "/api/")', { path: "/x/api/1" }, { path: "/api" }],
  ['http.request.uri.path wildcard "/A/*"', { path: "/a/1" }, { path: "/b" }],
  ['http.request.uri.path strict wildcard "/A/*"', { path: "/A/1" }, { path: "/a/1" }],
  ['http.request.uri.path matches r"^/a\\d$"', { path: "/a1" }, { path: "/ab" }],
  ['starts_with(lower(http.request.uri.path), "/a")', { path: "/Ab" }, { path: "/b" }],
  ['ends_with(http.request.uri.path, ".php")', { path: "/a.php" }, { path: "/a.phps" }],
  ['http.request.method in {"POST" "PUT"}', { method: "PUT" }, {}],
  ['http.host eq "a.com" or http.host == "b.com"', { host: "b.com" }, { host: "c.com" }],
  [
    'not (http.host eq "a.com" and ip.src eq 10.0.0.1)',
    { host: "a.com" },
    { host: "a.com", ip: "10.0.0.1" },
  ],
  ["ip.src in {10.0.0.0/8 192.0.2.7}", { ip: "10.1.1.1" }, {}],
  ["ip.src ne 192.0.2.1", { ip: "192.0.2.2" }, {}],
  ['http.host eq "a.com"', { host: "a.com" }, { host: "b.com" }],
  ['http.host in {"a.com"}', { host: "a.com" }, { host: "b.com" }],
  ['any(http.request.headers["x-a"][*] eq "1")', { headers: { "x-a": "1" } }, {}],
  ['http.user_agent contains "bot"', { headers: { "user-agent": "a bot" } }, {}],
  ['http.request.uri.path eq "/a" xor http.request.method eq "PUT"', { path: "/a" }, {}],
  ['http.request.uri.query contains "a=1"', { path: "/?a=1" }, {}],
])("the expression %s", (expression, counted, other) => {
  const text = file(rule({}, { expression }));
  expect(decisions(text, [{ at: 0, ...counted }, counted])).toBe("+-");
  expect(decisions(text, [{ at: 0, ...other }, other])).toBe("++");
});

test("an expression that the reader does not know is a question", () => {
  const text = file(rule({}, { expression: "cf.bot_management.score lt 30", description: "bots" }));
  expect(read(text).questions).toContainEqual(
    expect.objectContaining({ name: "requests_of_rule_bots", value: "all" }),
  );
  const values = { requests_of_rule_bots: "none" };
  expect(decisions(text, times(2, { at: 0 }), { values })).toBe("++");
});

test("a rule that is off, one that logs, and one that challenges", () => {
  expect(read(file(rule({}, { enabled: false }))).rules).toEqual([]);
  expect(decisions(file(rule({}, { action: "log" })), times(2, { at: 0 }))).toBe("++");
  expect(openOf(read(file(rule({}, { action: "managed_challenge" }))))).toContainEqual(
    expect.stringContaining("a client that passes the challenge goes on"),
  );
});

test("rules come in turn", () => {
  const first = rule({ requests_per_period: 2, period: 3_600 }, { description: "a" });
  const text = file(first, rule({}, { description: "b" }));
  // Rule b refuses the second request, which rule a has counted.
  expect(decisions(text, [{ at: 0 }, { at: 1 }, { at: 61 }])).toBe("+--");
});

test("a counting expression counts, and the expression refuses", () => {
  const text = file(
    rule(
      { counting_expression: 'http.request.method eq "POST"' },
      { expression: 'http.request.uri.path eq "/a"' },
    ),
  );
  const sent = ["/a", "/b", "/a"].map((path) => ({ at: 0, path, method: "POST" }));
  expect(decisions(text, [...sent, { path: "/a" }])).toBe("++-+");
  expect(openOf(read(text))).toContainEqual(
    expect.stringContaining("requests that the expression alone matches are refused too"),
  );
});

test("scores, requests to the origin and the older resource are named", () => {
  const score = file(rule({ score_per_period: 5 }));
  expect(read(score).rules).toEqual([]);
  expect(openOf(read(score))).toEqual([expect.stringContaining("so that this limit is missing")]);
  expect(openOf(read(file(rule({ requests_to_origin: true }))))).toContainEqual(
    expect.stringContaining("requests that the cache answers do not count"),
  );
  const older = '{"resource": {"cloudflare_rate_limit": {"a": {"threshold": 5, "period": 60}}}}';
  expect(openOf(read(older))).toEqual([expect.stringContaining("its limits are missing")]);
});

test("a variable of Terraform is a question, with its default", () => {
  const text = file(rule({ requests_per_period: "${var.few}" }));
  expect(read(text).questions).toContainEqual(expect.objectContaining({ name: "few", value: "2" }));
  expect(decisions(text, times(3, { at: 0 }))).toBe("++-");
  expect(decisions(text, times(3, { at: 0 }), { values: { few: "1" } })).toBe("+--");
});

test("blocks of Terraform 4, and a ruleset of the API", () => {
  const { ratelimit, ...rest } = rule({});
  const block = file({
    ...rest,
    ratelimit: [ratelimit],
    action_parameters: [{ response: [{ status_code: 403 }] }],
  });
  expect(decisions(block, times(2, { at: 0 }))).toBe("+-");
  expect(read(block).rules[0]!.status).toBe(403);
  const api = JSON.stringify({ result: { phase: "http_ratelimit", rules: [rule({})] } });
  expect(decisions(api, times(2, { at: 0 }))).toBe("+-");
});

test.each([
  [file(rule({ period: "soon" })), 'period is "soon"; write an integer of at least 1'],
  [
    file(rule({ requests_per_period: undefined })),
    "ratelimit has no requests_per_period; write one",
  ],
  [
    file(rule({ period: "${var.none}" })),
    "period is the variable none, which has no default; write --set none=NUMBER",
  ],
])("%j is one problem", (text, problem) => {
  const failed = readText(CLOUDFLARE_READER, text);
  expect(isFailure(failed) ? failed.problems : failed).toEqual([expect.stringContaining(problem)]);
});

test("a wrong answer to a question is one problem", () => {
  const failed = readText(CLOUDFLARE_READER, file(rule({})), { values: { window_start: "noon" } });
  expect(isFailure(failed) ? failed.problems : failed).toEqual([
    expect.stringContaining("--set window_start=noon: write first_request, clock or sliding"),
  ]);
});
