// The reader of Traefik: sentences of the documentation of rateLimit and routers, with a case each.
import { expect, test } from "vitest";
import { TRAEFIK_READER } from "#src/lab/implementations/traefik/read.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { openOf, play, readText, startReading, times } from "../read-and-play.ts";

const { read, decisions } = startReading(TRAEFIK_READER);

/** A file with one limit, and a router of every request that has it. */
const file = (limit: string, router = "rule: PathPrefix(`/`), middlewares: [few]"): string =>
  `http:\n  middlewares:\n    few: { rateLimit: { ${limit} } }\n  routers:\n    all: { ${router}, service: a }\n`;

const SAMPLE = `http:
  routers:
    api:
      rule: Host(\`example.com\`) && PathPrefix(\`/api\`)
      entryPoints: [websecure]
      middlewares: [guard, ours@docker]
      service: api
      tls: { certResolver: le }
  middlewares:
    guard:
      chain: { middlewares: [secret, slow, few] }
    secret:
      basicAuth: { users: ["ann:$apr1$x"] }
    slow:
      inFlightReq: { amount: 5 }
    few:
      rateLimit:
        average: 10
        period: 1m
        burst: 100
        colour: red
    waf:
      plugin: { waf: { on: true } }
    spare:
      rateLimit: { average: 1 }
  services:
    api: { loadBalancer: { servers: [{ url: "http://a" }] } }
`;

test("each field of a realistic file that may change a limit is named, and no secret is", () => {
  const configuration = read(SAMPLE);
  expect(openOf(configuration)).toMatchInlineSnapshot(`
    [
      "6 not understood - ours@docker: the middleware ours is not in this file; if it limits requests, this limit is missing",
      "12 not understood secret:: it may answer requests before they are counted, and here they count",
      "14 not understood slow:: it may answer requests before they are counted, and here they count",
      "15 not understood inFlightReq:: it limits requests at the same time, which this reader does not read",
      "20 not understood burst: 100: after 7 s without a request Traefik starts with a full bucket, so that it refuses fewer than here",
      "21 not understood colour: red: this reader does not know it; if it limits requests, the result is wrong",
      "23 not understood plugin:: it is code; if it limits or ends requests, the result is wrong",
      "25 question average: 1: no router of this file has it; all is taken",
    ]
  `);
  expect(JSON.stringify(configuration.statements)).not.toContain("apr1");
  expect(configuration.rules.map(({ id, line, written }) => `${line} ${id}: ${written}`))
    .toMatchInlineSnapshot(`
    [
      "18 middleware few of router api: 10 per 60s, burst 100",
      "25 middleware spare: 1 per 1s, burst 1",
    ]
  `);
});

test("average is the rate per period, by default of a second, and burst is 1 by default", () => {
  const [rule] = read(file("average: 100")).rules;
  expect(rule!.written).toBe("100 per 1s, burst 1");
  expect(read(file("average: 6, period: 1m, burst: 9")).rules[0]!.written).toBe(
    "6 per 60s, burst 9",
  );
});

test("burst is the size of the bucket, and average / period fills it", () => {
  // One more at once: it waits for half of the time that a token takes, and no longer.
  expect(decisions(file("average: 10, burst: 3"), times(5, { at: 0 }))).toBe("+++--");
  const later = [
    ...times(4, { at: 0 }),
    { at: 0.049 },
    { at: 0.051 },
    { at: 0.149 },
    { at: 0.151 },
  ];
  expect(decisions(file("average: 10, burst: 3"), later)).toBe("+++--+-+");
});

test("below one request per second a request waits for half a second at most", () => {
  const text = file("average: 6, period: 1m");
  expect(decisions(text, [{ at: 0 }, { at: 9.4 }, { at: 9.6 }])).toBe("+-+");
});

test("an average of 0 means no limit", () => {
  expect(read(file("average: 0, burst: 5")).rules).toEqual([]);
  expect(read(file("burst: 5")).rules).toEqual([]);
});

