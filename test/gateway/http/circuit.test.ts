// When an upstream that fails gets no requests, and which one request decides that it gets them again.
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { micros, SECOND, type Micros } from "#src/kit/units.ts";
import {
  begin,
  canTake,
  createCircuit,
  recordFailure,
  giveUp,
  recordSuccess,
} from "#src/gateway/http/circuit.ts";
import { serveUpstreams, times, upstreamAt } from "./upstreams.ts";
import { message, rawUpstream, speak, statuses } from "./wire.ts";

const OPTIONS = { failures: 2, openUs: 100 };
const WAITING = { isHeldUp: false }; // for its upstream

/** Open until 100. */
const openCircuit = () => {
  const circuit = createCircuit("http://a");
  for (let i = 0; i < 2; i++) recordFailure(circuit, begin(circuit, WAITING), 0, OPTIONS);
  return circuit;
};

test("a circuit opens after failures in a row, and only then", () => {
  const circuit = createCircuit("http://a");
  const turn = begin(circuit, WAITING);
  recordFailure(circuit, turn, 0, OPTIONS);
  recordSuccess(circuit, turn);
  recordFailure(circuit, turn, 0, OPTIONS);
  expect(canTake(circuit, 0)).toBe(true);
  recordFailure(circuit, turn, 0, OPTIONS);
  expect([canTake(circuit, 99), canTake(circuit, 100)]).toEqual([false, true]);
});

test("while a circuit is half open one request goes through, and its failure opens it again", () => {
  const circuit = openCircuit();
  const trial = begin(circuit, WAITING);
  expect(canTake(circuit, 100)).toBe(false);
  recordFailure(circuit, trial, 110, OPTIONS);
  expect([canTake(circuit, 209), canTake(circuit, 210)]).toEqual([false, true]);
  recordSuccess(circuit, begin(circuit, WAITING));
  expect(canTake(circuit, 211)).toBe(true);
});

test.each<[string, (circuit: ReturnType<typeof createCircuit>, turn: number) => void]>([
  ["fails", (circuit, turn) => recordFailure(circuit, turn, 150, OPTIONS)],
  ["succeeds", recordSuccess],
  ["is given up", giveUp],
])("a request from before that %s decides nothing while another one tries", (_, ends) => {
  const circuit = createCircuit("http://a");
  const before = begin(circuit, WAITING);
  for (let i = 0; i < 2; i++) recordFailure(circuit, begin(circuit, WAITING), 0, OPTIONS);
  ends(circuit, before);
  expect(canTake(circuit, 99)).toBe(false);
  const trial = begin(circuit, WAITING);
  ends(circuit, before);
  expect([canTake(circuit, 150), circuit.openUntilUs]).toEqual([false, 100]);
  giveUp(circuit, trial);
  expect(canTake(circuit, 150)).toBe(true); // the next one tries
});

test("requests that fail for what was before a circuit opened do not open it again", () => {
  const circuit = createCircuit("http://a");
  const before = Array.from({ length: 9 }, () => begin(circuit, WAITING));
  for (let i = 0; i < 2; i++) recordFailure(circuit, before[i]!, 0, OPTIONS);
  recordSuccess(circuit, begin(circuit, WAITING));
  for (const turn of before) recordFailure(circuit, turn, 120, OPTIONS);
  expect(canTake(circuit, 120)).toBe(true);
});

test("a trial that waits for its own client gives way, and decides nothing any more", () => {
  const circuit = openCircuit();
  const slow = begin(circuit, { isHeldUp: true });
  expect(canTake(circuit, 100)).toBe(true);
  const trial = begin(circuit, WAITING);
  expect(canTake(circuit, 100)).toBe(false);
  recordSuccess(circuit, slow);
  giveUp(circuit, slow);
  recordFailure(circuit, slow, 100, OPTIONS);
  expect(canTake(circuit, 100)).toBe(false);
  recordSuccess(circuit, trial);
  expect(canTake(circuit, 100)).toBe(true);
});

// ---------------------------------------------------------------- of a gateway

const OPEN = { circuitFailures: 2, circuitOpenUs: micros(10 * SECOND) };

