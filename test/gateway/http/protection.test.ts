// How a gateway process protects itself: unknown keys and what is open or in flight, by client address and in all.
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { micros, SECOND } from "#src/kit/units.ts";
import { addressCounts } from "#src/gateway/http/address-counts.ts";
import {
  serveGateway,
  type GatewayServer,
  type ServeOptions,
} from "#src/gateway/http/gateway.node.ts";
import { metrics } from "#src/gateway/http/metrics.node.ts";
import { combineObservers } from "#src/gateway/http/observer.ts";
import { MOST_ADDRESSES, unknownKeys } from "#src/gateway/http/unknown-keys.ts";
import { message, rawUpstream, readWorld, speak, statuses, WIRE_WORLD } from "./wire.ts";

const PROXY = "127.0.0.1/32";
const WORLD = { ...WIRE_WORLD, keys: { alice: { apis: ["orders"] } } };

interface Served extends GatewayServer {
  readonly logged: string[]; // by the observer: a reason for each request and connection
  readonly rejections: () => Promise<Record<string, number>>; // of the metrics, by reason
}

async function serveProtected(
  wire: ServeOptions["wire"],
  upstream: URL | null = null,
  more: Partial<ServeOptions> = {},
): Promise<Served> {
  const measured = metrics({ ofProcess: false });
  const logged: string[] = [];
  const server = await serveGateway({
    configuration: readWorld(WORLD),
    upstream,
    host: "127.0.0.1",
    port: 0,
    store: null,
    observer: combineObservers([
      measured.observer,
      {
        onEvent: () => {},
        onExchange: ({ rejected, status }) => void logged.push(`${status} ${rejected}`),
        onRejection: (reason, _, connection) =>
          void (connection === undefined || logged.push(`${connection} ${reason}`)),
      },
    ]),
    wire: wire ?? {},
    ...more,
  });
  onTestFinished(() => server.stop());
  const rejections = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      [...(await measured.text()).matchAll(/^weir_protection_.*reason="(.*)"\} (\d+)$/gm)].map(
        ([, reason, count]) => [reason, Number(count)],
      ),
    );
  return { ...server, logged, rejections };
}

const get = (address: string, path: string, key?: string): string =>
  message(
    `GET ${path} HTTP/1.1`,
    "Host: g",
    `X-Forwarded-For: ${address}`,
    ...(key === undefined ? [] : [`Authorization: ${key}`]),
  );

/** The statuses of answers to requests that are sent in one piece. */
async function answersTo(url: URL, ...requests: readonly string[]): Promise<readonly number[]> {
  const whole = new RegExp(`(?:HTTP/1\\.1 \\d{3}[^]*?\\}[^]*?){${requests.length}}`);
  return statuses((await speak(url, requests.join(""), whole)).text);
}

// -------------------------------------------------------------- unknown keys

test.each(["configuration", "records"] as const)(
  "an address that shows more unknown keys than it may gets 429, and its known keys pass (%s)",
  async (where) => {
    const lookedUp: string[] = [];
    const keys: ServeOptions["keys"] = {
      isKnown: (credential) => credential === "alice",
      lookUp: (credential, done) => {
        lookedUp.push(credential);
        setImmediate(done, null);
      },
      credentialOf: () => Promise.resolve(null),
      status: () => "answers",
    };
    const more = where === "records" ? { keys } : {};
    const wire = { unknownKeys: 2, trustedProxies: [PROXY] };
    const { url, logged, rejections } = await serveProtected(wire, null, more);
    const shown = ["a", "b", "c", "alice", "d"].map((key) => get("192.0.2.1", "/orders", key));
    expect(await answersTo(url, ...shown)).toEqual([403, 403, 429, 200, 429]);
    expect(await answersTo(url, get("192.0.2.2", "/orders", "e"))).toEqual([403]);
    expect(await answersTo(url, get("192.0.2.1", "/open", "f"))).toEqual([200]); // no key is needed
    expect(await answersTo(url, get("192.0.2.1", "/orders"))).toEqual([401]);
    expect(lookedUp).toEqual(where === "records" ? ["a", "b", "e"] : []);
    await expect.poll(() => logged.filter((each) => each === "429 unknown_keys")).toHaveLength(2);
    expect(await rejections()).toEqual({ unknown_keys: 2 });
  },
);

