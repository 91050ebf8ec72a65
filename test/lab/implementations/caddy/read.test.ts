// The reader of Caddy: sentences of the documentation of caddy-ratelimit and of the Caddyfile, with a case each.
import { expect, test } from "vitest";
import { CADDY_READER } from "#src/lab/implementations/caddy/read.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { openOf, play, readText, startReading, times, type Sent } from "../read-and-play.ts";

const { read, decisions } = startReading(CADDY_READER);

const zone = (rest = "", name = "few"): string =>
  `rate_limit {\n zone ${name} {\n key {remote_host}\n events 1\n window 1m\n ${rest}\n }\n}\n`;

/** One site of every host. */
const site = (...lines: readonly string[]): string => `:80 {\n${lines.join("\n")}\n}\n`;

const to = (...paths: readonly string[]): readonly Sent[] => paths.map((path) => ({ at: 0, path }));

const SAMPLE = `{
	email admin@example.com
	order rate_limit before basic_auth
}
# limits of all sites
(limits) {
	rate_limit {
		zone slow {
			key {http.request.remote.host}
			events {$EVENTS:100}
			window 1m
			colour red
		}
		zone all {
			match {
				method GET
			}
			key static
			events 20
			window 1s
		}
		distributed
	}
}
a.example.com, b.example.com {
	import limits
	uri strip_prefix /v1
	basic_auth {
		ann hunter2
	}
	crowdsec
	reverse_proxy app:80
}
`;

test("each statement of a realistic file that may change a limit is named, and no secret is", () => {
  const configuration = read(SAMPLE);
  expect(openOf(configuration)).toMatchInlineSnapshot(`
    [
      "12 not understood colour red: this reader does not know it; if it limits requests, the result is wrong",
      "27 not understood uri strip_prefix /v1: it changes requests before a limit, and matchers see them as in the log here",
      "31 not understood crowdsec: it may limit requests, and this reader does not read it",
    ]
  `);
  expect(configuration.rules.map(({ sharesCounters }) => sharesCounters)).toEqual([true, true]);
  expect(JSON.stringify(configuration.statements)).not.toContain("hunter2");
  expect(configuration.questions).toMatchObject([{ name: "EVENTS", value: "100", line: 10 }]);
  expect(configuration.rules.map(({ id, line, written }) => `${line} ${id}: ${written}`))
    .toMatchInlineSnapshot(`
    [
      "14 zone all: 20 per 1s",
      "8 zone slow: 100 per 60s",
    ]
  `);
  expect(read(SAMPLE, { values: { EVENTS: "5" } }).rules[1]!.limit.rate).toBe(5);
});

test("it looks back over the window, and a request as old as the window still counts", () => {
  const text = site(zone().replace("events 1", "events 2"));
  const requests = [{ at: 0 }, { at: 30 }, { at: 59 }, { at: 60 }, { at: 60.1 }, { at: 89 }];
  expect(decisions(text, requests)).toBe("++--+-");
});

test("a refused request is not counted, and 0 events refuse all", () => {
  expect(decisions(site(zone()), [{ at: 0 }, { at: 50 }, { at: 61 }])).toBe("+-+");
  expect(decisions(site(zone().replace("events 1", "events 0")), [{ at: 0 }])).toBe("-");
});

test.each([
  ["{remote_host}", "+--+"],
  ["static", "+---"],
  ["{header.X-Key}", "++-+"],
  ["{http.request.header.x-key}", "++-+"],
  ["{path}", "+---"],
  ["{method}-{client_ip}", "+--+"],
])("the key %s", (key, decided) => {
  const text = site(zone().replace("{remote_host}", key));
  const sent = [
    { at: 0, headers: { "x-key": "a" } },
    { headers: { "x-key": "b" } },
    { headers: { "x-key": "a" } },
    { ip: "192.0.2.2", headers: { "x-key": "c" } },
  ];
  expect(decisions(text, sent)).toBe(decided);
});

