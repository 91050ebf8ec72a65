// What every route of every listener for operators has in common: headers for browsers, and no answer by a strange name.
import { Agent, request, type IncomingHttpHeaders } from "node:http";
import { expect, test } from "vitest";
import { INTERFACES, type InterfaceName } from "#src/gateway/management/interface-name.ts";
import { OPERATIONS } from "#src/gateway/management/interfaces.ts";
import { metricsPage } from "#src/gateway/http/metrics-page.node.ts";
import { BASES, CREDENTIALS } from "../app.ts";
import {
  startManagedListener,
  credentialHeader,
  type ManagedListener,
} from "./managed-listener.ts";
import { gatewayTo, message, speak, statuses } from "../../http/wire.ts";

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface RouteRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const agent = new Agent({ keepAlive: true });

/** By node:http, because fetch neither sets a Host header nor sends TRACE. */
const send = ({ url }: { readonly url: URL }, { method, path, headers = {}, body }: RouteRequest) =>
  new Promise<Answer>((resolve, reject) => {
    const { hostname: host, port } = url;
    const sending = request({ agent, host, port, method, path, headers }, (answer) => {
      let text = "";
      answer.setEncoding("latin1").on("data", (piece: string) => (text += piece));
      answer.on("end", () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, text }),
      );
    });
    sending.on("error", reject);
    sending.end(body);
  });

/** A path that matches the route. */
const pathOf = (url: string): string =>
  url.replaceAll(/:\w+/g, "some").replace("*", "swagger-ui.css");

const BROWSERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
};

/** Wrong headers of a response. Caches may store a static part of the documentation, which is public. */
function headerProblems({ headers }: Answer, isPart: boolean): readonly string[] {
  const wrong = Object.entries(BROWSERS).filter(([name, value]) => headers[name] !== value);
  const policy = String(headers["content-security-policy"]);
  const isStrict = /default-src '(?:none|self)'/.test(policy);
  return [
    ...wrong.map(([name]) => `${name}: ${String(headers[name])}`),
    ...(isStrict && policy.includes("frame-ancestors 'none'") ? [] : [`policy ${policy}`]),
    ...(isPart || headers["cache-control"] === "no-store" ? [] : ["may be kept by caches"]),
  ];
}

/** As the owner of every interface: none of them looks at another's header. */
const credentialsFor = (url: string): Record<string, string> => {
  const name = INTERFACES.find((each) => url.startsWith(`/${each}/`)) ?? "admin";
  const at: InterfaceName = url.startsWith("/admin") ? "admin" : name;
  return credentialHeader(at, CREDENTIALS[at]);
};

test("the routes include all operations, admin routes and pages", async () => {
  const { routes } = await startManagedListener();
  expect(routes.length).toBeGreaterThan(OPERATIONS.length);
  for (const url of ["/admin/reload", "/admin/dry-run", "/page", "/docs", "/portal/docs"])
    expect(routes.map((each) => each.url)).toContain(url);
});

test("every response of every route has the headers for browsers", async () => {
  const server = await startManagedListener();
  const problems: string[] = [];
  const sendChecked = async (routeRequest: RouteRequest): Promise<Answer> => {
    const answer = await send(server, routeRequest);
    const isPart = answer.status === 200 && routeRequest.path.includes("/docs/static/");
    for (const problem of headerProblems(answer, isPart))
      problems.push(`${routeRequest.method} ${routeRequest.path} ${answer.status}: ${problem}`);
    return answer;
  };
  const statuses = new Set<number>();
  for (const { method, url } of server.routes) {
    const path = pathOf(url);
    const headers = credentialsFor(url);
    const json = { ...headers, "Content-Type": "application/json" };
    for (const routeRequest of [
      { method, path },
      { method, path, headers },
      ...(["POST", "PUT", "PATCH"].includes(method)
        ? [
            { method, path, headers: json, body: "{" },
            { method, path, headers: json, body: "{}" },
            { method, path, headers, body: "x" },
          ]
        : []),
      { method, path, headers: { ...headers, Host: "evil.example" } },
    ])
      statuses.add((await sendChecked(routeRequest)).status);
  }
  for (const path of ["/", "/nowhere", "/studio", "/portal/nowhere", "/studio/api/v1/%zz", "/%"])
    for (const headers of [{}, credentialsFor(path)])
      statuses.add((await sendChecked({ method: "GET", path, headers })).status);
  expect(problems).toEqual([]);
  for (const status of [200, 201, 400, 401, 404, 405, 415, 421])
    expect([...statuses]).toContain(status);
});

