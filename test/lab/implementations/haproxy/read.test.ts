// The reader of HAProxy: which requests its stick tables count, and which of them its rules refuse.
import { expect, test } from "vitest";
import { HAPROXY_READER } from "#src/lab/implementations/haproxy/read.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { openOf, play, readText, rolesOf, times } from "../read-and-play.ts";
import { decidesAsWorld } from "../read-of-translation.ts";
import { decisions, read, site } from "./site.ts";

const SAMPLE = `global
  maxconn 2000
  stats socket /run/haproxy.sock mode 660
defaults
  mode http
  timeout client 30s
frontend web
  bind :443 ssl crt /etc/haproxy/site.pem
  maxconn 500
  acl is_api path_beg /api/
  acl is_login path /login
  acl office src 10.0.0.0/8
  http-request track-sc0 src table addresses
  http-request track-sc1 req.hdr(x-api-key) table keys if is_api
  http-request deny deny_status 429 if is_api { sc_http_req_rate(1) gt 3 }
  http-request tarpit deny_status 429 if is_login !office { sc0_http_req_rate ge 3 }
  http-request deny if { sc_conn_rate(0) gt 50 }
  tcp-request connection reject if { src_conn_cur(addresses) gt 20 }
  http-request set-header X-Forwarded-Proto https
  use_backend static if { path_end .css .js }
  default_backend app
backend app
  balance roundrobin
  server a 127.0.0.1:8080 maxconn 30
backend static
  server b 127.0.0.1:8081
backend addresses
  stick-table type ipv6 size 100k expire 2m store http_req_rate(10s),conn_rate(10s),conn_cur
backend keys
  stick-table type string len 64 size 10k expire 2m store http_req_rate(1m)
`;

test("each line of a realistic file has a role", () => {
  expect(rolesOf(read(SAMPLE))).toMatchInlineSnapshot(`
    [
      "1 irrelevant global",
      "2 irrelevant maxconn 2000",
      "3 irrelevant stats socket /run/haproxy.sock mode 660",
      "4 read defaults",
      "5 irrelevant mode http",
      "6 irrelevant timeout client 30s",
      "7 read frontend web",
      "8 irrelevant bind :443 ssl crt /etc/haproxy/site.pem",
      "9 irrelevant maxconn 500",
      "10 read acl is_api path_beg /api/",
      "11 read acl is_login path /login",
      "12 read acl office src 10.0.0.0/8",
      "13 read http-request track-sc0 src table addresses",
      "14 read http-request track-sc1 req.hdr(x-api-key) table keys if is_api",
      "15 read http-request deny deny_status 429 if is_api { sc_http_req_rate(1) gt 3 }",
      "16 read http-request tarpit deny_status 429 if is_login !office { sc0_http_req_rate ge 3 }",
      "17 not understood http-request deny if { sc_conn_rate(0) gt 50 }: it counts connections, and a log has requests",
      "18 not understood tcp-request connection reject if { src_conn_cur(addresses) gt 20 }: it counts connections, and a log has requests",
      "19 irrelevant http-request set-header X-Forwarded-Proto https",
      "20 read use_backend static if { path_end .css .js }",
      "21 read default_backend app",
      "22 read backend app",
      "23 irrelevant balance roundrobin",
      "24 irrelevant server a 127.0.0.1:8080 maxconn 30",
      "25 read backend static",
      "26 irrelevant server b 127.0.0.1:8081",
      "27 read backend addresses",
      "28 read stick-table type ipv6 size 100k expire 2m store http_req_rate(10s),conn_rate(10s),conn_cur",
      "29 read backend keys",
      "30 read stick-table type string len 64 size 10k expire 2m store http_req_rate(1m)",
    ]
  `);
});

test("a client that keeps requests stays refused, because refused requests are counted", () => {
  const text = site(
    "http-request track-sc0 src table addresses",
    "http-request deny deny_status 429 if { sc_http_req_rate(0) gt 3 }",
  );
  const configuration = read(text);
  expect(configuration.rules.map(({ id, line, status }) => ({ id, line, status }))).toEqual([
    { id: "table addresses, http_req_rate above 3", line: 4, status: 429 },
  ]);
  expect(openOf(configuration)).toEqual([]);
  const requests = [
    ...times(6, { at: 0 }),
    ...times(6, { at: 9.999 }),
    ...times(2, { at: 10.001 }),
  ];
  expect(play(configuration, requests)).toBe("+++-----------");
  expect(play(configuration, [...times(3, { at: 0 }), ...times(4, { at: 20.001 })])).toBe(
    "++++++-",
  );
});