test("an unknown placeholder is a question, because Caddy puts nothing in its place", () => {
  const text = site(zone().replace("{remote_host}", "{http.request.remote_ip}"));
  expect(openOf(read(text))).toEqual([
    "4 question key {http.request.remote_ip}: Caddy may not know {http.request.remote_ip}; all is taken",
  ]);
  expect(decisions(text, [{ at: 0 }, { ip: "192.0.2.2" }])).toBe("+-");
  const values = { http_request_remote_ip: "remote_address" };
  expect(decisions(text, [{ at: 0 }, { ip: "192.0.2.2" }], { values })).toBe("++");
});

test("ipv6_prefix counts a network together", () => {
  const sent = [{ at: 0, ip: "2001:db8::1" }, { ip: "2001:db8::2" }, { ip: "192.0.2.1" }];
  expect(decisions(site(zone()), sent)).toBe("+++");
  expect(decisions(site(zone("ipv6_prefix 64")), sent)).toBe("+-+");
});

test("zones of a handler come in turn, the one of the highest rate first", () => {
  const text = site(
    "rate_limit {\n zone a {\n key a\n events 2\n window 1h\n }\n zone b {\n key b\n events 1\n window 1m\n }\n}",
  );
  // Zone b refuses the second request, which zone a does not count for this reason.
  expect(decisions(text, [{ at: 0 }, { at: 1 }, { at: 61 }, { at: 125 }])).toBe("+-+-");
});

test.each([
  ["method POST", { method: "POST" }, {}],
  ["path /a*", { path: "/A1" }, { path: "/b" }],
  ["path *.php", { path: "/x/y.php" }, { path: "/y.phps" }],
  ["path /a/*/c", { path: "/a/b/c" }, { path: "/a/b/b/c" }],
  ["path_regexp ^/a[0-9]", { path: "/a1" }, { path: "/ab" }],
  ["header X-Plan free*", { headers: { "x-plan": "freemium" } }, { headers: { "x-plan": "pro" } }],
  ["header X-Plan", { headers: { "x-plan": "a" } }, {}],
  ["header_regexp X-Plan ^f", { headers: { "x-plan": "free" } }, { headers: { "x-plan": "pro" } }],
  ["remote_ip 10.0.0.0/8", { ip: "10.1.1.1" }, {}],
  ["not remote_ip private_ranges", {}, { ip: "10.1.1.1" }],
  ["query a=1", { path: "/?a=1" }, { path: "/?a=2" }],
  ["host *.a.com", { host: "b.a.com" }, { host: "a.org" }],
])("the matcher %s", (matcher, counted, other) => {
  for (const text of [
    site(zone(`match {\n ${matcher}\n }`)),
    site(`@some ${matcher}`, zone().replace("rate_limit", "rate_limit @some")),
    site(`@some {\n ${matcher}\n }`, `handle @some {\n ${zone()} }`),
  ]) {
    expect(decisions(text, [{ at: 0, ...counted }, counted])).toBe("+-");
    expect(decisions(text, [{ at: 0, ...other }, other])).toBe("++");
  }
});

test("a matcher that the reader does not know is a question", () => {
  const text = site("@some expression `{method} == 'GET'`", zone().replace("{", "@some {"));
  expect(openOf(read(text))).toEqual([expect.stringContaining("does not know the matcher")]);
  const values = { requests_of_expression_at_line_2: "none" };
  expect(decisions(text, times(2, { at: 0 }), { values })).toBe("++");
});

test("only the first handle that matches is evaluated, the longest path first", () => {
  const text = site(
    `handle /a* {\n ${zone()} }`,
    `handle {\n ${zone("", "other")} }`,
    "handle /ab {\n}",
  );
  expect(decisions(text, to("/a1", "/a2", "/ab", "/ab", "/c", "/c"))).toBe("+-+++-");
});

test("handle_path strips its path, and route keeps the order of its directives", () => {
  const inner = zone("match {\n path /x\n }");
  expect(decisions(site(`handle_path /a/* {\n ${inner} }`), to("/a/x", "/a/x", "/a/y"))).toBe(
    "+-+",
  );
  const route = site(`route {\n respond /ping pong\n ${zone()} }`);
  expect(decisions(route, to("/ping", "/ping", "/", "/"))).toBe("+++-");
});