test.each([
  ["the address is the default", "", [{ at: 0 }, { ip: "192.0.2.2" }, {}], "++-"],
  [
    "requestHost",
    ", sourceCriterion: { requestHost: true }",
    [{ at: 0, host: "a" }, { host: "b" }, { host: "a", ip: "192.0.2.2" }],
    "++-",
  ],
  [
    "requestHeaderName, and requests without the header are one client",
    ", sourceCriterion: { requestHeaderName: X-Key }",
    [{ at: 0, headers: { "x-key": "a" } }, {}, { headers: { "x-key": "a" } }, { ip: "192.0.2.2" }],
    "++--",
  ],
])("sourceCriterion: %s", (_, criterion, requests, decided) => {
  expect(decisions(file(`average: 1${criterion}`), requests)).toBe(decided);
});

test("the depth of ipStrategy is a question, because X-Forwarded-For has the client", () => {
  const text = file("average: 1, sourceCriterion: { ipStrategy: { depth: 2 } }");
  expect(openOf(read(text))).toEqual([
    "3 question depth: 2: X-Forwarded-For has the client; remote_address is taken",
  ]);
  const values = { client_of_few: "header:x-forwarded-for" };
  const sent = ["a", "b", "a"].map((each) => ({ at: 0, headers: { "x-forwarded-for": each } }));
  expect(decisions(text, sent, { values })).toBe("++-");
});

test("the router of the highest priority, by default of the longest rule, has a request", () => {
  const text = `http:
  middlewares: { few: { rateLimit: { average: 1 } } }
  routers:
    all: { rule: "PathPrefix(\`/\`)", middlewares: [few] }
    a: { rule: "PathPrefix(\`/a\`)" }
    b: { rule: "PathPrefix(\`/bbbb\`)", priority: 1 }
`;
  const sent = ["/", "/a", "/a", "/bbbb", "/", "/c"].map((path) => ({ at: 0, path }));
  expect(decisions(text, sent)).toBe("+++---");
});

test("each router has buckets of its own, unless Redis has them", () => {
  const of = (redis: string): string => `http:
  middlewares: { few: { rateLimit: { average: 1${redis} } } }
  routers:
    a: { rule: "Path(\`/a\`)", middlewares: [few] }
    b: { rule: "Path(\`/b\`)", middlewares: [few] }
`;
  const sent = ["/a", "/b", "/b", "/c"].map((path) => ({ at: 0, path }));
  expect(decisions(of(""), sent)).toBe("++-+");
  expect(decisions(of(", redis: { endpoints: [redis:6379] }"), sent)).toBe("+--+");
  const sharing = read(of(", redis: {}")).rules.map(({ sharesCounters }) => sharesCounters);
  expect(sharing).toEqual([true, true]);
});

test("limits of a router come in turn", () => {
  const text = `http:
  middlewares: { one: { rateLimit: { average: 1, period: 1h, burst: 2 } }, two: { rateLimit: { average: 1 } } }
  routers: { a: { rule: "Path(\`/\`)", middlewares: [one, two] } }
`;
  // The second request spends of the first limit, although the second limit refuses it.
  expect(decisions(text, [{ at: 0 }, {}, { at: 5 }])).toBe("+--");
});