test("a key that is found, or cannot be looked up, is no unknown one", async () => {
  const found = new Map<string, Error | null>([
    ["alice", null],
    ["away", new Error("the records are away")],
  ]);
  const keys: ServeOptions["keys"] = {
    isKnown: () => false,
    lookUp: (credential, done) => setImmediate(done, found.get(credential) ?? null),
    credentialOf: () => Promise.resolve(null),
    status: () => "answers",
  };
  const { url, forget } = await serveProtected({ unknownKeys: 1 }, null, { keys });
  for (let i = 0; i < 3; i++) {
    forget(["alice"]); // so that it is looked up again
    expect(await answersTo(url, get("", "/orders", "alice"))).toEqual([200]);
    expect(await answersTo(url, get("", "/orders", "away"))).toEqual([503]);
  }
  expect(await answersTo(url, get("", "/orders", "a"))).toEqual([403]);
  const refused = await speak(url, get("", "/orders", "b"), /\}$/);
  expect(refused.text).toMatch(/429[^]*Retry-After: (?:60|59|58)\r\n[^]*Too many unknown keys/);
});

test("lookups that are under way count: many at once are no way around the limit", async () => {
  let lookUps = 0;
  const keys: ServeOptions["keys"] = {
    isKnown: () => false,
    lookUp: (_, done) => {
      lookUps++;
      setTimeout(done, 50, null);
    },
    credentialOf: () => Promise.resolve(null),
    status: () => "answers",
  };
  const { url } = await serveProtected({ unknownKeys: 3 }, null, { keys });
  const all = Array.from({ length: 20 }, (_, i) => get("", "/orders", `guess-${i}`));
  const answers = await Promise.all(all.map((one) => answersTo(url, one)));
  expect(lookUps).toBe(3);
  expect(answers.flat().toSorted((a, b) => a - b)).toEqual([
    ...Array(3).fill(403),
    ...Array(17).fill(429),
  ]);
});

test("an address has a new minute when the old one is over, and a network of IPv6 is one address", () => {
  let now = micros(SECOND);
  const { count, secondsLeft } = unknownKeys(1, () => now);
  expect(count("2001:db8::1")).not.toBeNull();
  expect(count("2001:db8::2")).toBeNull();
  expect(count("2001:db8:0:1::1")).not.toBeNull();
  expect(secondsLeft("2001:db8::3")).toBe(60);
  now = micros(60.5 * SECOND);
  expect(count("2001:db8::2")).toBeNull();
  expect(secondsLeft("2001:db8::3")).toBe(1);
  now = micros(61 * SECOND);
  expect(count("2001:db8::2")).not.toBeNull();
});

test("of more addresses than are remembered the oldest is forgotten", () => {
  const { count } = unknownKeys(1, () => micros(SECOND));
  const addressOf = (i: number): string => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
  for (let i = 0; i < MOST_ADDRESSES; i++) count(addressOf(i));
  expect(count(addressOf(0))).toBeNull();
  expect(count(addressOf(MOST_ADDRESSES))).not.toBeNull();
  expect(count(addressOf(1))).toBeNull();
  expect(count(addressOf(0))).not.toBeNull(); // forgotten
});

// -------------------------------------------------------------- in flight

/** An upstream that holds every request until it is let go. */
async function holding() {
  const waiting: (() => void)[] = [];
  const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
  const { url } = await rawUpstream((socket) => waiting.push(() => void socket.write(answer)));
  return {
    url,
    holds: async (count: number): Promise<void> => {
      await expect.poll(() => waiting.length).toBe(count);
    },
    letGo: () => {
      for (const one of waiting.splice(0)) one();
    },
  };
}