/** A clock that only `pass` moves. */
function clockOf() {
  let nowUs = micros(1_700_000_000 * SECOND);
  return {
    clock: (): Micros => nowUs,
    pass: (us: number): void => {
      nowUs = micros(nowUs + us);
    },
  };
}

/** A client that sends what it is given, and stays until it leaves. */
function client({ port, hostname }: URL, text: string) {
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(text);
  return { send: (more: string) => void socket.write(more), leave: () => socket.destroy() };
}

const getting = (name: string): string => message(`GET /open/${name} HTTP/1.1`, "Host: g");

test("a circuit opens after failures in a row, one request tries it, and it closes by a response", async () => {
  const { clock, pass } = clockOf();
  const upstream = await upstreamAt();
  upstream.server.close();
  const { get, values } = await serveUpstreams(upstream.origin, OPEN, { clock });
  expect(await times(3, get)).toEqual([502, 502, 503]);
  expect(await values("weir_upstream_up")).toEqual([0]);
  const again = await upstreamAt(Number(new URL(upstream.origin).port));
  pass(10 * SECOND - 1);
  expect(await get()).toBe(503);
  pass(1);
  expect(await get()).toBe(200);
  expect(again.paths).toHaveLength(1);
  expect(await values("weir_upstream_up")).toEqual([1]);
});

test("the one request that tries may leave, and the place is free again", async () => {
  const { clock, pass } = clockOf();
  let isWell = false;
  const { url: upstream, transcript } = await rawUpstream((socket, text) => {
    if (text.includes("held")) return;
    if (isWell) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    else socket.end();
  });
  const { url, exchanges } = await serveUpstreams(
    upstream.href,
    { ...OPEN, retries: false },
    { clock },
  );
  const status = async (): Promise<number> =>
    statuses((await speak(url, getting("x"), /\r\n\r\n/)).text)[0]!;
  const earlier = client(url, getting("held-before"));
  await expect.poll(transcript).toContain("held-before");
  expect(await times(3, status)).toEqual([502, 502, 503]);
  pass(10 * SECOND);
  const trying = client(url, getting("held-trial"));
  await expect.poll(transcript).toContain("held-trial");
  expect(await status()).toBe(503);
  const over = exchanges.length;
  earlier.leave();
  await expect.poll(() => exchanges.length).toBe(over + 1);
  expect(await status()).toBe(503); // the trial is still under way
  isWell = true;
  trying.leave();
  await expect.poll(() => exchanges.length).toBe(over + 3);
  expect(await times(2, status)).toEqual([200, 200]);
});

test("a client that sends its body slowly keeps no upstream from being tried", async () => {
  const { clock, pass } = clockOf();
  let isWell = false;
  const { url: upstream, transcript } = await rawUpstream((socket, text) => {
    if (text.includes("POST")) return;
    if (isWell) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    else socket.end();
  });
  const { url, get } = await serveUpstreams(upstream.href, { ...OPEN, retries: false }, { clock });
  expect(await times(3, get)).toEqual([502, 502, 503]);
  isWell = true;
  pass(10 * SECOND);
  client(url, `${message("POST /open HTTP/1.1", "Host: g", "Content-Length: 9")}slow`);
  await expect.poll(transcript).toContain("slow");
  expect(await get()).toBe(200);
});

const LONG = micros(600 * SECOND);

test("a response that comes too late for the whole exchange is a failure of its upstream", async () => {
  const { clock, pass } = clockOf();
  const { url: upstream, transcript } = await rawUpstream(() => {});
  const wire = { circuitFailures: 1, exchangeTimeoutUs: LONG };
  const { url, get, values } = await serveUpstreams(upstream.href, wire, { clock });
  const answer = speak(url, getting("x"), /\}$/);
  await expect.poll(transcript).toContain("GET");
  pass(LONG);
  const { text } = await answer;
  expect(statuses(text)).toEqual([504]);
  expect(text).toContain("The answer took too long");
  expect(await get()).toBe(503);
  expect(await values("weir_upstream_up")).toEqual([0]);
});

