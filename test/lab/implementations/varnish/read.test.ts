// The reader of Varnish: which calls of vsthrottle a request meets in vcl_recv, and which of them refuse it.
import { expect, test } from "vitest";
import { VARNISH_READER } from "#src/lab/implementations/varnish/read.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { openOf, readText, rolesOf, startReading, times, type Sent } from "../read-and-play.ts";
import { decidesAsWorld } from "../read-of-translation.ts";

const { read, decisions } = startReading(VARNISH_READER);

const recv = (...lines: readonly string[]): string =>
  `vcl 4.1;\nimport vsthrottle;\nsub vcl_recv {\n${lines.join("\n")}\n}\n`;

const callOf = (key: string, limit: number, period = "10s"): string =>
  `vsthrottle.is_denied(${key}, ${limit}, ${period})`;

const refuse = (condition: string): string =>
  `if (${condition}) { return (synth(429, "Too Many")); }`;

const SAMPLE = `vcl 4.1;
import std;
import vsthrottle;
backend default { .host = "127.0.0.1"; .port = "8080"; }
acl office { "10.0.0.0"/8; ! "10.9.0.0"/16; "office.example"; }
# limits of the shop
sub vcl_recv {
  set req.url = std.querysort(req.url);
  if (client.ip ~ office) { return (pass); }
  if (req.url ~ "^/api/" && vsthrottle.is_denied("api:" + client.identity, 30, 10s)) {
    return (synth(429, "Too Many Requests"));
  } elsif (req.http.X-Token == "hunter2") {
    return (pass);
  }
  if (req.method == "POST" && req.restarts == 0 && vsthrottle.is_denied(req.http.X-Key, 5, 1m, 5m)) {
    set req.http.X-Slow = "1";
  }
  if (vsthrottle.is_denied(client.ip, std.integer(req.http.limit, 5), 1s)) { return (synth(429)); }
  call devices;
  std.log("passed");
  throttle.check("x");
  return (hash);
}
sub vcl_deliver { set resp.http.X-Left = vsthrottle.remaining("api:" + client.identity, 30, 10s); }
sub vcl_backend_fetch { if (vsthrottle.is_denied("b", 5, 1s)) { return (fail); } }
`;

test("each statement of a realistic file has a role", () => {
  const configuration = read(SAMPLE);
  expect(rolesOf(configuration)).toMatchInlineSnapshot(`
    [
      "1 irrelevant vcl 4.1",
      "2 irrelevant import std",
      "3 read import vsthrottle",
      "4 irrelevant backend default",
      "5 not understood acl office: "office.example" is no address, and no client has it here",
      "7 read sub vcl_recv",
      "8 read set req.url = std.querysort(req.url)",
      "9 read if client.ip ~ office",
      "9 read return(pass)",
      "10 read if req.url ~ "^/api/" && vsthrottle.is_denied("api:" + client.identity, 30, 10s)",
      "11 read return(synth(429, "Too Many Requests"))",
      "12 read elsif req.http.X-Token == "***"",
      "13 read return(pass)",
      "15 not understood if req.method == "POST" && req.restarts == 0 && vsthrottle.is_denied(req.http.X-Key, 5, 1m, 5m): vsthrottle denies every request without this header, and this reader does not count it; a client with requests while it is blocked stays blocked in vsthrottle 0.20, and not here; its block refuses nothing; a later subroutine may",
      "16 read set req.http.X-Slow = "1"",
      "18 not understood if vsthrottle.is_denied(client.ip, std.integer(req.http.limit, 5), 1s): its key or its numbers are not known here",
      "18 read return(synth(429))",
      "19 not understood call devices: no file has this subroutine; it may limit or end requests",
      "20 irrelevant std.log("passed")",
      "21 not understood throttle.check("x"): it may limit requests, and this reader does not know it",
      "22 read return(hash)",
      "24 irrelevant sub vcl_deliver",
      "24 not understood set resp.http.X-Left = vsthrottle.remaining("api:" + client.identity, 30, 10s): remaining adds tokens to the bucket in vsthrottle 0.20, and this reader does not",
      "25 irrelevant sub vcl_backend_fetch",
      "25 not understood if vsthrottle.is_denied("b", 5, 1s): it counts outside of conditions of vcl_recv, where requests depend on the cache or the response",
    ]
  `);
  expect(configuration.rules.map(({ id, limit, status }) => ({ id, limit, status }))).toEqual([
    {
      id: "30 of api: client.identity at line 10",
      limit: { rate: 30, perUs: 10_000_000 },
      status: 429,
    },
    { id: "5 of req.http.X-Key at line 15", limit: { rate: 5, perUs: 60_000_000 }, status: 429 },
  ]);
  expect(rolesOf(configuration).join()).not.toContain("hunter2");
});

