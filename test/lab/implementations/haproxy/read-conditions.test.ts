// Conditions of HAProxy: for which requests each holds, and what an unknown one becomes.
import { expect, test } from "vitest";
import { openOf, play, times, type Sent } from "../read-and-play.ts";
import { decisions, read, site } from "./site.ts";

test.each([
  ["path_beg /a /b", ["/a1", "/b"], ["/c/a"]],
  ["path /a", ["/a", "/a?x"], ["/ab"]],
  ["path_end -i .PHP", ["/x.php", "/x.PHP?y"], ["/x.php5"]],
  ["path_sub admin", ["/x/admin"], ["/x"]],
  ["path_dir api", ["/api/x", "/x/api"], ["/apis"]],
  ["path_reg ^/v[0-9]+/", ["/v1/x"], ["/v/x"]],
  ["path -m reg -i ^/V1", ["/v1"], ["/x/v1"]],
  ["url_beg /a?x", ["/a?xy"], ["/a"]],
  ["path -m beg /a", ["/a"], ["/b"]],
  ["urlp(token) -m str t", ["/?token=t"], ["/?token=u", "/"]],
  ["path,lower -m str /a", ["/A"], ["/b"]],
  ["always_true", ["/"], []],
  ["always_false", [], ["/"]],
] as const)("the condition %s holds for its requests alone", (condition, inside, outside) => {
  const text = site(
    "http-request track-sc0 src table addresses",
    `http-request deny if { sc_http_req_rate(0) gt 0 } { ${condition} }`,
  );
  expect(openOf(read(text))).toEqual([]);
  expect(inside.map((path) => decisions(text, [{ at: 0, path }]))).toEqual(inside.map(() => "-"));
  expect(outside.map((path) => decisions(text, [{ at: 0, path }]))).toEqual(outside.map(() => "+"));
});

test.each([
  ["method POST PUT", { method: "PUT" }, { method: "GET" }],
  ["hdr(host) -i Api.example", { host: "api.example" }, { host: "www.example" }],
  ["hdr_end(host) .example", { host: "a.example" }, { host: "example" }],
  ["hdr_dom(host) -i api", { host: "x.API.example" }, { host: "apis.example" }],
  ["req.hdr(x-plan) -m str free", { headers: { "x-plan": "a, free" } }, {}],
  ["req.hdr(x-plan) -m found", { headers: { "x-plan": "a" } }, {}],
  ["req.cook(s) -m str 1", { headers: { cookie: "a=2; s=1" } }, { headers: { cookie: "s=2" } }],
  ["src 10.0.0.0/8 2001:db8::/32", { ip: "10.1.2.3" }, { ip: "11.0.0.1" }],
  ["hdr_ip(x-real-ip) 10.0.0.0/8", { headers: { "x-real-ip": "10.1.1.1" } }, {}],
] as const)("the condition %s reads the request", (condition, inside: Sent, outside: Sent) => {
  const text = site(
    `http-request track-sc0 str(all) table keys if { ${condition} }`,
    "http-request deny if { sc_http_req_rate(0) gt 0 }",
    "stick-table type string size 1 store http_req_rate(1s)",
  ).replace("table keys", "table web");
  expect([
    decisions(text, [{ at: 0, ...inside }]),
    decisions(text, [{ at: 0, ...outside }]),
  ]).toEqual(["-", "+"]);
});

test("conditions combine by or, !, unless, and the names of predefined ACLs", () => {
  const admits = (condition: string, request: Sent): string =>
    decisions(
      site(
        "acl a path /a",
        "acl ab path /a",
        "acl ab path /b",
        `http-request track-sc0 src table addresses ${condition}`,
        "http-request deny if { sc_http_req_rate(0) gt 0 }",
      ),
      [{ at: 0, ...request }],
    );
  expect(
    [
      ["if ab", "/b"],
      ["if a or { path /c }", "/c"],
      ["if a || METH_POST", "/a"],
      ["if !a", "/b"],
      ["if ! a", "/b"],
      ["unless a", "/c"],
      ["if a METH_GET", "/a"],
      ["if a METH_POST", "/a"],
      ["unless ab", "/b"],
      ["if a ab !TRUE", "/a"],
    ].map(([condition, path]) => admits(condition!, { path: path! })),
  ).toEqual(["-", "-", "-", "-", "-", "-", "-", "+", "+", "+"]);
});

test("a sample that this reader does not know is a question, and the limit applies meanwhile", () => {
  const text = site(
    "acl trusted src -f /etc/haproxy/trusted.lst",
    "http-request track-sc0 src table addresses",
    "http-request deny if !trusted { sc_http_req_rate(0) gt 1 }",
  );
  const configuration = read(text);
  expect(configuration.questions).toEqual([
    { name: "trusted", file: "in.txt", line: 5, value: "false", isSet: false },
  ]);
  expect(openOf(configuration)).toEqual([
    "5 question http-request deny if !trusted { sc_http_req_rate(0) gt 1 }: trusted is taken to be false: the file /etc/haproxy/trusted.lst is not here",
  ]);
  expect(play(configuration, times(3, { at: 0 }))).toBe("+--");
  expect(decisions(text, times(3, { at: 0 }), { values: { trusted: "true" } })).toBe("+++");
  const files = { "/etc/haproxy/trusted.lst": "# ours\n192.0.2.0/24\n" };
  expect(decisions(text, times(3, { at: 0 }), { files })).toBe("+++");
});

test("a variable of the environment is a question", () => {
  const text = site(
    "http-request track-sc0 src table addresses",
    'http-request deny if { sc_http_req_rate(0) gt "${RATE}" }',
  );
  expect(openOf(read(text)).slice(0, 1)).toEqual([
    expect.stringMatching(/^4 not understood .*this reader compares a rate by gt or ge/),
  ]);
  const configuration = read(text, { values: { RATE: "2" } });
  expect(configuration.questions).toMatchObject([{ name: "RATE", value: "2", isSet: true }]);
  expect(play(configuration, times(4, { at: 0 }))).toBe("++--");
});

test("words have quotes, escapes, comments and lines that continue", () => {
  const text = site(
    "http-request track-sc0 src table addresses # all",
    "http-request deny if { sc_http_req_rate(0) gt 0 } \\",
    "  { path '/a b' \"/c#d\" /e\\ f }",
  );
  const at = (path: string): string => decisions(text, [{ at: 0, path }]);
  expect(["/a b", "/c#d", "/e f", "/a"].map(at).join("")).toBe("---+");
});

test.each([
  ["", "{ src_http_req_rate(addresses) gt 1 }", 0],
  [" if { path /a }", "{ path /a } { src_http_req_rate(addresses) gt 1 }", 0],
  [" if { path /a }", "{ src_http_req_rate(addresses) gt 1 }", 1],
  [" if { path /a }", "{ sc_http_req_rate(0) gt 1 }", 0],
])(
  "a rate of an address is open if it is looked up by requests that are not tracked%s: %s",
  (tracks, denies, count) => {
    const text = site(
      `http-request track-sc0 src table addresses${tracks}`,
      `http-request deny if ${denies}`,
    );
    const open = openOf(read(text));
    expect(open.filter((each) => each.includes("refuses only counted ones"))).toHaveLength(count);
  },
);
