// Responses of an upstream, drawn from a seed: sound ones, and ones with something wrong in them.
import type { Rng } from "#src/kit/chance/rng.ts";

export interface GeneratedResponse {
  readonly method: string;
  readonly pieces: readonly string[]; // as they are sent, one after the other
  /** Everything in it is as RFC 9112 has it: a client has to read it. */
  readonly isSound: boolean;
  /** The upstream closes its connection after it. */
  readonly isClosed: boolean;
}

const one = <T>(random: Rng, list: readonly T[]): T => list[random.int(list.length)]!;

const some = (random: Rng, list: readonly string[], most: number): readonly string[] =>
  Array.from({ length: random.int(most + 1) }, () => one(random, list));

const METHODS = ["GET", "GET", "GET", "POST", "HEAD", "DELETE"];
const STATUSES = [
  "200 OK",
  "200",
  "201 Created",
  "204 No Content",
  "304 Not Modified",
  "404 \xe9",
  "503 ",
  "999 x",
];
const HEADERS = [
  "X-A: b",
  "x-a:c",
  "Set-Cookie: a=b; c",
  "X-Long: " + "abc ".repeat(200),
  "Keep-Alive: timeout=5, max=100",
  "Connection: keep-alive",
  "Connection: X-A, Keep-Alive",
  "X-Empty:",
  "X-Bytes: \xe9\xff",
  "X-Blank: \t b \t c  ",
  "constructor: a",
  "__proto__: b",
  "Date: Wed, 25 Nov 2026 19:00:00 GMT",
];
const EXTENSIONS = ["", "", "", ";a", ";a=b", ';a="b c;\\""'];
const PRELIMINARY = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
const PIECES = ["a", "HTTP/1.1 200 OK\r\n", "\r\n", "0\r\n\r\n", "\0\xff", "x".repeat(3_000), "\n"];
const SURPLUS = [
  "\r\n",
  "\0",
  "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison",
  "0\r\n\r\n",
  "x",
];
/** Text that is put in anywhere: much of it frames messages. */
const ODD = [
  "\r\n",
  "\n",
  "\r",
  " ",
  "\t",
  ":",
  "\0",
  "\x7f",
  ";",
  "0",
  "-1",
  "f".repeat(16),
  "Content-Length: 3\r\n",
  "Content-Length: 5, 5\r\n",
  "Content-Length : 1\r\n",
  "content-length: +2\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: gzip, chunked\r\n",
  "Transfer-Encoding: identity\r\n",
  "Transfer-Encoding: \x0bchunked\r\n",
  "Connection: close\r\n",
  "Connection: upgrade\r\nUpgrade: x\r\n",
  " folded\r\n",
  "HTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.1 101 Switching Protocols\r\n\r\n",
  "HTTP/1.0 200 OK\r\n\r\n",
  "\xe9",
];

const inAnyCase = (random: Rng, line: string): string =>
  [line, line.toLowerCase(), line.toUpperCase()][random.int(3)]!;

function writeChunks(random: Rng, body: string): string {
  let text = "";
  for (let from = 0; from < body.length;) {
    const piece = body.slice(from, from + 1 + random.int(body.length));
    const size = "0".repeat(random.int(3)) + piece.length.toString(16);
    text += `${inAnyCase(random, size)}${one(random, EXTENSIONS)}\r\n${piece}\r\n`;
    from += piece.length;
  }
  const trailers = some(random, ["X-T: v\r\n", "x-u:w\r\n"], 2).join("");
  return `${text}0${one(random, EXTENSIONS)}\r\n${trailers}\r\n`;
}

