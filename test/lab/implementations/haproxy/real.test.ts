// The reader of HAProxy against HAProxy itself: configurations of its own language, request by request.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  findImplementations,
  type Implementation,
} from "#src/lab/implementations/catalogue.node.ts";
import { whyNotRunnable } from "#src/lab/implementations/home.node.ts";
import { freePorts } from "#src/lab/implementations/ports.node.ts";
import { startProgram, type Program } from "#src/lab/implementations/process.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { play, type Sent } from "../read-and-play.ts";
import { read } from "./site.ts";

const TRACK = "http-request track-sc0 src table addresses";
const TRACK_KEY = "http-request track-sc1 req.hdr(x-key) table keys";
const deny = (condition: string): string => `http-request deny deny_status 429 if ${condition}`;

/** Lines of a frontend. The tables `addresses` and `keys` have periods of an hour, so that no test crosses one. */
const CASES: readonly (readonly string[])[] = [
  [TRACK, deny("{ sc_http_req_rate(0) gt 5 }")],
  [TRACK, deny("{ sc0_http_req_rate ge 5 } { path_beg /a }")],
  [TRACK, TRACK_KEY, deny("{ sc_http_req_rate(1) gt 2 }"), deny("{ sc_http_req_rate(0) gt 8 }")],
  [TRACK, deny("{ sc_http_req_rate(0) gt 8 }"), TRACK_KEY, deny("{ sc_http_req_rate(1) gt 2 }")],
  [deny("{ src_http_req_rate(addresses) ge 4 }"), TRACK],
  [TRACK, deny("{ src_http_req_rate(addresses) ge 4 }")],
  ["tcp-request connection track-sc0 src table addresses", deny("{ sc_http_req_rate(0) gt 4 }")],
  ["http-request allow if { path_end .css }", TRACK, deny("{ sc_http_req_rate(0) gt 4 }")],
  [TRACK_KEY, deny("{ sc1_gpc0_rate ge 3 }"), "http-request sc-inc-gpc0(1)"],
  [TRACK_KEY, deny("{ sc1_gpc0_rate gt 3 }"), "http-request sc-inc-gpc0(1)"],
  [TRACK_KEY, "http-request sc-inc-gpc0(1)", deny("{ sc1_gpc0_rate gt 3 }")],
  [
    "acl x path /a",
    "acl x hdr_beg(host) api",
    `${TRACK} if x or { method POST }`,
    deny("!METH_POST { sc_http_req_rate(0) gt 1 }"),
  ],
  ["http-request track-sc0 base,lower table keys", deny("{ sc0_http_req_rate(keys) gt 2 }")],
  [
    'http-request set-var-fmt(txn.c) "of %[req.hdr(x-key)]"',
    "http-request track-sc0 var(txn.c) table keys",
    deny("{ sc0_http_req_rate gt 1 }"),
  ],
  [
    "acl a path_dir login",
    "acl v path_reg ^/v[0-9]",
    TRACK,
    deny("{ sc0_http_req_rate gt 1 } a or v { sc0_http_req_rate gt 0 }"),
  ],
  [TRACK, "http-request track-sc0 req.hdr(x-key) table keys", deny("{ sc0_http_req_rate gt 3 }")],
  ["http-request track-sc0 req.hdr(x-key) table keys", TRACK, deny("{ sc0_http_req_rate gt 1 }")],
  [TRACK, "http-request return status 429 if { sc0_http_req_rate gt 3 }"],
  ["http-request track-sc0 urlp(x) table keys", deny("{ sc0_http_req_rate gt 0 }")],
  ["http-request track-sc0 src,ipmask(24) table addresses", deny("{ sc0_http_req_rate gt 3 }")],
  ["http-request track-sc0 req.hdr(x-key),upper table keys", deny("{ sc0_http_req_rate gt 1 }")],
  [TRACK, deny("{ sc0_http_req_rate gt 2 } !{ path /a } !{ path_sub css }")],
  [TRACK, deny("{ sc0_http_req_rate gt 2 } { hdr_dom(host) site.example }")],
  [TRACK, deny("{ sc0_http_req_rate gt 2 } { url_dir b }")],
  [TRACK, "acl x path /b", "acl x method GET", deny("{ sc0_http_req_rate gt 7 } x")],
  [
    TRACK,
    deny("{ sc0_http_req_rate gt 8 } { method GET } or { src_http_req_rate(addresses) gt 8 }"),
  ],
  ["http-request track-sc0 path,field(2,/) table keys", deny("{ sc0_http_req_rate gt 2 }")],
  ["http-request track-sc0 query table keys", deny("{ sc0_http_req_rate gt 0 }")],
  ["http-request track-sc0 base32 table keys", deny("{ sc0_http_req_rate gt 1 }")],
  ["tcp-request content track-sc0 src table addresses", deny("{ sc0_http_req_rate gt 6 }")],
];