test("a bucket is filled with whole tokens, and each admission discards the fraction", () => {
  const text = recv(refuse(callOf("client.ip", 2, "2s")));
  expect(openOf(read(text))).toEqual([]);
  const requests = [...times(3, { at: 0 }), { at: 0.9 }, { at: 1.5 }, { at: 2.4 }, { at: 2.5 }];
  expect(decisions(text, requests)).toBe("++--+-+");
  expect(decisions(text, [...times(3, { at: 0 }), { ip: "192.0.2.2" }])).toBe("++-+");
});

test.each([
  ["500ms", 500_000],
  ["1.5s", 1_500_000],
  ["2m", 120_000_000],
  ["1h", 3_600_000_000],
  ["1d", 86_400_000_000],
  ["1w", 604_800_000_000],
])("the period %s is %i microseconds", (period, perUs) => {
  expect(read(recv(refuse(callOf('"a"', 3, period)))).rules[0]!.limit).toEqual({ rate: 3, perUs });
});

test.each([
  ["client.ip", { ip: "192.0.2.2" }],
  ["client.identity", { ip: "192.0.2.2" }],
  ["req.url", { path: "/b" }],
  ["req.method", { method: "PUT" }],
  ['"k" + req.http.X-Key', { headers: { "x-key": "b" } }],
  ["req.http.host", { host: "b" }],
  ['"a" + req.url + "-" + req.method', { method: "PUT" }],
  ['"a" req.url', { path: "/b" }],
  ['regsub(req.url, "\\?.*$", "")', { path: "/b?x" }],
  ["req.http.x-forwarded-for", { headers: { "x-forwarded-for": "10.0.0.1" } }],
] as const)("the key %s separates requests", (key, other: Sent) => {
  const text = recv(refuse(callOf(key, 1)));
  expect(openOf(read(text))).toEqual([]);
  expect(decisions(text, [{ at: 0 }, {}, other, other])).toBe("+-+-");
});

test.each([
  ['req.url ~ "^/a"', { path: "/ab" }, { path: "/b" }],
  ['req.url !~ "^/a"', { path: "/b" }, { path: "/ab" }],
  ['req.url ~ "(?i)^/A"', { path: "/ab" }, { path: "/b" }],
  ['req.method == "PUT"', { method: "PUT" }, { method: "GET" }],
  ['req.method != "PUT"', { method: "GET" }, { method: "PUT" }],
  ["req.http.x", { headers: { x: "1" } }, {}],
  ['req.restarts < 1 && req.url == "/a"', { path: "/a" }, { path: "/b" }],
  ["req.http.x >= 2", { headers: { x: "2" } }, { headers: { x: "1" } }],
  ['std.querysort(req.url) == "/?a&b"', { path: "/?b&a" }, { path: "/?b" }],
  ["!req.http.x", {}, { headers: { x: "1" } }],
  ['std.tolower(req.http.x) == "a"', { headers: { x: "A" } }, {}],
  ['(req.url == "/a" || req.url == "/b")', { path: "/b" }, { path: "/c" }],
  ['!(req.url == "/a" && req.method == "PUT")', { path: "/a" }, { path: "/a", method: "PUT" }],
  ["client.ip ~ office", { ip: "10.1.0.1" }, { ip: "10.9.0.1" }],
  ["client.ip !~ office", { ip: "192.0.2.1" }, { ip: "10.1.0.1" }],
] as const)(
  "the condition %s holds for its requests alone",
  (condition, inside: Sent, outside: Sent) => {
    const acl = 'acl office { "10.0.0.0"/8; !"10.9.0.0"/16; }\n';
    const text = acl + recv(refuse(`${condition} && ${callOf('"all"', 1)}`));
    expect(openOf(read(text))).toEqual([]);
    const twice = (request: Sent): string => decisions(text, times(2, { at: 0, ...request }));
    expect([twice(inside), twice(outside)]).toEqual(["+-", "++"]);
  },
);

test("a condition after a call counts the request, and refuses only where it holds", () => {
  const text = recv(refuse(`${callOf("client.ip", 2)} && req.method == "POST"`));
  const requests = [...times(3, { at: 0 }), { method: "POST" }];
  expect(decisions(text, requests)).toBe("+++-");
});

