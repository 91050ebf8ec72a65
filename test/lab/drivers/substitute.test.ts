// The server that answers as another limiter would with its configuration, over real connections.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Failure, requireValue } from "#src/kit/reading/failure.ts";
import { serveSubstitute } from "#src/lab/drivers/substitute.node.ts";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { whyNotRunnable } from "#src/lab/implementations/home.node.ts";
import { findReader } from "#src/lab/implementations/readers.ts";
import { serveImplementation } from "#src/lab/implementations/serve.node.ts";
import type { Site } from "#src/lab/implementations/translation.ts";
import { sendRequest } from "../../cli/serving.ts";

/** The origin of a substitute that ends with the test. */
async function substitute(
  file: string,
  text: string,
  upstream: string | null = null,
): Promise<string> {
  const reader = requireValue(findReader({ file, text }, null))!;
  const configuration = requireValue(
    reader.read({ file, text }, () => new Failure("it includes nothing"), new Map()),
  );
  const served = await serveSubstitute({
    configuration,
    upstream: upstream === null ? null : new URL(upstream),
    host: "127.0.0.1",
    port: 0,
  });
  onTestFinished(served.stop);
  return served.url.origin;
}

const ZONES = `limit_req_zone $http_x_client zone=client:1m rate=1r/m;
  limit_req_zone $binary_remote_addr zone=login:1m rate=1r/m;
  limit_req_zone $request_method zone=never:1m rate=1r/m;
  limit_req_zone $server_port zone=slow:1m rate=5r/s;`;
const LOCATIONS = `location / { limit_req zone=client burst=1 nodelay; empty_gif; }
    location /login { limit_req zone=login burst=2 nodelay; limit_req_status 429; empty_gif; }
    location /slow { limit_req zone=slow burst=3 delay=1; empty_gif; }
    location ~ \\.png$ { limit_req zone=never; limit_req_dry_run on; empty_gif; }`;
const NGINX = `events {} http { ${ZONES} server { listen 80; ${LOCATIONS} } }`;

const REQUESTS = [
  ["/login", "a"],
  ["/login?again", "b"],
  ["/a", "a"],
  ["/login", "a"],
  ["/login/", "c"],
  ["/b", "a"],
  ["/c", "a"],
  ["/c", "b"],
  ["/c", undefined],
  ["/c", undefined],
  ["/x.png", "a"],
  ["/login/x.png", "a"],
] as const;

interface Answered {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

async function answersOf(origin: string): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  for (const [target, client] of REQUESTS) {
    const sent = client === undefined ? {} : { "x-client": client };
    const { status, headers } = await sendRequest(`${origin}${target}`, sent);
    answers.push({ status, retryAfter: headers["retry-after"] });
  }
  return answers;
}

test("each request gets the status of the rule that refuses it, or 200", async () => {
  const answers = await answersOf(await substitute("nginx.conf", NGINX));
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200, 200, 429, 200, 503, 200, 200, 200, 200, 200]);
});

const nginx = requireValue(await findImplementation("nginx"));

test.skipIf(whyNotRunnable(nginx) !== null)(
  "nginx answers the same requests with the same statuses, headers and delays",
  async () => {
    const ready = "location = /weir-ready { return 204; }";
    const filesAt = ({ port, dir }: Site): string =>
      `daemon off; pid ${dir}/pid; events {} http { access_log off;
       client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy; fastcgi_temp_path ${dir}/f;
       uwsgi_temp_path ${dir}/u; scgi_temp_path ${dir}/s;
       ${ZONES} server { listen 127.0.0.1:${port}; ${ready} ${LOCATIONS} } }`;
    const served = requireValue(
      await serveImplementation({
        implementation: {
          ...nginx,
          translate: (_, site: Site) => ({ files: { "nginx.conf": filesAt(site) }, enforces: [] }),
        },
        wanted: { apis: [], credentials: [], limits: [] },
        upstream: new URL("http://127.0.0.1:1"),
        redis: null,
      }),
    );
    onTestFinished(served.stop);
    const ours = await substitute("nginx.conf", NGINX);
    expect(await answersOf(ours)).toEqual(await answersOf(served.url.origin));
    // Two requests are admitted at once, and two wait for 200 and 400 ms, which begin with the first one.
    for (const waits of await Promise.all([ours, served.url.origin].map(waitsOf))) {
      expect(waits).toHaveLength(4);
      for (const [index, dueMs] of [0, 0, 200, 400].entries()) {
        expect(waits[index]).toBeGreaterThan(dueMs - 3);
        expect(waits[index]).toBeLessThan(dueMs + 1_000);
      }
    }
  },
);