test.each([
  ["requestsPerAddress", 429, "requests"],
  ["requestsInFlight", 503, "overload"],
] as const)("a request above %s gets %d, and passes when another is over", async (...row) => {
  const [limit, status, reason] = row;
  const upstream = await holding();
  const wire = { [limit]: 2, trustedProxies: [PROXY] };
  const { url, logged, rejections } = await serveProtected(wire, upstream.url);
  const request = (address: string): Promise<readonly number[]> =>
    answersTo(url, get(address, "/open"));
  const running = [request("192.0.2.1"), request("192.0.2.1")];
  await upstream.holds(2);
  expect(await request("192.0.2.1")).toEqual([status]);
  const { text } = await speak(url, get("192.0.2.1", "/open"), /\}$/);
  expect(text).toMatch(/Retry-After: 1\r\n/);
  expect((await fetch(new URL("/ready", url))).status).toBe(200); // its own pages are never shed
  upstream.letGo();
  expect(await Promise.all(running)).toEqual([[200], [200]]);
  const again = request("192.0.2.1");
  await upstream.holds(1);
  upstream.letGo();
  expect(await again).toEqual([200]);
  expect(logged.filter((each) => each === `${status} ${reason}`)).toHaveLength(2);
  expect(await rejections()).toEqual({ [reason]: 2 });
});

test("requests in flight of one address leave those of another alone", async () => {
  const upstream = await holding();
  const wire = { requestsPerAddress: 1, trustedProxies: [PROXY] };
  const { url } = await serveProtected(wire, upstream.url);
  const first = answersTo(url, get("192.0.2.1", "/open"));
  await upstream.holds(1);
  expect(await answersTo(url, get("192.0.2.1", "/open"))).toEqual([429]);
  const other = answersTo(url, get("192.0.2.2", "/open"));
  await upstream.holds(2);
  upstream.letGo();
  expect(await Promise.all([first, other])).toEqual([[200], [200]]);
});

test("a client that leaves is in flight no more, with all of its pipeline", async () => {
  const upstream = await holding();
  const { url } = await serveProtected({ requestsInFlight: 15 }, upstream.url);
  const leaving = await openConnection(url);
  leaving.write(get("", "/open").repeat(15));
  await upstream.holds(15);
  expect(await answersTo(url, get("", "/open"))).toEqual([503]);
  leaving.destroy();
  const timer = setInterval(upstream.letGo, 10);
  await expect.poll(() => answersTo(url, get("", "/open"))).toEqual([200]);
  clearInterval(timer);
  upstream.letGo();
  const all = Promise.all(Array.from({ length: 15 }, () => answersTo(url, get("", "/open"))));
  await upstream.holds(15);
  upstream.letGo();
  expect((await all).flat()).toEqual(Array(15).fill(200));
});

// -------------------------------------------------------------- connections

async function openConnection({ hostname, port }: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once("connect", resolve));
  return socket;
}

test("a connection above the limit of its address gets 429 and is closed, and one that ends makes room", async () => {
  const { url, logged, rejections } = await serveProtected({ connectionsPerAddress: 2 });
  const [first] = [await openConnection(url), await openConnection(url)];
  const { text, ended } = await speak(url, get("", "/open"));
  expect(statuses(text)).toEqual([429]);
  expect(text).toMatch(
    /Retry-After: 1\r\n[^]*\{"error":"Too many connections from this address"\}$/,
  );
  expect(ended).toBe("closed");
  expect(logged).toContain("127.0.0.1 connections");
  expect(await rejections()).toEqual({ connections: 1 });
  first.destroy();
  await expect.poll(() => answersTo(url, get("", "/open"))).toEqual([200]);
});

test("connections of a trusted proxy do not count, because they carry many clients", async () => {
  const { url } = await serveProtected({ connectionsPerAddress: 1, trustedProxies: [PROXY] });
  await openConnection(url);
  await openConnection(url);
  expect(await answersTo(url, get("192.0.2.1", "/open"))).toEqual([200]);
});

test("a flood of connections above the limit leaves none behind", async () => {
  const { url } = await serveProtected({ connectionsPerAddress: 1 });
  await openConnection(url);
  const all = await Promise.all(Array.from({ length: 40 }, () => speak(url, get("", "/open"))));
  expect(all.every(({ ended }) => ended !== "open")).toBe(true);
});

test("an address that has nothing any more is not held", () => {
  const counts = addressCounts(1);
  for (let i = 0; i < 3; i++) {
    expect(counts.enter("192.0.2.1")).toBe(true);
    expect(counts.enter("192.0.2.1")).toBe(false);
    expect(counts.enter("192.0.2.2")).toBe(true);
    counts.leave("192.0.2.1");
    counts.leave("192.0.2.2");
  }
});
