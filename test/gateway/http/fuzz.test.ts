// Requests and answers with something wrong in them, drawn from a seed. A gateway that threw would end this process.
import { expect, test } from "vitest";
import { rng, type Rng } from "#src/kit/chance/rng.ts";
import { micros } from "#src/kit/units.ts";
import { gatewayTo, message, rawUpstream, speak, statuses } from "./wire.ts";

const MANY = 600;
const AT_ONCE = 200;

const METHODS = ["GET", "POST", "HEAD", "OPTIONS", "DELETE", "TRACE", "CONNECT"];
const TARGETS = ["/open", "/orders", "/open?a=%zz", "*", "http://x/open", "//open", "/open/%00"];
const HEADERS = [
  "Connection: close",
  "Connection: X-A, keep-alive",
  "X-A: b",
  "Content-Length: 3",
  "Transfer-Encoding: chunked",
  "Expect: 100-continue",
  "Authorization: alice",
  "Upgrade: websocket",
  "TE: trailers",
  "Trailer: X-T",
  "X-\xe9: \xff",
];
const BODIES = ["", "abc", "3\r\nabc\r\n0\r\n\r\n", "3\r\nabc\r\n0\r\nX-T: v\r\n\r\n"];
const ANSWERS = [
  "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
  "HTTP/1.1 204 No Content\r\n\r\n",
  "HTTP/1.0 200 OK\r\n\r\nabc",
  "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 999 \xff\r\nX-\xe9: \xff\x01\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nContent-Length: 0\r\n\r\n",
];

const one = <T>(random: Rng, list: readonly T[]): T => list[random.int(list.length)]!;

function spoil(random: Rng, text: string): string {
  if (random.int(3) === 0) return text;
  const at = random.int(text.length + 1);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  switch (random.int(3)) {
    case 0:
      return before + String.fromCharCode(random.int(256)) + after;
    case 1:
      return before + after.slice(random.int(8));
    default:
      return before + text.slice(random.int(text.length)).slice(0, 5) + after;
  }
}

function request(random: Rng): string {
  const headers = Array.from({ length: random.int(5) }, () => one(random, HEADERS));
  const line = `${one(random, METHODS)} ${one(random, TARGETS)} HTTP/1.${random.int(8) === 0 ? 0 : 1}`;
  return spoil(random, message(line, "Host: g", ...headers) + one(random, BODIES));
}

test("whatever either side sends, nothing crashes and no client waits past the time-outs", async () => {
  const random = rng(1, "wire");
  const upstream = await rawUpstream((socket) => {
    const how = random.int(20);
    if (how === 0) socket.destroy();
    else if (!socket.writableEnded) socket.write(spoil(random, one(random, ANSWERS)), "latin1");
    if (how === 1) socket.end();
  });
  const brief = micros(300_000);
  const { url } = await gatewayTo(upstream.url, {
    responseTimeoutUs: brief,
    responseIdleTimeoutUs: brief,
    exchangeTimeoutUs: micros(1_000_000),
    requestHeadersTimeoutUs: brief,
    requestTimeoutUs: brief,
    keepAliveTimeoutUs: brief,
  });
  const ended: string[] = [];
  for (let i = 0; i < MANY; i += AT_ONCE) {
    const requests = Array.from({ length: AT_ONCE }, () => request(random));
    const spoken = await Promise.all(requests.map((text) => speak(url, text, null, 6_000)));
    ended.push(...spoken.map((each) => each.ended));
  }
  expect(ended.filter((how) => how === "open")).toEqual([]);
  const { text } = await speak(url, message("GET /elsewhere HTTP/1.1", "Host: g"), /\}$/);
  expect(statuses(text)).toEqual([404]);
}, 40_000);