test.each([
  ["Host(`a.example`)", { host: "A.example" }, { host: "b.example" }],
  ["Host(`a.example`, `b.example`)", { host: "b.example" }, { host: "c.example" }],
  ["HostRegexp(`^.+\\\\.example$`)", { host: "a.example" }, { host: "example" }],
  ["HostRegexp(`{sub:[a-z]+}.example`)", { host: "a.example" }, { host: "1.example" }],
  ["Path(`/a`)", { path: "/a?b" }, { path: "/a/" }],
  ["Path(`/a/{id:[0-9]+}`)", { path: "/a/1" }, { path: "/a/b" }],
  ["PathPrefix(`/a`)", { path: "/ab" }, { path: "/b" }],
  ["PathRegexp(`\\\\.php$`)", { path: "/a.php" }, { path: "/a.phps" }],
  ["Method(`POST`) && !Path(`/b`)", { method: "POST" }, { method: "POST", path: "/b" }],
  ["(Path(`/a`) || Path(`/b`)) && Method(`GET`)", { path: "/b" }, { method: "PUT", path: "/b" }],
  ["Header(`X-A`, `1`)", { headers: { "x-a": "1" } }, { headers: { "x-a": "2" } }],
  ["HeadersRegexp(`X-A`, `^1`)", { headers: { "x-a": "12" } }, { headers: { "x-a": "2" } }],
  ["Query(`a`, `1`)", { path: "/?a=1" }, { path: "/?a=2" }],
  ["Query(`a=1`)", { path: "/?a=1" }, { path: "/?b" }],
  ["ClientIP(`10.0.0.0/8`)", { ip: "10.1.2.3" }, { ip: "192.0.2.1" }],
])("the rule %s", (rule, counted, other) => {
  const text = file("average: 1", `rule: "${rule}", middlewares: [few]`);
  expect(decisions(text, [{ at: 0, ...counted }, counted])).toBe("+-");
  expect(decisions(text, [{ at: 0, ...other }, other])).toBe("++");
});

test("an unknown rule, and a limit without a router, are questions", () => {
  const unknown = file("average: 1", 'rule: "Weather(`fine`)", middlewares: [few]');
  expect(openOf(read(unknown))).toEqual([
    expect.stringContaining(
      "this reader does not know the rule (Weather is not known); all is taken",
    ),
  ]);
  const unused = file("average: 1", "rule: Path(`/`)");
  expect(openOf(read(unused))).toEqual([
    "3 question average: 1: no router of this file has it; all is taken",
  ]);
  const values = { requests_of_few: "path:/a" };
  expect(decisions(unused, times(2, { at: 0, path: "/a" }), { values })).toBe("+-");
  expect(decisions(unused, times(2, { at: 0, path: "/b" }), { values })).toBe("++");
});

test("a log has no entry points, so routers of two of them leave a question", () => {
  const text = `http:
  middlewares: { few: { rateLimit: { average: 1 } }, secure: { redirectScheme: { scheme: https } } }
  routers:
    plain: { rule: "Path(\`/\`)", entryPoints: [web], middlewares: [secure] }
    tls: { rule: "Path(\`/\`)", entryPoints: [websecure], middlewares: [few] }
`;
  expect(read(text).questions).toMatchObject([{ name: "entry_point", value: "websecure" }]);
  expect(decisions(text, times(2, { at: 0 }))).toBe("+-");
  expect(decisions(text, times(2, { at: 0 }), { values: { entry_point: "web" } })).toBe("++");
});

test("TOML has the same limits", () => {
  const text = `# limits
[http.routers."all"]
  rule = 'PathPrefix(\`/a\`)' # of all
  middlewares = [
    "few",
  ]
[http.middlewares]
  [http.middlewares.few.rateLimit]
  average = 1_0
  period = "1m"
  burst = 2
    [http.middlewares.few.rateLimit.sourceCriterion]
    requestHeaderName = "X-Key"
`;
  expect(read(text).rules).toMatchObject([{ line: 9, written: "10 per 60s, burst 2" }]);
  expect(decisions(text, times(3, { at: 0, path: "/a" }))).toBe("++-");
});

test("labels of containers have the same limits, in any letter case", () => {
  const text = `services:
  app:
    image: app
    labels:
      - traefik.enable=true
      - traefik.http.middlewares.few.ratelimit.average=1
      - "traefik.http.middlewares.few.ratelimit.sourcecriterion.requestheadername=X-Key"
      - "traefik.http.routers.app.rule=PathPrefix(\`/a\`)"
      - traefik.http.routers.app.middlewares=few@docker
`;
  expect(read(text).rules).toMatchObject([{ line: 6, written: "1 per 1s, burst 1" }]);
  const sent = ["/a", "/b", "/a"].map((path) => ({ at: 0, path }));
  expect(decisions(text, sent)).toBe("++-");
});

