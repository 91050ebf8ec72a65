// The lines that translators write to paste: in a small configuration they admit and refuse as the whole configuration
// does, on the real servers; of others they are the corresponding part of the whole.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { homeOf, searchPath, whyNotRunnable } from "#src/lab/implementations/home.node.ts";
import { freePorts } from "#src/lab/implementations/ports.node.ts";
import { startProgram, type Program } from "#src/lab/implementations/process.node.ts";
import { serveImplementation } from "#src/lab/implementations/serve.node.ts";
import { SOMEWHERE, type Configured } from "#src/lab/implementations/translation.ts";
import { readWantedWorld, type WantedWorld } from "#src/lab/implementations/wanted.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import type { JsonMap } from "#src/kit/reading/shape.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { isRejectedBy, ODD, openUpstream, send, type OddRequest, type Upstream } from "./odd.ts";

const LIMIT = 5;
/** Long enough that no budget is whole again while the test runs. */
const PER = 300;

const worldOf = (
  api: JsonMap,
  gateway: JsonMap = { burst: "rate" },
  others: JsonMap = {},
): WantedWorld =>
  readWantedWorld(
    readConfiguration({
      apis: { api: { listen: "/", keyless: true, rate: LIMIT, per: PER, ...api }, ...others },
      gateway: { algorithm: "gcra", ...gateway },
    }).configuration!,
  );

const BY_ADDRESS = worldOf({ key_by: "ip" });
const FOR_ALL = worldOf({});
const WITHOUT_BURST = worldOf({ key_by: "ip" }, { burst: 1 });

async function translationOf(id: string, wanted: WantedWorld): Promise<Configured> {
  const { translate, variant } = requireValue(await findImplementation(id));
  return requireValue(translate!(wanted, { ...SOMEWHERE, variant }));
}

let upstream: Upstream;
beforeAll(async () => {
  upstream = await openUpstream();
});
afterAll(() => upstream.close());

/** The configuration of an operator, into which the paragraphs of the excerpt are pasted. */
const CONFIGURATIONS: Readonly<
  Record<string, (paragraphs: readonly string[], port: number, dir: string) => string>
> = {
  nginx: ([, ofHttp, ofServer], port, dir) => `daemon off;
pid ${dir}/nginx.pid;
error_log stderr crit;
events {}
http {
  access_log off;
  client_body_temp_path ${dir}/body;
  proxy_temp_path ${dir}/proxy;
  fastcgi_temp_path ${dir}/fastcgi;
  uwsgi_temp_path ${dir}/uwsgi;
  scgi_temp_path ${dir}/scgi;
${ofHttp}
  server {
    listen 127.0.0.1:${port};
${ofServer}
    location / { proxy_pass ${upstream.url.origin}; }
  }
}
`,
  haproxy: ([, ofFrontend, section], port) => `defaults
  mode http
  timeout connect 2s
  timeout client 9s
  timeout server 9s
frontend www
  bind 127.0.0.1:${port}
${ofFrontend}
  default_backend app
backend app
  server one ${upstream.url.host}
${section}
`,
};

const COMMANDS: Readonly<Record<string, (dir: string) => readonly string[]>> = {
  nginx: (dir) => ["nginx", "-p", dir, "-e", "stderr", "-c", join(dir, "configuration")],
  haproxy: (dir) => ["haproxy", "-q", "-db", "-f", join(dir, "configuration")],
};

async function waitUntilOpen(port: number, { exited }: Program): Promise<void> {
  const ended = exited.then((why) => {
    throw new Error(why);
  });
  ended.catch(() => undefined);
  for (let isOpen = false; !isOpen;) {
    isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false)).on("connect", () => socket.destroy());
    });
    await Promise.race([sleep(20), ended]);
  }
}

/** The statuses of these requests at a server that has just been started with the excerpt. */
async function statusesOfPasted(id: string, wanted: WantedWorld): Promise<readonly number[]> {
  const name = id.split("/")[0]!;
  const implementation = requireValue(await findImplementation(id));
  const [text] = Object.values((await translationOf(id, wanted)).excerpt!);
  const dir = mkdtempSync(join(tmpdir(), "weir-pasted-"));
  const [port] = await freePorts(1);
  writeFileSync(join(dir, "configuration"), CONFIGURATIONS[name]!(text!.split("\n\n"), port!, dir));
  const program = startProgram({
    name,
    command: COMMANDS[name]!(dir),
    dir,
    ownsDir: true,
    env: searchPath(homeOf(implementation)),
  });
  try {
    await waitUntilOpen(port!, program);
    return await statusesAt(new URL(`http://127.0.0.1:${port}`));
  } finally {
    await program.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function statusesOfWhole(id: string, wanted: WantedWorld): Promise<readonly number[]> {
  const implementation = requireValue(await findImplementation(id));
  const order = { implementation, wanted, upstream: upstream.url, redis: null };
  const served = requireValue(await serveImplementation(order));
  try {
    return await statusesAt(served.url);
  } finally {
    await served.stop();
  }
}

/** Odd requests and plain ones of one address, then those of another. */
const SENT: readonly (OddRequest & { readonly from: string })[] = [
  ...ODD.map((line) => ({ line, from: "127.0.0.1" })),
  ...["GET /a", "GET /b"].map((line) => ({ line, from: "127.0.0.2" })),
];

async function statusesAt(url: URL): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const request of SENT) statuses.push(await send(url, request, request.from));
  return statuses;
}

