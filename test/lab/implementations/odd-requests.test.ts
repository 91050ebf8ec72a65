// The configurations that translators write, on the real servers: no request passes a limit because its method or its path is
// unusual, or because it is of no place of the world.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { whyNotRunnable } from "#src/lab/implementations/home.node.ts";
import { serveImplementation } from "#src/lab/implementations/serve.node.ts";
import { readWantedWorld } from "#src/lab/implementations/wanted.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import type { JsonMap } from "#src/kit/reading/shape.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { isRejectedBy, ODD, openUpstream, send, type OddRequest, type Upstream } from "./odd.ts";

const LIMIT = 4;
const SENT = 12;
/** Long enough that no budget is whole again while the test runs. */
const PER = 240;

/** Of all requests, by address, as `weir recommend` writes it. */
const ONE_API: JsonMap = {
  apis: { api: { listen: "/", keyless: true, rate: LIMIT, per: PER, key_by: "ip" } },
  gateway: { algorithm: "gcra", burst: "rate" },
};

/** Limits of an API, of an endpoint and of keys, and an API and an endpoint without one. */
const SEVERAL: JsonMap = {
  apis: {
    free: { listen: "/free", keyless: true },
    orders: {
      listen: "/orders",
      keyless: true,
      rate: LIMIT,
      per: PER,
      endpoints: [
        { path: "/health", method: "GET", rate: -1, per: PER },
        { path: "/*/report", method: "GET", rate: LIMIT, per: PER },
      ],
    },
    items: { listen: "/items" },
  },
  keys: { alice: { apis: ["items"], rate: LIMIT, per: PER }, bob: { apis: ["items"] } },
  gateway: { algorithm: "gcra", burst: "rate" },
};

const LIMITED: readonly OddRequest[] = [
  ...ODD.map((line) => ({ line: line.replace(" /", " /orders/") })),
  { line: "GET /orders/health%0a" },
  { line: "POST /orders/health" },
  { line: "GET /orders/a%20b/report" },
  { line: "GET /orders/a%0ab/report" },
  { line: "GET /nowhere" },
  { line: "GET /nowhere%20GET%20/free/a" },
  { line: "GET /nowhere%0aGET%20/free/a" },
  { line: "M-SEARCH /items/a%20b", credential: "alice" },
  { line: "GET /items/a" },
  { line: "GET /items/a%20b", credential: "of nowhere" },
];

const FREE: readonly OddRequest[] = [
  { line: "GET /free" },
  { line: "M-SEARCH /free/a%20b" },
  { line: "GET /orders/health" },
  { line: "GET /items/a", credential: "bob" },
];

let upstream: Upstream;
beforeAll(async () => {
  upstream = await openUpstream();
});
afterAll(() => upstream.close());

/** The statuses of requests that are sent one after the other, to a server that has just been started. */
async function statusesOf(id: string, raw: JsonMap, request: OddRequest): Promise<string> {
  const served = requireValue(
    await serveImplementation({
      implementation: requireValue(await findImplementation(id)),
      wanted: readWantedWorld(readConfiguration(raw).configuration!),
      upstream: upstream.url,
      redis: null,
    }),
  );
  const counts = new Map<number, number>();
  try {
    for (let i = 0; i < SENT; i++) {
      const status = await send(served.url, request);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  } finally {
    await served.stop();
  }
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} x ${status}`)
    .join(", ");
}

const ALL = `${SENT} x 200`;
const SOME = `${LIMIT} x 200, ${SENT - LIMIT} x 429`;
const NONE = `${SENT} x 400`; // the server itself rejects such a line

describe.each(["nginx", "haproxy/admitted", "haproxy/rate"])("%s", (id) => {
  test.for([
    ["one API", ONE_API, ODD.map((line): OddRequest => ({ line }))],
    ["several places", SEVERAL, LIMITED],
  ] as const)("a limit of %s counts every odd request", async ([, world, requests], context) => {
    const why = whyNotRunnable(requireValue(await findImplementation(id)));
    context.skip(why !== null, why ?? "");
    for (const request of requests)
      expect({ ...request, statuses: await statusesOf(id, world, request) }).toEqual({
        ...request,
        statuses: isRejectedBy(id, request) ? NONE : SOME,
      });
  });

  test("requests without a limit are not counted", async (context) => {
    const why = whyNotRunnable(requireValue(await findImplementation(id)));
    context.skip(why !== null, why ?? "");
    for (const request of FREE)
      expect({ ...request, statuses: await statusesOf(id, SEVERAL, request) }).toEqual({
        ...request,
        statuses: ALL,
      });
  });
});