test("Middleware and IngressRoute of Kubernetes", () => {
  const text = `apiVersion: traefik.io/v1alpha1
kind: Middleware
metadata: { name: few, namespace: shop }
spec: { rateLimit: { average: 1, period: 60 } }
---
apiVersion: traefik.io/v1alpha1
kind: IngressRoute
metadata: { name: app, namespace: shop }
spec:
  routes:
  - { match: "PathPrefix(\`/a\`)", kind: Rule, middlewares: [{ name: few }], services: [{ name: a }] }
`;
  const sent = ["/a", "/b", "/a"].map((path) => ({ at: 0, path }));
  expect(decisions(text, sent)).toBe("++-");
  expect(read(text).questions).toEqual([]);
  expect(read(text.split("---")[0]!).questions).toMatchObject([{ name: "requests_of_shop_few" }]);
  const items = text.split("---\n").map((each) => `- ${each.replaceAll("\n", "\n  ").trimEnd()}\n`);
  const list = `apiVersion: v1\nkind: List\nitems:\n${items.join("")}`;
  expect(decisions(list, sent)).toBe("++-");
});

test("a folder of dynamic files is one configuration, and each statement names its file", () => {
  const limit = (average: number): string =>
    `http:\n  middlewares:\n    few: { rateLimit: { average: ${average} } }\n`;
  const others = [
    { file: "b.yml", text: `${limit(1)}    spare: { rateLimit: { average: 7 } }\n` },
    { file: "c.toml", text: "[http.middlewares.few.rateLimit]\naverage = 9\n" },
    {
      file: "traefik.yml",
      text: "entryPoints:\n  web:\n    http: { middlewares: [few@file] }\n",
    },
    { file: "other.yml", text: "nothing: of Traefik\n" },
  ];
  const text = "http:\n  routers:\n    all: { rule: Path(`/`), middlewares: [few, gone] }\n";
  const folder = read(text, { others });
  expect(folder.rules.map(({ id, file: of, line }) => `${of}:${line} ${id}`)).toEqual([
    "b.yml:3 middleware few of router all",
    "b.yml:4 middleware spare",
  ]);
  expect(play(folder, times(2, { at: 0 }))).toBe("+-");
  const open = folder.statements.filter(({ role }) => /^(?:question|not)/.test(role));
  expect(open.map(({ file: of, line, consequence }) => `${of}:${line} ${consequence}`)).toEqual([
    "in.txt:3 the middleware gone is not in these files; if it limits requests, this limit is missing",
    "b.yml:4 no router of these files has it; all is taken",
    "c.toml:1 the first middleware few is taken, and this one is not read",
    "traefik.yml:3 middlewares of an entry point come before those of routers, and are not read",
  ]);
  expect(folder.questions).toMatchObject([{ name: "requests_of_spare", file: "b.yml", line: 4 }]);
  const broken = readText(TRAEFIK_READER, text, {
    others: [{ file: "b.yml", text: limit(1).replace("1", "many") }],
  });
  expect(broken).toMatchObject({
    problems: ['b.yml:3: average is "many"; write an integer of at least 0'],
  });
});

test.each([
  ["http:\n  routers: [\n", "this is not YAML:"],
  ["[http.routers.a]\nrule = Path\n", "in.txt:2: this is not TOML: Path is no value"],
  [
    "[http.routers.a]\n[http.routers.a.b]\nc = 1\nc = 2\n",
    "in.txt:4: this is not TOML: c is given twice",
  ],
  ['[http.middlewares.a]\nrule = "x\n', "in.txt:2: this is not TOML: a quote is missing"],
  [file("average: many"), 'in.txt:3: average is "many"; write an integer of at least 0'],
  [file("average: 1, period: soon"), 'in.txt:3: period is "soon"; write a duration such as 1m'],
  [
    file("average: 1, sourceCriterion: { ipStrategy: { excludedIPs: [x] } }"),
    'in.txt:3: excludedIPs has "x"; write an address or network',
  ],
])("%j is one problem", (text, problem) => {
  const failed = readText(TRAEFIK_READER, text);
  expect(isFailure(failed) ? failed.problems : failed).toEqual([expect.stringContaining(problem)]);
});