const key = (value: string): Sent => ({ headers: { "x-key": value } });

const REQUESTS: readonly Sent[] = [
  {},
  { path: "/a", ...key("k") },
  { path: "/login" },
  { method: "POST", path: "/a" },
  { path: "/b?x=1", ...key("k") },
  { path: "/x.css" },
  key("k"),
  { path: "/A" },
  { path: "/login", ...key("k") },
  key("longlonglong"), // equal to the next one in its first 8 letters
  key("longlongother"),
  { path: "/v1/x", host: "api.example" },
  key("a, k"),
  { path: "/b?x=1" },
  { path: "/b?", host: "www.site.example:80" },
  {},
  key("k"),
  key("K"),
  key("k"),
].map((each) => ({ ip: "127.0.0.1", host: "site.example", ...each }));

const dir = mkdtempSync(join(tmpdir(), "weir-haproxy-"));
let program: Program | null = null;
let ports: readonly number[] = [];
let text = "";

const [haproxy] = requireValue(await findImplementations("haproxy")) as [Implementation];
const obstacle = whyNotRunnable(haproxy);

/** A frontend, its backend and its tables. */
const siteOf = (lines: readonly string[], index: number): string => `frontend web_${index}
  bind 127.0.0.1:${ports[index]!}
${lines.map((line) => `  ${line.replaceAll(/\b(addresses|keys)\b/g, `$1_${index}`)}`).join("\n")}
  default_backend app
backend addresses_${index}
  stick-table type ip size 1k expire 3h store http_req_rate(1h)
backend keys_${index}
  stick-table type string len 8 size 1k expire 3h store http_req_rate(1h),gpc0,gpc0_rate(1h)
`;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const isAdmitted = (
  port: number,
  { path = "/", method = "GET", host, headers }: Sent,
): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const sent = { host: host!, ...headers };
    httpRequest({ port, path, method, headers: sent, agent, host: "127.0.0.1" }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode === 200));
    })
      .on("error", reject)
      .end();
  });

beforeAll(async () => {
  if (obstacle !== null) return;
  ports = await freePorts(CASES.length + 1);
  const ready = ports.at(-1)!;
  text = `defaults
  mode http
  timeout client 10s
  timeout server 10s
  timeout connect 10s
backend app
  http-request return status 200
frontend ready
  bind 127.0.0.1:${ready}
  default_backend app
${CASES.map(siteOf).join("")}`;
  writeFileSync(join(dir, "haproxy.cfg"), text);
  const command = ["haproxy", "-q", "-db", "-f", "haproxy.cfg"];
  program = startProgram({ name: "haproxy", command, dir, ownsDir: true, env: {} });
  for (let tries = 0; ; tries++) {
    const isReady = await isAdmitted(ready, { host: "x" }).catch(() => false);
    if (isReady) return;
    if (tries === 100) throw new Error("HAProxy does not start");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

afterAll(async () => {
  agent.destroy();
  await program?.stop();
  rmSync(dir, { recursive: true, force: true });
});

test.for(CASES.map((lines, index) => [lines, index] as const))("%j", async ([, index], context) => {
  context.skip(obstacle !== null, obstacle ?? "");
  let real = "";
  for (const request of REQUESTS) real += (await isAdmitted(ports[index]!, request)) ? "+" : "-";
  const configuration = read(text, { values: { frontend: `web_${index}` } });
  expect(configuration.rules.length).toBeGreaterThan(0);
  expect(play(configuration, REQUESTS)).toBe(real);
});
