// Waits until a started server is ready, and then sends the requests that create its configuration.
import { request, type IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Manifest } from "./manifest.ts";
import type { SetupRequest } from "./translation.ts";

/** The default check of readiness, at a path outside every limit. */
const READY = { path: "/weir-ready", status: 204, within: 10_000_000 };

/** Optional header in which a server reports the number of its current configuration. */
const GENERATION = "weir-generation";

/** The path of the check. A server without the header `weir-generation` can have a path for each configuration. */
export const readyPath = (ready: Manifest["ready"], generation: number): string =>
  (ready ?? READY).path.replaceAll("{generation}", `${generation}`);

const LOOK_AGAIN_MS = 20;

export async function waitUntilReady(
  url: URL,
  { ready, name }: Pick<Manifest, "ready" | "name">,
  generation: number,
  ended: Promise<unknown>,
): Promise<void> {
  const { status, within } = ready ?? READY;
  const path = readyPath(ready, generation);
  const untilMs = performance.now() + within / 1_000;
  let seen = "no response";
  while (performance.now() < untilMs) {
    const got = await Promise.race([statusOf(new URL(path, url)), ended]);
    if (typeof got !== "object" || got === null) seen = "no response";
    else {
      const { status: gotStatus, headers } = got as Response;
      const has = headers[GENERATION];
      if (gotStatus === status && (has === undefined || Number(has) === generation)) return;
      seen = gotStatus === status ? "the configuration before" : `status ${gotStatus}`;
    }
    await sleep(LOOK_AGAIN_MS);
  }
  throw new Error(
    `${name} is not ready within ${within / 1_000_000} s: GET ${path} gives ${seen}; if it only starts slowly, raise ready.within in its manifest`,
  );
}

interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

const statusOf = (url: URL): Promise<Response | null> =>
  new Promise((resolve) => {
    const sent = request(url, { agent: false, timeout: 1_000 }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    });
    sent.on("timeout", () => sent.destroy());
    sent.on("error", () => resolve(null));
    sent.end();
  });

export async function sendSetup(
  url: URL,
  name: string,
  requests: readonly SetupRequest[],
): Promise<void> {
  for (const { method, path, headers, body } of requests) {
    const response = await fetch(new URL(path, url), { method, headers, body: body || null });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`${name}: ${method} ${path} gives ${response.status}: ${text.slice(0, 300)}`);
  }
}
