// Requests that RFC 9112 allows, in forms that few clients send: each has one reading, which a gateway has to forward.
import type { Rng } from "#src/kit/chance/rng.ts";

export const one = <T>(random: Rng, list: readonly T[]): T => list[random.int(list.length)]!;

const some = (random: Rng, list: readonly string[], most: number): readonly string[] =>
  Array.from({ length: random.int(most + 1) }, () => one(random, list));

const METHODS = ["GET", "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND"];
const ROOTS = ["/open", "/orders", "//open", "/./orders", "/x/../open", "/%6fpen", "/nowhere"];
const SEGMENTS = [
  "a",
  "A",
  "a;b=c",
  "%20",
  "%7e",
  "%C3%a9",
  "..",
  ".",
  "",
  "a.b",
  "(x)",
  "@:!$&'*+,",
  "%25",
];
const QUERIES = ["", "", "?", "?a=b", "?a=/../b;c", "??", "?%0d%0aX:y", "?a#b", "#b"];
const HEADERS = [
  "Accept: */*",
  "accept:text/html ,	 a/b",
  'Cookie: a=b; c="d"',
  "COOKIE:e=f",
  "X-A:",
  "X-A: 	",
  "X-B: a,b",
  "x-b: c",
  "X-C: a: b:c",
  "X-D: éÿ",
  'X-E: "a\\"b',
  "User-Agent: x (y; z)",
  "TE: trailers",
  "Connection: x-a",
  "Connection: keep-alive, X-B",
  "Keep-Alive: timeout=1",
  "X-Forwarded-For: 127.9.9.9",
  "Forwarded: for=1.2.3.4",
  "Via: 1.0 a",
  "Referer: http://a/b?c",
  "If-None-Match: *",
  "Range: bytes=0-",
  "Expect: 100-continue",
  "Content-Type: a/b;c=d",
  "Pragma: x",
  "!#$%&'*+.^`|~: 1",
  "Max-Forwards: 0",
  "Upgrade-Insecure-Requests: 1",
  "Date: never",
  "Trailer: X-T",
];
const CREDENTIALS = ["Authorization: alice", "authorization: bearer bob", "X-API-Key: alice"];
const PIECES = [
  "",
  "a",
  "abc",
  "\r\n",
  "0\r\n\r\n",
  "GET /open/inner HTTP/1.1\r\nHost: g\r\n\r\n",
  "\0ÿ",
  "5\r\nabc",
  "Content-Length: 5\r\n\r\n",
  "x".repeat(300),
  "HTTP/1.1 200 OK\r\n\r\n",
];
const EXTENSIONS = ["", "", "", ";a", ";a=b", ' ; a = "b;c"', ";", ";\xe9"];

function inAnyCase(random: Rng, line: string): string {
  const colon = line.indexOf(":");
  const name = line.slice(0, colon);
  const how = random.int(4);
  const written = how === 0 ? name.toLowerCase() : how === 1 ? name.toUpperCase() : name;
  const blank = one(random, [" ", " ", "", "\t", "  "]);
  return `${written}:${blank}${line.slice(colon + 1).trim()}${one(random, ["", "", " ", "\t"])}`;
}

function sizeOf(random: Rng, length: number): string {
  const digits = length.toString(16);
  const written = random.int(2) === 0 ? digits.toUpperCase() : digits;
  return "0".repeat(random.int(4)) + written + one(random, EXTENSIONS);
}

function asChunks(random: Rng, body: string): string {
  let text = "";
  for (let from = 0; from < body.length;) {
    const piece = body.slice(from, from + 1 + random.int(body.length));
    text += `${sizeOf(random, piece.length)}\r\n${piece}\r\n`;
    from += piece.length;
  }
  const trailers = some(random, ["X-T: v", "x-u:w"], 2).map((line) => `${line}\r\n`);
  return `${text}${sizeOf(random, 0)}\r\n${trailers.join("")}\r\n`;
}

const LENGTH_NAME = "Content-Length: ";

export function soundRequest(random: Rng): string {
  const method = one(random, METHODS);
  const path = [one(random, ROOTS), ...some(random, SEGMENTS, 4)].join("/");
  const origin = random.int(10) === 0 ? "http://h.example:8" : "";
  const isOld = random.int(8) === 0;
  const line = `${method} ${origin}${path}${one(random, QUERIES)} HTTP/1.${isOld ? 0 : 1}`;
  const headers = [...some(random, HEADERS, 5)];
  if (random.int(2) === 0) headers.push(one(random, CREDENTIALS));
  const body = some(random, PIECES, 4).join("");
  const framing = random.int(isOld ? 2 : 3); // none, a length, chunks
  if (framing === 1) headers.push(LENGTH_NAME + "0".repeat(random.int(3)) + String(body.length));
  if (framing === 2) headers.push("Transfer-Encoding: chunked");
  if (isOld) headers.push("Connection: keep-alive");
  headers.push("Host: g");
  for (let i = headers.length - 1; i > 0; i--) {
    const j = random.int(i + 1);
    [headers[i], headers[j]] = [headers[j]!, headers[i]!];
  }
  const head = [line, ...headers.map((each) => inAnyCase(random, each)), "", ""].join("\r\n");
  return head + (framing === 0 ? "" : framing === 1 ? body : asChunks(random, body));
}