/** The statuses of a limit that admits `atOnce` requests at one instant, before any of its budget is whole again. */
function statusesOf(id: string, atOnce: number, isForAll: boolean): readonly number[] {
  const sentBy = new Map<string, number>();
  return SENT.map((request) => {
    if (isRejectedBy(id, request)) return 400;
    const client = isForAll ? "all" : request.from;
    const sent = (sentBy.get(client) ?? 0) + 1;
    sentBy.set(client, sent);
    return sent <= atOnce ? 200 : 429;
  });
}

describe.each(["nginx", "haproxy/admitted", "haproxy/rate"])("%s", (id) => {
  test.for([
    ["by address", BY_ADDRESS, LIMIT, false],
    ["for all clients together", FOR_ALL, LIMIT, true],
    ...(id === "nginx" ? [["without a burst", WITHOUT_BURST, 1, false] as const] : []),
  ] as const)(
    "pasted lines of a limit %s admit and refuse as the whole configuration does",
    async ([, world, atOnce, isForAll], context) => {
      const why = whyNotRunnable(requireValue(await findImplementation(id)));
      context.skip(why !== null, why ?? "");
      const pasted = await statusesOfPasted(id, world);
      expect(pasted).toEqual(statusesOf(id, atOnce, isForAll));
      expect(pasted).toEqual(await statusesOfWhole(id, world));
    },
  );

  test("each pasted line is a line of the whole configuration", async () => {
    const { files, excerpt } = await translationOf(id, BY_ADDRESS);
    const linesOf = (texts: Readonly<Record<string, string>>): readonly string[] =>
      Object.values(texts)
        .flatMap((text) => text.split("\n"))
        .map((line) => line.trim())
        .filter((line) => line !== "" && !line.startsWith("#"));
    expect(linesOf(excerpt!).length).toBeGreaterThan(2);
    for (const line of linesOf(excerpt!)) expect(linesOf(files)).toContain(line);
  });
});

/** Reads YAML, of which JSON is a part. */
const readAll = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parse(text)]));

test.each([
  ["by address", BY_ADDRESS],
  ["for all", FOR_ALL],
  ["without a burst", WITHOUT_BURST],
])("Envoy's filter %s has the buckets of the whole configuration", async (_, world) => {
  const { files, excerpt } = await translationOf("envoy", world);
  const [filter] = readAll(excerpt!)["filter.yaml"];
  const { listeners } = readAll(files)["envoy.json"].static_resources;
  const [whole] = listeners[0].filter_chains[0].filters[0].typed_config.http_filters;
  const { rate_limits, descriptors, token_bucket, ...others } = filter.typed_config;
  const {
    rate_limits: ofPlaces,
    descriptors: wholes,
    token_bucket: _never,
    ...same
  } = whole.typed_config;
  expect(filter.name).toBe(whole.name);
  expect({ always_consume_default_token_bucket: false, ...others }).toEqual(same);
  // The limit counts every request, so that no header has to match, and the default bucket is of the same size.
  expect(token_bucket).toEqual(wholes[0].token_bucket);
  expect(token_bucket.tokens_per_fill).toBe(LIMIT);
  const ofClients = {
    rate_limits: [{ actions: ofPlaces[0].actions.slice(1) }],
    descriptors: [{ ...wholes[0], entries: wholes[0].entries.slice(1) }],
  };
  const none = { rate_limits: undefined, descriptors: undefined };
  expect({ rate_limits, descriptors }).toEqual(world === FOR_ALL ? none : ofClients);
});

test.each([
  ["by address", BY_ADDRESS],
  ["for all", FOR_ALL],
])("Spring's filter %s is that of the whole configuration", async (_, world) => {
  const { files, excerpt } = await translationOf("spring-cloud-gateway", world);
  const [route] = readAll(files)["application.yml"].spring.cloud.gateway.routes;
  expect(readAll(excerpt!)["filter.yml"]).toEqual({ filters: route.filters });
  expect(route.filters[0].args["redis-rate-limiter.replenishRate"]).toBe(LIMIT);
});

test.each(["drl", "rolling-window", "sentinel", "fixed-window"])(
  "the fields for Tyk's %s are fields of the whole configuration",
  async (variant) => {
    const { files, excerpt } = await translationOf(`tyk/${variant}`, worldOf({ per: 60 }));
    const whole = readAll(files);
    const pasted = readAll(excerpt!);
    expect(pasted["fields-of-api.json"].global_rate_limit).toEqual({ rate: LIMIT, per: 60 });
    expect(whole["apis/api-0.json"]).toMatchObject(pasted["fields-of-api.json"]);
    expect("fields-of-tyk.conf" in pasted).toBe(variant !== "drl");
    expect(whole["tyk.conf"]).toMatchObject(pasted["fields-of-tyk.conf"] ?? {});
  },
);

test.each(["nginx", "haproxy/rate", "envoy", "spring-cloud-gateway", "tyk/drl"])(
  "%s has no excerpt of a world with limits of some requests",
  async (id) => {
    const endpoints = [{ path: "/a", method: "GET", rate: LIMIT, per: PER }];
    const free = { listen: "/free", keyless: true };
    for (const world of [worldOf({ endpoints }), worldOf({}, { burst: "rate" }, { free })])
      expect((await translationOf(id, world)).excerpt).toBeUndefined();
  },
);