test("statements before a call set its key, or end the request", () => {
  const text = recv(
    'if (req.url == "/free") { return (pass); }',
    'set req.http.X-Client = "c" + req.http.x-key;',
    'if (req.method == "PUT") { unset req.http.x-client; }',
    refuse(callOf("req.http.x-client", 1)),
  );
  expect(openOf(read(text))).toEqual([]);
  const key = (value: string): Sent => ({ headers: { "x-key": value } });
  expect(read(text).headers).toEqual(["x-key"]);
  expect(decisions(text, [{ at: 0, ...key("a") }, key("b"), key("a")])).toBe("++-");
  expect(decisions(text, times(3, { at: 0, path: "/free" }))).toBe("+++");
  const put = { at: 0, method: "PUT" };
  expect(
    decisions(text, [
      { ...put, ...key("a") },
      { ...put, ...key("b") },
    ]),
  ).toBe("+-");
});

test("a header alone is a key, and a request without it is a known difference", () => {
  const text = recv(refuse(callOf("req.http.x-key", 1)));
  expect(openOf(read(text))).toEqual([
    expect.stringContaining("vsthrottle denies every request without this header"),
  ]);
  const headers = { "x-key": "a" };
  expect(decisions(text, [{ at: 0, headers }, { headers }, {}, {}])).toBe("+-++");
});

test("a request that ends in any case is refused by the limit only if this ends it first", () => {
  const gone = "return (synth(410));";
  expect(decisions(recv(refuse(callOf("client.ip", 1)), gone), times(2, { at: 0 }))).toBe("+-");
  const marks = `if (${callOf("client.ip", 1)}) { set req.http.x = "1"; }`;
  expect(decisions(recv(marks, gone), times(2, { at: 0 }))).toBe("++");
});

test("branches, subroutines and marks that are refused later are followed", () => {
  const chain = recv(
    'if (req.url == "/a") { set req.http.n = "1"; }',
    `else if (${callOf("client.ip", 1)}) { return (synth(503)); }`,
    "else { call strict; }",
  );
  const text = `${chain}sub strict { ${refuse(callOf('"all"', 2))} return; }\n`;
  expect(read(text).rules.map(({ status }) => status)).toEqual([503, 429]);
  const ips = ["1", "2", "3", "2"].map((end) => ({ ip: `192.0.2.${end}` }));
  expect(decisions(text, [{ at: 0, path: "/a" }, ...ips])).toBe("+++--");
  const marked = recv(
    `if (${callOf("client.ip", 1)}) { set req.http.x-slow = "1"; }`,
    'if (req.http.x-slow && req.url == "/b") { return (synth(429)); }',
  );
  expect(decisions(marked, [...times(2, { at: 0 }), { path: "/b" }])).toBe("++-");
});

test("calls are in turn, and equal calls have one bucket", () => {
  const text = recv(refuse(callOf('"a"', 2)), refuse(callOf("client.ip", 1)));
  const ips = ["1", "1", "2"].map((end) => ({ at: 0, ip: `192.0.2.${end}` }));
  expect(decisions(text, ips)).toBe("+--"); // the second request spent the first bucket
  expect(decisions(recv(refuse(callOf("client.ip", 1)), refuse(callOf('"a"', 2))), ips)).toBe(
    "+-+",
  );
  const equal = recv(
    refuse(`req.url == "/a" && ${callOf("client.ip", 1)}`),
    refuse(`req.url == "/b" && ${callOf("client.ip", 1)}`),
  );
  expect(decisions(equal, [{ at: 0, path: "/a" }, { path: "/b" }])).toBe("+-");
});

test("a request that meets two calls with an equal key and equal numbers spends twice", () => {
  const same = callOf("client.ip", 3);
  for (const other of [same, callOf("req.http.x-ip", 3)]) {
    const text = recv(refuse(same), refuse(other));
    const headers = { "x-ip": "192.0.2.1" };
    // The second request spends the last unit at its first call, and its second call denies it.
    expect(decisions(text, times(3, { at: 0, headers }))).toBe("+--");
    expect(openOf(read(text)).filter((line) => line.includes("equal"))).toEqual([]);
  }
  const [first, second] = read(recv(`${refuse(same)} ${refuse(same)}`)).rules;
  expect([first!.id, second!.id]).toEqual([
    expect.stringMatching(/^3 of client\.ip at line \d+$/),
    expect.stringMatching(/^3 of client\.ip at line \d+, number 2$/),
  ]);
});