test("addresses are counted apart, and a table of type ip does not count IPv6", () => {
  const text = site(
    "http-request track-sc0 src table addresses",
    "http-request deny if { sc0_http_req_rate(addresses) ge 2 }",
  );
  expect(decisions(text, [{ at: 0 }, {}, { ip: "192.0.2.2" }])).toBe("+-+");
  expect(decisions(text, times(4, { at: 0, ip: "2001:db8::1" }))).toBe("++++");
  expect(
    decisions(text.replace("type ip ", "type ipv6 "), times(4, { at: 0, ip: "2001:db8::1" })),
  ).toBe("+---");
  expect(read(text).rules[0]!.status).toBe(403);
});

test("requests are counted by a rule that refuses only some of them", () => {
  const text = site(
    "http-request track-sc0 src table addresses",
    "acl login path_beg /login",
    "http-request deny if login { sc_http_req_rate(0) gt 2 }",
  );
  const requests = [...times(3, { at: 0, path: "/" }), { path: "/login" }, { path: "/" }];
  expect(decisions(text, requests)).toBe("+++-+");
});

test("a general purpose counter that is increased after the refusals counts admitted requests", () => {
  const text = site(
    "http-request track-sc0 src table addresses",
    "http-request deny if { sc0_gpc0_rate(addresses) ge 2 }",
    "http-request sc-inc-gpc0(0)",
  ).replace("http_req_rate(10s)", "gpc0,gpc0_rate(10s)");
  const configuration = read(text);
  expect(openOf(configuration)).toEqual([]);
  const requests = [...times(5, { at: 0 }), ...times(5, { at: 9 }), ...times(3, { at: 20.001 })];
  expect(play(configuration, requests)).toBe("++--------++-");
  expect(decisions(text.replace("ge 2", "gt 2"), times(5, { at: 0 }))).toBe("+++--");
});

test("the order of rules decides whether a refused request is counted by the others", () => {
  const track = (slot: number, key: string): string =>
    `http-request track-sc${slot} ${key} table ${["addresses", "keys"][slot]!}`;
  const deny = (slot: number, rate: number): string =>
    `http-request deny if { sc_http_req_rate(${slot}) gt ${rate} }`;
  const keys =
    "\nbackend keys\n  stick-table type string size 1k expire 60s store http_req_rate(10s)";
  const key = "req.hdr(x-key)";
  const inTurn = site(track(0, "src"), deny(0, 1), track(1, key), deny(1, 3)) + keys;
  const allFirst = site(track(0, "src"), track(1, key), deny(0, 1), deny(1, 3)) + keys;
  const headers = { "x-key": "k" };
  const requests = [
    ...times(4, { at: 0, headers }), // the last three are refused by the address
    ...["192.0.2.2", "192.0.2.3", "192.0.2.4"].map((ip) => ({ ip, headers })),
  ];
  expect(decisions(inTurn, requests)).toBe("+---++-");
  expect(decisions(allFirst, requests)).toBe("+------");
});

test("rules after one that ends a request do not count it", () => {
  const text = (rule: string): string =>
    site(
      rule,
      "http-request track-sc0 src table addresses",
      "http-request deny if { sc_http_req_rate(0) gt 0 }",
    );
  const rules = ["allow", "deny", "redirect location /x", "return status 200"];
  for (const rule of rules) {
    const requests = [{ at: 0, path: "/a" }, { path: "/b" }];
    expect(decisions(text(`http-request ${rule} if { path /a }`), requests)).toBe("+-");
  }
});