function sound(random: Rng, method: string): { readonly text: string; readonly isClosed: boolean } {
  const status = one(random, STATUSES);
  const isBodiless = method === "HEAD" || status.startsWith("204") || status.startsWith("304");
  const isOld = random.int(12) === 0;
  const headers = [...some(random, HEADERS, 6)];
  const body = some(random, PIECES, 3).join("");
  const framing = random.int(isOld ? 2 : 3); // a length, until the end, chunks
  if (framing === 0 && !status.startsWith("204"))
    headers.push(
      inAnyCase(random, "Content-Length") + `: ${"0".repeat(random.int(3))}${body.length}`,
    );
  if (framing === 2 && !isBodiless) headers.push("Transfer-Encoding: chunked");
  if (random.int(8) === 0) headers.push("Connection: close");
  for (let i = headers.length - 1; i > 0; i--) {
    const j = random.int(i + 1);
    [headers[i], headers[j]] = [headers[j]!, headers[i]!];
  }
  const head = [`HTTP/1.${isOld ? 0 : 1} ${status}`, ...headers, "", ""].join("\r\n");
  const preliminary = random.int(10) === 0 ? PRELIMINARY.repeat(1 + random.int(2)) : "";
  const sent = isBodiless ? "" : framing === 2 ? writeChunks(random, body) : body;
  return { text: preliminary + head + sent, isClosed: framing === 1 && !isBodiless };
}

/** Three of four changes are in the head, where most of the framing is. */
function spoil(random: Rng, text: string): string {
  const head = text.indexOf("\r\n\r\n") + 4;
  const at = random.int((random.int(4) === 0 ? text.length : head) + 1);
  switch (random.int(5)) {
    case 0:
      return text.slice(0, at) + String.fromCharCode(random.int(256)) + text.slice(at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + random.int(6));
    case 2:
      return text.slice(0, at) + text.slice(random.int(text.length)).slice(0, 12) + text.slice(at);
    case 3: {
      const line = text.lastIndexOf("\r\n", at) + 2; // a line of its own
      return text.slice(0, line) + one(random, ODD) + text.slice(line);
    }
    default:
      return text.slice(0, at) + one(random, ODD) + text.slice(at);
  }
}

function cut(random: Rng, text: string): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  for (let i = random.int(4); i > 0 && rest.length > 1; i--) {
    const at = 1 + random.int(Math.min(rest.length - 1, random.int(2) === 0 ? 8 : rest.length));
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...pieces, rest];
}

export function generateResponse(random: Rng): GeneratedResponse {
  const method = one(random, METHODS);
  const { text, isClosed } = sound(random, method);
  const how = random.int(10);
  if (how < 3) return { method, pieces: cut(random, text), isSound: true, isClosed };
  if (how < 5) {
    // Surplus, together with the response or later.
    const surplus = one(random, SURPLUS);
    const pieces = how === 3 ? cut(random, text + surplus) : [...cut(random, text), surplus];
    return { method, pieces, isSound: false, isClosed };
  }
  let spoilt = spoil(random, text);
  if (how === 9) spoilt = spoil(random, spoilt);
  return { method, pieces: cut(random, spoilt), isSound: false, isClosed: true };
}

const PERSISTENT_METHODS = METHODS.filter((method) => method !== "HEAD");
const PERSISTENT_STATUSES = STATUSES.filter((status) => !/^(?:204|304)/.test(status));

/** As many as one response may have. */
const MOST_PRELIMINARY = 32;

/** A sound response after which its connection is used again. Half of them follow preliminary ones. */
export function generatePersistent(random: Rng): GeneratedResponse {
  const body = some(random, PIECES, 3).join("");
  const isChunked = random.int(2) === 0;
  const framing = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`;
  const status = one(random, PERSISTENT_STATUSES);
  const head = [`HTTP/1.1 ${status}`, ...some(random, HEADERS, 4), framing, "", ""].join("\r\n");
  const count = random.int(2) === 0 ? 0 : 1 + random.int(MOST_PRELIMINARY);
  const text = PRELIMINARY.repeat(count) + head + (isChunked ? writeChunks(random, body) : body);
  const method = one(random, PERSISTENT_METHODS);
  return { method, pieces: cut(random, text), isSound: true, isClosed: false };
}