test("every route of a listener rejects an unknown host", async () => {
  const server = await startManagedListener();
  for (const { method, url } of [...server.routes, { method: "GET", url: "/nowhere" }]) {
    const path = pathOf(url);
    const headers = { ...credentialsFor(url), Host: "evil.example:8081" };
    const { status, text } = await send(server, { method, path, headers });
    expect([method, path, status]).toEqual([method, path, 421]);
    const namesHost = text.includes('\\"evil.example\\"; admin.hosts lists');
    expect([path, namesHost]).toEqual([path, method !== "HEAD"]);
  }
});

test("a host that the setting lists is accepted from the next request on", async () => {
  const hosts: string[] = [];
  const server = await startManagedListener({}, { hosts: () => hosts });
  const named = { method: "GET", path: "/page", headers: { Host: "weir.example.com" } };
  expect((await send(server, named)).status).toBe(421);
  hosts.push("weir.example.com");
  expect((await send(server, named)).status).toBe(200);
});

test("of two Host headers none is taken", async () => {
  const { url } = await startManagedListener();
  for (const path of ["/page", "/portal/portal-api/webhooks", "/admin/reload"]) {
    const head = message(`GET ${path} HTTP/1.1`, "Host: localhost", "Host: evil.example");
    const { text } = await speak(url, head, /more than one host header/);
    expect(statuses(text)).toEqual([400]);
  }
});

test("no route answers to TRACE, and none sends it back", async () => {
  const server = await startManagedListener();
  for (const url of new Set(server.routes.map((each) => each.url))) {
    const headers = { ...credentialsFor(url), "X-Seen": "sesame" };
    const path = pathOf(url);
    const { status, text } = await send(server, { method: "TRACE", path, headers });
    expect([path, [404, 405].includes(status)]).toEqual([path, true]);
    expect(text).not.toContain("sesame");
  }
});

test("/docs leads to the documents of all interfaces, unless one of them is at the root", async () => {
  const server = await startManagedListener();
  const page = await send(server, { method: "GET", path: "/docs" });
  expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  const links = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);
  expect(links).toHaveLength(INTERFACES.length);
  for (const path of links) expect((await send(server, { method: "GET", path })).status).toBe(200);
  const root = await send(server, { method: "GET", path: "/" });
  expect([root.status, root.text]).toEqual([200, page.text]);
  expect((await send(server, { method: "POST", path: "/" })).status).toBe(405);
});

test("no path leads out of the documentation, and none causes an internal error", async () => {
  const server = await startManagedListener();
  const file = "../".repeat(6);
  for (const path of [`${file}package.json`, file.replaceAll("/", "%2f"), "..%5c..%5cx", "%00"])
    for (const name of INTERFACES) {
      const at = `${BASES[name]}/docs/static/${path}`;
      const { status } = await send(server, { method: "GET", path: at });
      expect([at, [400, 404].includes(status)]).toEqual([at, true]);
    }
  expect(server.lines).toEqual([]);
});

test("two credentials of one name are none", async () => {
  const server: ManagedListener = await startManagedListener();
  for (const { method, url } of server.routes.filter(({ url }) => /\/api|admin/.test(url))) {
    const [[name, value] = []] = Object.entries(credentialsFor(url));
    const headers = { [name!]: [value, value] } as unknown as Record<string, string>;
    const { status } = await send(server, { method, path: pathOf(url), headers });
    expect([url, status]).toEqual([url, 400]);
  }
});

test.each(["loopback", "everyone"] as const)(
  "metrics where clients come in (%s) answer by names of this machine alone",
  async (access) => {
    const hosts = { bound: "127.0.0.1", further: () => ["weir.example.com"] };
    const page = metricsPage(() => Promise.resolve("weir 1\n"), access, hosts);
    const server = await gatewayTo(null, {}, undefined, new Map([["/metrics", page]]));
    const by = (Host: string): Promise<Answer> =>
      send(server, { method: "GET", path: "/metrics", headers: { Host } });
    for (const host of ["localhost:1", "127.0.0.1", "weir.example.com"]) {
      const answer = await by(host);
      expect([answer.status, headerProblems(answer, false)]).toEqual([200, []]);
    }
    const answer = await by("evil.example");
    expect([answer.status, headerProblems(answer, false)]).toEqual([421, []]);
    expect(answer.text).not.toContain("weir 1");
    // A load balancer may address the gateway by any name.
    const ready = await send(server, {
      method: "GET",
      path: "/ready",
      headers: { Host: "evil.example" },
    });
    expect([ready.status, headerProblems(ready, false)]).toEqual([200, []]);
  },
);