test("the rules of a backend meet the requests that its frontend sends there", () => {
  const text = `frontend web
  use_backend api if { path_beg /api }
  default_backend app
backend app
  server a 127.0.0.1:1
backend api
  stick-table type string size 1k expire 10s store http_req_rate(1s)
  http-request track-sc0 base32+src
  http-request deny if { sc0_http_req_rate gt 1 }
`;
  const requests = [...times(2, { at: 0, path: "/api" }), ...times(3, { path: "/" })];
  expect(decisions(text, [...requests, { path: "/api/2" }])).toBe("+-++++");
});

test("a table that is looked up by the address refuses only clients that it has", () => {
  const text = (...rules: readonly string[]): string => site(...rules);
  const track = "http-request track-sc0 src table addresses";
  const deny = "http-request deny if { src_http_req_rate(addresses) ge 3 }";
  expect(decisions(text(track, deny), times(5, { at: 0 }))).toBe("++---");
  expect(decisions(text(deny, track), times(5, { at: 0 }))).toBe("+++--");
});

test("connections that are tracked count each of their requests", () => {
  const text = site(
    "tcp-request connection track-sc0 src table addresses",
    "http-request deny if { sc_http_req_rate(0) gt 2 }",
  );
  expect(decisions(text, times(4, { at: 0 }))).toBe("++--");
});

test("of two frontends with limits, the question names the one that requests come by", () => {
  const text = `${site(
    "http-request track-sc0 src table addresses",
    "http-request deny if { sc_http_req_rate(0) gt 1 }",
  )}
frontend admin
  http-request track-sc0 src table addresses
  http-request deny if { sc_http_req_rate(0) gt 2 }
  default_backend app
`;
  expect(openOf(read(text))[0]).toBe("1 question frontend web: requests are taken to come by web");
  expect(openOf(read(text)).filter((line) => line.includes("deny"))).toHaveLength(1);
  expect(decisions(text, times(4, { at: 0 }))).toBe("+---");
  expect(decisions(text, times(4, { at: 0 }), { values: { frontend: "admin" } })).toBe("++--");
  const failed = readText(HAPROXY_READER, text, { values: { frontend: "x" } });
  expect(failed).toMatchObject({
    problems: ["--set frontend=x: there is no such frontend; there are web, admin"],
  });
});

test.each([
  [
    "http-request deny if { sc_conn_rate(0) gt 9 }",
    "it counts connections, and a log has requests",
  ],
  ["http-request deny if { sc_http_req_cnt(0) gt 9 }", "it counts without a period"],
  ["tcp-request connection reject if { src_get_gpc0 gt 0 }", "it bans clients by a mark of"],
  ["http-request deny if { src_inc_gpc0(addresses) ge 0 }", "here none is banned"],
  ["http-request deny if { sc_http_err_rate(0) gt 9 }", "it counts errors"],
  ["http-request deny if { sc0_bytes_out_rate gt 9 }", "it counts bytes"],
  ["http-request deny if { sc_http_req_rate(0) lt 9 }", "compares a rate by gt or ge"],
  ["http-request deny unless { sc_http_req_rate(0) gt 9 }", "it holds below a rate"],
  ["http-request deny if { sc_http_req_rate(1) gt 9 }", "no rule that is read tracks sc1"],
  ["http-request deny if { sc0_gpc0_rate gt 9 }", "does not store gpc0_rate"],
  ["http-request deny if { sc0_http_req_rate gt 9 } { sc0_gpc0_rate gt 9 }", "two rates at once"],
  ["http-request deny if { base32+src,table_http_req_rate(x) gt 9 }", "it looks up a counter"],
  ["http-request set-var(txn.r) src,table_http_req_rate(x)", "a rule may limit by its variable"],
  ["http-request deny if { var(txn.l),sub(txn.r) lt 0 }", "it compares a variable"],
  ["http-request set-header X-Fast 1 if { sc_http_req_rate(0) gt 9 }", "is no refusal by itself"],
  ["use_backend slow if { sc_http_req_rate(0) gt 9 }", "go to another backend"],
  ["use_backend %[req.hdr(host)]", "depends on the request"],
  ["http-request lua.limit", "this reader does not know it"],
  ["http-request set-path /x", "this reader does not know it"],
  ["tcp-request connection reject if { src_conn_cur ge 9 }", "it counts connections"],
  ["rate-limit sessions 100", "it limits new sessions per second"],
  ["filter spoe engine waf", "its program may refuse"],
  ["http-request deny if { fe_req_rate gt 100 }", "of all clients"],
  ["something new", "this reader does not know it"],
])("%s is not dropped in silence", (line, consequence) => {
  const text = site("http-request track-sc0 src table addresses", line);
  const open = openOf(read(text)).filter((each) => each.startsWith("4 not understood"));
  expect(open).toEqual([expect.stringContaining(consequence)]);
});