test("a block lasts from the refusal on, and its known difference is a consequence", () => {
  const text = recv(refuse('vsthrottle.is_denied("a", 1, 1s, 5s)'));
  expect(decisions(text, [{ at: 0 }, { at: 0.1 }, { at: 3 }, { at: 5.2 }])).toBe("+--+");
  expect(openOf(read(text))).toEqual([
    expect.stringContaining("a client with requests while it is blocked stays blocked"),
  ]);
});

test("an unknown condition is a question, and the limit applies meanwhile", () => {
  const text = recv(
    "if (std.healthy(x)) { return (pass); }",
    refuse(`!std.file_exists("/x") && ${callOf("client.ip", 1)}`),
  );
  expect(read(text).questions.map(({ name, value }) => `${name}=${value}`)).toEqual([
    "condition_at_line_4=false",
    "condition_at_line_5=false",
  ]);
  const set = (line: number): string =>
    decisions(text, times(2, { at: 0 }), { values: { [`condition_at_line_${line}`]: "true" } });
  expect([decisions(text, times(2, { at: 0 })), set(4), set(5)]).toEqual(["+-", "++", "++"]);
});

test("files that a file includes are read in its place", () => {
  const text = `include "limits.vcl";\n${recv("return (hash);")}`;
  const files = { "limits.vcl": recv(refuse(callOf("client.ip", 1))) };
  expect(decisions(text, times(2, { at: 0 }), { files })).toBe("+-");
  expect(readText(VARNISH_READER, text)).toMatchObject({
    problems: ["in.txt:1: limits.vcl does not exist"],
  });
  const circle = { "limits.vcl": 'include "limits.vcl";' };
  expect(readText(VARNISH_READER, text, { files: circle })).toMatchObject({
    problems: [expect.stringContaining("limits.vcl includes itself")],
  });
});

test.each([
  [refuse("vsthrottle.is_denied(client.ip, std.integer(req.http.x, 1), 1s)"), "are not known here"],
  [refuse(callOf("req.http.x + server.hostname", 1)), "are not known here"],
  [refuse('throttle.is_denied("a")'), "are not known here"],
  ['set req.http.x = vsthrottle.remaining("a", 1, 1s);', "keeps its value here"],
  ["call missing;", "no file has this subroutine"],
  ["shaper.limit();", "this reader does not know it"],
  [`if (${callOf('"a"', 1)}) { set req.http.x = "1"; }`, "its block refuses nothing"],
  ["C{ limit(); }C", "this reader does not know it"],
])("%s is not dropped in silence", (line, consequence) => {
  const open = openOf(read(recv(line.startsWith("C{") ? `${line};` : line)));
  expect(open).toEqual([expect.stringContaining(consequence)]);
});

test.each([
  ['sub vcl_recv { set req.url = "x', "in.txt:1: a string is not closed; add a quote"],
  ["/* 1 */\n/* 2", "in.txt:2: /* has no end; add */"],
  ['sub vcl_recv { set req.url = {"x"; }', 'in.txt:1: {" has no end; add "}'],
  ["sub vcl_recv {\n  return (pass)\n}", 'in.txt:2: "return(pass)" has no semicolon'],
  ["sub vcl_recv {\n  return (pass);\n", "in.txt:2: a block or statement is not closed"],
  ["sub vcl_recv { if req.url { } }", 'in.txt:1: "(" is missing before "req.url"'],
  [
    `${recv("call a;")}sub a { call b; }\nsub b { call a; }`,
    "in.txt:7: call a calls itself; remove the circle",
  ],
])("%j is one problem with its line", (text, problem) => {
  const failed = readText(VARNISH_READER, text);
  expect(isFailure(failed) ? failed.problems : failed).toEqual([problem]);
});

test("comments and long strings have no statements", () => {
  const text = recv(
    `# ${refuse(callOf('"a"', 1))}`,
    `// ${refuse(callOf('"a"', 1))}`,
    `/* ${refuse(callOf('"a"', 1))} */`,
    `if (req.http.x == {"a } ; "} || req.http.x == """b { """) { return (pass); }`,
  );
  expect(read(text).rules).toEqual([]);
});

test("varnish decides as the world that was translated", async () => {
  const compared = await decidesAsWorld(
    { name: "varnish", file: "limits.vcl", reader: VARNISH_READER },
    100,
  );
  expect(compared.worlds).toBeGreaterThan(20);
  expect(compared.refused).toBeGreaterThan(100);
});