/** When the responses to admitted requests arrive, of five that are sent at once. */
async function waitsOf(origin: string): Promise<readonly number[]> {
  const startMs = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const { status } = await sendRequest(`${origin}/slow`);
      return status === 200 ? [performance.now() - startMs] : [];
    }),
  );
  return answers.flat().toSorted((a, b) => a - b);
}

test("an admitted request reaches the upstream with its path, query and body, and its answer the client", async () => {
  const seen: { target: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const upstream = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", () => {
      seen.push({ target: request.url!, headers: request.headers, body });
      response.writeHead(201, { "x-made": "here" }).end("made");
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => upstream.once("listening", resolve));
  onTestFinished(() => void upstream.close());
  const { port } = upstream.address() as AddressInfo;
  const origin = await substitute("nginx.conf", NGINX, `http://127.0.0.1:${port}/base`);
  const sent = { method: "POST", body: "hello", authorization: "Bearer mine", "x-client": "a" };
  const answers = [];
  for (let nth = 0; nth < 3; nth++)
    answers.push(await sendRequest(`${origin}/hello/../a%2Fb?x=1#y`, sent));
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [201, "made"],
    [201, "made"],
    [503, '{"error":"refused by zone client, burst 1"}'],
  ]);
  expect(answers[0]!.headers["x-made"]).toBe("here");
  expect(seen).toHaveLength(2);
  expect(seen[0]).toMatchObject({ target: "/base/a%2Fb?x=1", body: "hello" });
  expect(seen[0]!.headers).toMatchObject({ authorization: "Bearer mine", "x-client": "a" });
});

test("TRACE is refused, because its answer would have what the client sent", async () => {
  const origin = await substitute("nginx.conf", NGINX);
  expect((await sendRequest(origin, { method: "TRACE" })).status).toBe(405);
});

test.each([
  [
    "traefik.yaml",
    `http:
  routers: { all: { rule: "PathPrefix(\`/\`)", service: s, middlewares: [limit] } }
  middlewares: { limit: { rateLimit: { average: 1, period: 1m, burst: 1 } } }
  services: { s: { loadBalancer: { servers: [{ url: "http://127.0.0.1:1" }] } } }
`,
    { status: 429, retryAfter: "60", envoy: undefined },
  ],
  [
    "config.yaml",
    `domain: apis
descriptors:
  - { key: generic_key, value: all, rate_limit: { unit: minute, requests_per_unit: 1 } }
`,
    { status: 429, retryAfter: undefined, envoy: "true" },
  ],
  [
    "haproxy.cfg",
    `frontend all
  bind :80
  stick-table type ip size 1m expire 60s store http_req_rate(60s)
  http-request track-sc0 src
  http-request silent-drop if { sc_http_req_rate(0) gt 1 }
`,
    "closed",
  ],
])("a refusal by %s has its headers, or none at all", async (file, text, expected) => {
  const origin = await substitute(file, text);
  expect((await sendRequest(`${origin}/`)).status).toBe(200);
  const refused = await sendRequest(`${origin}/`).then(
    ({ status, headers }) => ({
      status,
      retryAfter: headers["retry-after"],
      envoy: headers["x-envoy-ratelimited"],
    }),
    () => "closed",
  );
  expect(refused).toEqual(expected);
});