test("a difference of a table is a consequence", () => {
  const rules = [
    "http-request track-sc0 src table addresses",
    "http-request deny if { sc_http_req_rate(0) gt 1 }",
  ];
  const open = (from: string, to: string): readonly string[] =>
    openOf(read(site(...rules).replace(from, to)));
  expect(open("60s", "60s")).toEqual([]);
  expect(open("60s", "19s")).toEqual([
    expect.stringContaining("a client is forgotten 19s after its last request"),
  ]);
  expect(open("expire", "peers all expire")).toEqual([
    expect.stringContaining("peers exchange its counts"),
  ]);
});

test.each([
  ["http-request sc-inc-gpc0(0) if { path /a }", 1],
  ["http-request allow if { path /a }", 1],
  ["http-request set-header x-a b", 0],
])("requests that are refused and not counted are not dropped in silence: %s", (line, count) => {
  const isCount = line.includes("gpc0");
  const text = site(
    "http-request track-sc0 src table addresses",
    "http-request deny if { sc0_gpc0_rate gt 1 }",
    line,
    ...(isCount ? [] : ["http-request sc-inc-gpc0(0)"]),
  ).replace("http_req_rate(10s)", "gpc0_rate(10s)");
  const open = openOf(read(text));
  expect(open.filter((each) => each.includes("refuses only counted ones"))).toHaveLength(count);
});

test("a header that identifies clients is not changed in silence", () => {
  const text = site(
    "http-request set-header X-Client %[src]",
    "http-request track-sc0 req.hdr(x-client) table addresses",
    "http-request deny if { sc_http_req_rate(0) gt 1 }",
  );
  expect(openOf(read(text))).toEqual([
    expect.stringContaining("rules read the header X-Client, and this reader takes it as"),
  ]);
});

test("no statement has a secret", () => {
  const text = `${SAMPLE}
userlist people
  user ann insecure-password hunter2
backend admin
  stats auth admin:hunter2
  http-request deny unless { req.hdr(x-auth-token) -m str hunter2 }
`;
  const lines = rolesOf(read(text));
  expect(lines.filter((line) => line.includes("hunter2"))).toEqual([]);
  expect(lines.filter((line) => line.includes("***"))).toHaveLength(3);
});

test.each([
  ["backend b\n  server 'x", "in.txt:2: a quote is not closed; add the closing quote"],
  ["  bind :80\n", 'in.txt:1: "bind" is in no section; begin one, such as frontend NAME'],
  [
    site("http-request track-sc0 src table other"),
    "in.txt:3: the table other is tracked, and no stick-table defines it; add one",
  ],
  [
    site("http-request track-sc0 src"),
    "in.txt:3: the table web is tracked, and no stick-table defines it; add one",
  ],
  [
    "backend b\n  stick-table size 1k",
    "in.txt:2: the stick-table has no type; add one, such as type ip",
  ],
  [
    site(
      "http-request track-sc0 src table addresses",
      "http-request deny if { sc_http_req_rate(0) gt 1 }",
    ).replace("(10s)", "(soon)"),
    "in.txt:9: http_req_rate(soon) has no period such as 10s",
  ],
])("%j is one problem with its line", (text, problem) => {
  const failed = readText(HAPROXY_READER, text);
  expect(isFailure(failed) ? failed.problems : failed).toEqual([problem]);
});

test.each(["rate", "admitted"])(
  "haproxy/%s decides as the world that was translated",
  async (variant) => {
    const compared = await decidesAsWorld(
      { name: `haproxy/${variant}`, file: "haproxy.cfg", reader: HAPROXY_READER },
      150,
    );
    expect(compared.worlds).toBeGreaterThan(20);
    expect(compared.refused).toBeGreaterThan(100);
  },
);
