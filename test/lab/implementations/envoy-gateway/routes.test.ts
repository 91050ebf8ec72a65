// Routes of the Gateway API: which policy has a request, by the route that it takes.
import { expect, test } from "vitest";
import { openOf, times, type Sent } from "../read-and-play.ts";
import { decide, limit, policy, read, route } from "./texts.ts";

const AT_START: Sent = { at: 0 };

test("routes have requests by hostname, path, method, headers and parameters, the closest first", () => {
  const matches = [
    "{ path: { value: / } }",
    "{ path: { value: /a } }",
    "{ path: { value: /a, type: Exact } }",
    "{ path: { value: '/r[0-9]+', type: RegularExpression } }",
    "{ path: { value: /a }, method: POST }",
    "{ path: { value: /a }, headers: [{ name: x, value: y }] }",
    "{ path: { value: /a }, queryParams: [{ name: q, value: v }] }",
  ];
  const routes = matches.map((match, index) => route(`r${index}`, match)).join("");
  const { rules } = read(
    matches
      .map((_, index) =>
        policy("global", [limit(1)], {
          name: `p${index}`,
          target: `kind: HTTPRoute, name: r${index}`,
        }),
      )
      .join("") + routes,
  );
  const routeOf = (sent: Sent): string => {
    const { method = "GET", path = "/", headers = {} } = sent;
    const request = {
      address: "",
      method,
      target: path,
      host: "",
      header: (name: string) => headers[name] ?? null,
    };
    return rules
      .flatMap(({ id, budgetOf }) => (budgetOf(request) === null ? [] : [id.slice(7, 9)]))
      .join();
  };
  expect(["/", "/ab", "/a/b", "/a", "/r12"].map((path) => routeOf({ path }))).toEqual([
    "p0",
    "p0",
    "p1",
    "p2",
    "p3",
  ]);
  expect(routeOf({ path: "/a/b", method: "POST" })).toBe("p4");
  expect(routeOf({ path: "/a/b", headers: { x: "y" } })).toBe("p5");
  expect(routeOf({ path: "/a/b?q=v" })).toBe("p6");
});

test.each([
  ["shop.example", ["shop.example", "SHOP.example:80"], ["a.shop.example"]],
  ["'*.shop.example'", ["a.shop.example", "b.a.shop.example"], ["shop.example"]],
])("the hostname %s has its hosts alone", (hostname, inside, outside) => {
  const text = policy("global", [limit(1)]) + route("r", "{}", `hostnames: [${hostname}]`);
  const isCounted = (host: string): boolean => decide(text, times(2, { at: 0, host })) === "+-";
  expect(inside.filter(isCounted)).toEqual(inside);
  expect(outside.filter(isCounted)).toEqual([]);
});

test("a name comes before a wildcard that has it too", () => {
  const routes = route("wide", "{}", "hostnames: ['*.x']") + route("r", "{}", "hostnames: [a.x]");
  const text = policy("global", [limit(1)]) + routes;
  const decideAt = (host: string): string => decide(text, times(2, { at: 0, host }));
  expect([decideAt("a.x"), decideAt("b.x")]).toEqual(["+-", "++"]);
});

test("a GRPCRoute has requests by service and method", () => {
  const text =
    policy("global", [limit(1)], { target: "kind: GRPCRoute, name: r" }) +
    route("r", "{ method: { service: a.B, method: C } }").replace("HTTPRoute", "GRPCRoute");
  const decideAt = (path: string): string =>
    decide(text, times(2, { at: 0, method: "POST", path }));
  expect([decideAt("/a.B/C"), decideAt("/a.B/D"), decideAt("/x/C")]).toEqual(["+-", "++", "++"]);
});

test("without their routes, the requests of targets are questions", () => {
  const one = policy("global", [limit(1)]);
  expect(decide(one, times(2, { at: 0, path: "/x" }))).toBe("+-");
  expect(decide(one, times(2, { at: 0, path: "/x" }), { values: { path_of_r: "/y" } })).toBe("++");
  expect(openOf(read(one))).toEqual([
    expect.stringMatching(/no file has the HTTPRoute r; its requests are taken to begin with \/,/),
  ]);
  const two = one + policy("global", [limit(2)], { name: "q", target: "kind: HTTPRoute, name: s" });
  expect(decide(two, [...times(2, { at: 0, path: "/r/x" }), ...times(3, { path: "/s" })])).toBe(
    "+-++-",
  );
});

test("routes of other files of the folder are used, and lists of resources", () => {
  const others = [{ file: "routes.yaml", text: route("r", "{ path: { value: /a } }") }];
  const text = policy("global", [limit(1)]);
  expect(decide(text, times(2, { at: 0, path: "/b" }), { others })).toBe("++");
  expect(decide(text, times(2, { at: 0, path: "/a" }), { others })).toBe("+-");
  const items = [policy("global", [limit(1)]), route("r", "{}")].map((each) =>
    each.replace("---\n", "").replaceAll("\n", "\n  "),
  );
  expect(
    decide(`apiVersion: v1\nkind: List\nitems:\n- ${items.join("\n- ")}`, times(2, AT_START)),
  ).toBe("+-");
});