test.each([
  ["POST", "on its way", ["/open"]],
  ["PUT", "kept for a retry", []],
])(
  "a client that is too late with its body gets 408, and no upstream has failed (%s, %s)",
  async (method, _, paths) => {
    const { clock, pass } = clockOf();
    const upstream = await upstreamAt();
    const wire = { circuitFailures: 1, exchangeTimeoutUs: LONG };
    const { url, get, values } = await serveUpstreams(upstream.origin, wire, { clock });
    const head = message(`${method} /open HTTP/1.1`, "Host: g", "Content-Length: 9");
    const answer = speak(url, `${head}slow`);
    await expect.poll(() => values("weir_decisions_total")).toEqual([1]);
    await expect.poll(() => upstream.paths).toEqual(paths);
    pass(LONG);
    const { text, ended } = await answer;
    expect(statuses(text)).toEqual([408]);
    expect(text).toContain("The body of the request took too long");
    expect(text).toContain("Connection: close");
    expect(ended).toBe("closed");
    expect(await get()).toBe(200);
    expect(await values("weir_upstream_up")).toEqual([1]);
  },
);

const ONCE = { circuitFailures: 1, maxBodyBytes: 100 };

/** It responds to a GET, and waits for the bodies of all others. */
const waiting = () =>
  rawUpstream((socket, received) => {
    if (received.startsWith("GET")) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  });

test("a client that takes nearly all the time for its body causes no failure of the upstream", async () => {
  const { clock, pass } = clockOf();
  const { url: upstream, transcript } = await waiting();
  const wire = { ...ONCE, exchangeTimeoutUs: LONG };
  const { url, get, exchanges } = await serveUpstreams(upstream.href, wire, { clock });
  const { send } = client(url, message("POST /open HTTP/1.1", "Host: g", "Content-Length: 9"));
  send("slow");
  await expect.poll(transcript).toContain("slow");
  pass(LONG - SECOND);
  send("ly...");
  await expect.poll(transcript).toContain("slowly...");
  pass(SECOND);
  await expect.poll(() => exchanges.map(({ status }) => status)).toEqual([504]);
  expect(await get()).toBe(200);
});

test("a client that leaves is no failure of the upstream", async () => {
  const { url: upstream, transcript } = await waiting();
  const { url, get, exchanges } = await serveUpstreams(upstream.href, ONCE);
  const head = message("POST /open HTTP/1.1", "Host: g", "Content-Length: 9");
  const { leave } = client(url, `${head}slow`);
  await expect.poll(transcript).toContain("slow");
  leave();
  await expect.poll(() => exchanges.length).toBe(1);
  expect(await get()).toBe(200);
});

test("a client whose body an upstream does not wait for is no failure of the upstream", async () => {
  const { url: upstream } = await rawUpstream((socket, received) => {
    if (received.startsWith("GET")) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    else if (received.endsWith("slow")) socket.destroy(); // it too has a time for bodies
  });
  const { url, get, exchanges } = await serveUpstreams(upstream.href, ONCE);
  client(url, `${message("POST /open HTTP/1.1", "Host: g", "Content-Length: 9")}slow`);
  await expect.poll(() => exchanges.map(({ status }) => status)).toEqual([502]);
  expect(await get()).toBe(200);
});

test("an upstream that closes on a whole body has failed", async () => {
  const { url: upstream } = await rawUpstream((socket, received) => {
    if (received.endsWith("whole")) socket.destroy();
  });
  const { url, get } = await serveUpstreams(upstream.href, ONCE);
  const post = message("POST /open HTTP/1.1", "Host: g", "Content-Length: 5");
  expect(statuses((await speak(url, `${post}whole`, /\}$/)).text)).toEqual([502]);
  expect(await get()).toBe(503);
});

test.each([
  ["garbles its chunks", "4\r\nslow\r\nxyz\r\n"],
  ["sends more than is allowed", `ff\r\n${"x".repeat(255)}\r\n`],
])("a client that %s is no failure of the upstream", async (_, chunks) => {
  const { url: upstream } = await waiting();
  const { url, get, exchanges } = await serveUpstreams(upstream.href, ONCE);
  client(url, message("POST /open HTTP/1.1", "Host: g", "Transfer-Encoding: chunked") + chunks);
  await expect.poll(() => exchanges.length).toBe(1);
  expect(await get()).toBe(200);
});