test("redir comes before rate_limit, and basic_auth after it", () => {
  const text = site("redir /old /new", "basic_auth {\n}", zone());
  expect(decisions(text, to("/old", "/old", "/", "/"))).toBe("+++-");
  expect(openOf(read(text))).toEqual([]);
  const ordered = `{\norder rate_limit after basic_auth\n}\n${text}`;
  expect(openOf(read(ordered))).toEqual([
    expect.stringContaining("it may answer requests before they are counted"),
  ]);
});

test("a site with the host comes first, then one with an asterisk, then every host", () => {
  const text = `a.com {\n${zone("", "a")}}\n*.com {\n${zone("", "b")}}\n:443 {\n}\n`;
  const sent = ["a.com", "a.com", "b.com", "b.com:443", "c.org", "c.org"].map((host, index) => ({
    at: 0,
    host,
    ip: `192.0.2.${Math.floor(index / 2)}`,
  }));
  expect(decisions(text, sent)).toBe("+-+-++");
  const configuration = read(text);
  play(configuration, [{ at: 0 }]);
  expect(configuration.questions).toMatchObject([{ name: "host", value: "a.com" }]);
});

test("an address of a variable that only production has is that of every host", () => {
  const text = `{$DOMAIN} {\n${zone()}}\nb.{$DOMAIN} {\n${zone("", "other")}}\n`;
  const sent = ["a.com", "a.com", "b.a.com"].map((host) => ({ at: 0, host }));
  expect(decisions(text, sent)).toBe("+-+");
  expect(read(text).questions).toMatchObject([{ name: "DOMAIN", value: "", isSet: false }]);
  const values = { DOMAIN: "a.com" };
  expect(decisions(text, times(2, { at: 0, host: "c.com" }), { values })).toBe("++");
});

test("sites that import a snippet share its zones, and zones of one name count together", () => {
  const text = `(few) {\n${zone()}}\na.com {\nimport few\n}\nb.com {\nimport few\n}\n`;
  expect(read(text).rules).toHaveLength(1);
  expect(decisions(text, [{ at: 0, host: "a.com" }, { host: "b.com" }])).toBe("+-");
  const withValues = text
    .replace("events 1", "events {args[0]}")
    .replace("import few", "import few 2")
    .replace("import few\n", "import few 3\n");
  expect(read(withValues).rules.map(({ limit }) => limit.rate)).toEqual([2, 3]);
});

test("an imported file, a site without braces, and words with quotes", () => {
  const files = { "limits.caddy": zone() };
  expect(decisions(site("import limits.caddy"), times(2, { at: 0 }), { files })).toBe("+-");
  expect(read("example.com\nreverse_proxy a:80\n").rules).toEqual([]);
  expect(decisions(`:80\n${zone()}`, times(2, { at: 0 }))).toBe("+-");
  const quoted = site(zone().replace("{remote_host}", '"a b" # a comment'), "respond `{`");
  expect(decisions(quoted, [{ at: 0 }, { ip: "192.0.2.2" }])).toBe("+-");
});

test("rate_limit of another module is not understood", () => {
  expect(openOf(read(site("rate_limit {remote.ip} 2r/m")))).toEqual([
    expect.stringContaining("this is the syntax of another module, so that this limit is missing"),
  ]);
});

test.each([
  [":80 {\n", 'in.txt:1: a block is open; close it by "}"'],
  [":80 {\n}\n}\n", 'in.txt:3: "}" closes no block; remove it'],
  [site(zone().replace("1m", "soon")), 'in.txt:6: window is "soon"; write a duration such as 1m'],
  [site(zone().replace("events 1", "")), "in.txt:3: zone few has no events; write an integer"],
  [
    site(zone().replace("events 1", "events {$MOST}")),
    "in.txt:5: events is the variable MOST, which has no default; write --set MOST=VALUE",
  ],
  ["(a) {\nimport a\n}\n:80 {\nimport a\n}\n", "in.txt:2: import a imports itself"],
  [site("import none"), "in.txt:2: none does not exist"],
  [site("handle @none {\n}"), "in.txt:2: the matcher @none is not defined; define it in this site"],
])("%j is one problem", (text, problem) => {
  const failed = readText(CADDY_READER, text);
  expect(isFailure(failed) ? failed.problems : failed).toEqual([expect.stringContaining(problem)]);
});
