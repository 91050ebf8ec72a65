// The limits and keys that the reader of nginx finds. That nginx decides so is compared with nginx itself in
// test/studies/implementations/configurations.test.ts.
import { describe, expect, test } from "vitest";
import { FILE, read, problemsOf, budgets, zone, budgetBy, locationOf, blockOf } from "./reader.ts";

describe("limits", () => {
  test("a rule has the rate, the burst with the request itself, the status and the dry run", () => {
    const { rules, order } = read(`
      limit_req_zone $remote_addr zone=a:1m rate=30r/m;
      limit_req_status 429;
      server { limit_req zone=a burst=5; location /x { limit_req_dry_run on; } }`);
    expect(order).toBe("together");
    expect(
      rules.map(({ id, limit, written, status, isDryRun, options, line }) => ({
        id,
        limit,
        written,
        status,
        isDryRun,
        burst: options.burst,
        line,
      })),
    ).toEqual([
      {
        id: "zone a, burst 5, status 429",
        limit: { rate: 30, perUs: 60_000_000 },
        written: "30r/m",
        status: 429,
        isDryRun: false,
        burst: 6,
        line: 4,
      },
      expect.objectContaining({ id: "zone a, burst 5, dry run, status 429", isDryRun: true }),
    ]);
    expect(new Set(rules.map(({ counters }) => counters)).size).toBe(1);
  });

  test("a limit knows the return that answers all its requests before it counts them", () => {
    const findAnswer = (inside: string, before = ""): unknown =>
      read(
        `limit_req_zone k zone=a:1m rate=1r/s;server { ${before} limit_req zone=a;\nlocation / { ${inside} } }`,
      ).rules[0]!.answeredBy;
    expect(findAnswer("return 200;")).toEqual({ file: FILE, line: 2, text: "return 200" });
    expect(findAnswer("", "return 301 /x;")).toMatchObject({ line: 1, text: "return 301 /x" });
    for (const inside of ["", "break; return 200;", "rewrite ^/a /b last; return 200;"])
      expect(findAnswer(inside)).toBeUndefined();
    expect(findAnswer("if ($arg_a) { return 403; }")).toBeUndefined();
    expect(findAnswer("return 200; } location /api {")).toBeUndefined();
  });

  test("a rate per minute counts whole thousandths of a request for each second, as nginx does", () => {
    const { rules } = read("limit_req_zone k zone=a:1m rate=10r/m;server { limit_req zone=a; }");
    expect(rules[0]!.limit).toEqual({ rate: 166, perUs: 1_000_000_000 });
    expect(rules[0]!.written).toBe("10r/m");
  });

  test("a block with a limit of its own inherits none", () => {
    const server = `server { limit_req zone=outer; location /own ${blockOf("inner")} location /none { root /; } }`;
    expect(locationOf(server, "/own")).toBe("inner");
    expect(locationOf(server, "/none")).toBe("outer");
    expect(locationOf(server, "/")).toBe("outer");
  });

  test.each([
    [
      "limit_req_zone k zone=a:1m rate=1r/s; server { limit_req zone=b; }",
      "names the zone b, which no limit_req_zone defines; add one, or name the main file that includes this one",
    ],
    ["server { limit_req burst=1; }", "limit_req has no zone; write zone=NAME"],
    [
      `${zone("k")}server { limit_req zone=a burst=x; }`,
      'has the burst "x"; write an integer above 0',
    ],
    [
      `${zone("k")}server { limit_req zone=a; limit_req zone=a burst=1; }`,
      "names the zone a again in the same block; remove one",
    ],
    [
      `${zone("k")}${zone("k")}server { limit_req zone=a; }`,
      "defines the zone a again; remove one of the two",
    ],
    [
      "limit_req_zone k zone=a:1m rate=${RATE};",
      'has the rate "${RATE}"; render the template first, such as by envsubst',
    ],
    [
      "limit_req_zone k zone=a:1m rate=1.5r/s;",
      'has the rate "1.5r/s"; write one such as rate=10r/s or rate=30r/m',
    ],
    ["limit_req_zone k rate=1r/s;", "limit_req_zone has no zone; write zone=NAME:SIZE"],
    [
      `${zone("k")}limit_req_status no;server { limit_req zone=a; }`,
      "limit_req_status that is no integer",
    ],
    [
      `map $b $a { default $b; } map $a $b { default $a; } ${zone("$a")}server { limit_req zone=a; }`,
      "the variables $a, $b need each other",
    ],
    [
      `${zone("k")}server { location ~ ^/(?>a)$ { limit_req zone=a; } }`,
      "Weir cannot read the pattern ^/(?>a)$",
    ],
    [`${zone("k")}server { location ~ ( { limit_req zone=a; } }`, "Weir cannot read the pattern ("],
  ])("%s", (text, problem) => {
    const problems = problemsOf(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
    expect(problems[0]).toMatch(/^nginx\.conf:\d+: /);
  });
});

describe("keys", () => {
  test("an empty key is not counted", () => {
    expect(budgetBy("$http_x_plan", "", "/")).toBeUndefined();
    expect(budgetBy("$http_x_plan", "", "/", { headers: { "x-plan": "a" } })).toBe("a");
  });

  test.each([
    ["$request_method-$uri", "/a//b/../%63?d", "GET-/a/c"],
    ["$request_uri", "/a//b?d", "/a//b?d"],
    ["$args$is_args", "/a?b=1", "b=1?"],
    ["$arg_user", "/?x=1&USER=a%20b&user=c", "a%20b"],
    ["${remote_addr}x", "/", "192.0.2.1x"],
    ["all", "/", "all"],
  ])("%s of %s", (key, target, budget) => {
    expect(budgetBy(key, "", target)).toBe(budget);
  });

  test("a cookie is found by its name without case", () => {
    expect(budgetBy("$cookie_sid", "", "/", { headers: { cookie: "a=1; SID=b=c; sid=d" } })).toBe(
      "b=c",
    );
  });

  test("the spellings of an address are one client by its bytes", () => {
    const of = (address: string): string | undefined =>
      budgetBy("$binary_remote_addr", "", "/", { address });
    expect(of("2001:db8::1")).toBe(of("2001:DB8:0:0::1"));
  });

  test.each([
    ["GOLD", "equal"],
    ["", "without"],
    ["s12", "12"],
    ["S12", "other"],
    ["~x", "escaped"],
    ["x", "192.0.2.1"],
  ])("map finds %s", (plan, budget) => {
    const table = `map $http_x_plan $key {
      default $remote_addr; "" without; gold equal; ~^s(\\d+)$ $1; ~*^s other; "\\~x" escaped; }\n`;
    expect(budgetBy("$key", table, "/", { headers: { "x-plan": plan } })).toBe(budget);
  });

  test("an empty value of map meets no pattern", () => {
    expect(budgetBy("$key", "map $http_x $key { ~^ pattern; default usual; }\n", "/")).toBe(
      "usual",
    );
  });

  test("map finds the longest mask of a host", () => {
    const table =
      "map $host $key { hostnames; *.b.test short; *.a.b.test long; .c.test dot; d.* start; }\n";
    const of = (host: string): string | undefined => budgetBy("$key", table, "/", { host });
    expect(of("x.a.b.test")).toBe("long");
    expect(of("x.b.test:80")).toBe("short");
    expect(of("c.test")).toBe("dot");
    expect(of("d.test")).toBe("start");
    expect(of("b.test")).toBeUndefined();
  });

  test("geo finds the most specific network", () => {
    const table = `geo $key { default outside; 192.0.0.0/8 wide; 192.0.2.0/24 near; 192.0.2.7 one;
      2001:db8::/32 six; 10.0.0.0/8 gone; delete 10.0.0.0/8; }\n`;
    const of = (address: string): string | undefined => budgetBy("$key", table, "/", { address });
    expect(
      ["192.9.9.9", "192.0.2.9", "192.0.2.7", "2001:db8::9", "10.1.1.1", "odd"].map(of),
    ).toEqual(["wide", "near", "one", "six", "outside", "outside"]);
    expect(
      ["191.255.255.255", "192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"].map(of),
    ).toEqual(["outside", "wide", "near", "near", "wide"]);
    expect(["2001:db8:ffff::ffff", "2001:db9::"].map(of)).toEqual(["six", "outside"]);
  });

  test("geo has ranges", () => {
    const table = "geo $key { ranges; default no; 192.0.2.0-192.0.2.9 yes; }\n";
    expect(budgetBy("$key", table, "/", { address: "192.0.2.9" })).toBe("yes");
    expect(budgetBy("$key", table, "/", { address: "192.0.2.10" })).toBe("no");
  });

  test("set and if change a variable in their order", () => {
    const text = `${zone("$key")}server { limit_req zone=a; set $key $remote_addr;
      if ($http_x_plan = gold) { set $key ""; } if ($http_x_plan ~ "^s(\\d)$") { set $key "s$1"; } }`;
    const of = (plan: string): unknown =>
      budgets(read(text), "/", { headers: { "x-plan": plan } })["zone a, burst 0"];
    expect(["free", "gold", "s7"].map(of)).toEqual(["192.0.2.1", undefined, "s7"]);
  });

  test("a variable that only production has is a question, with the value of --set", () => {
    const text = `${zone("$jwt_claim_sub")}server { limit_req zone=a; }`;
    expect(read(text).questions).toEqual([
      { name: "jwt_claim_sub", file: FILE, line: 1, value: "", isSet: false },
    ]);
    expect(read(text).statements[0]).toMatchObject({
      role: "question",
      consequence:
        "$jwt_claim_sub is taken as empty, and nginx counts no request with an empty key",
    });
    expect(budgets(read(text), "/")).toEqual({});
    const set = read(text, {}, { jwt_claim_sub: "me" });
    expect(set.questions[0]).toMatchObject({ value: "me", isSet: true });
    expect(budgets(set, "/")).toEqual({ "zone a, burst 0": "me" });
  });
});
