// Inputs of the fuzzer: sound requests made by chance, which leave their connection to the next one, and the known shapes and
// others, spoiled. One seed and one index give one input.
import { rng, type Rng } from "#src/kit/chance/rng.ts";
import { SHAPES } from "./shapes.ts";
import { one, soundRequest } from "./sound-requests.ts";

const WHOLE: readonly string[] = [
  "GET /open HTTP/1.1\r\nHost: g\r\n\r\n",
  "GET /open/a?b=c HTTP/1.1\r\nHost: g:80\r\nAuthorization: carol\r\n\r\n",
  "HEAD /open HTTP/1.1\r\nHost: g\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: g\r\n\r\n",
  "GET /orders/./x/../%65 HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer alice\r\nX-API-Key: bob\r\n\r\n",
  "DELETE /orders/1;a=b HTTP/1.1\r\nHost: g\r\nX-API-Key: alice\r\nConnection: x-a, keep-alive\r\nX-A: b\r\n\r\n",
  "POST /open HTTP/1.1\r\nHost: g\r\nContent-Length: 3\r\n\r\nabc",
  "PUT /orders HTTP/1.1\r\nHost: g\r\nAuthorization: alice\r\nContent-Length: 45\r\n\r\nGET /open/inner HTTP/1.1\r\nHost: g\r\nX-Z: 1\r\n\r\n",
  "POST /open HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nX-T: v\r\n\r\n",
  "POST /open HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n2a\r\nGET /open/inner HTTP/1.1\r\nHost: g\r\nX: 1\r\n\r\n\r\n0\r\n\r\n",
  "PATCH /open HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\nz",
  "GET http://h.example/open?x HTTP/1.1\r\nHost: g\r\nTE: trailers\r\nCookie: a=b; c=d\r\n\r\n",
  "POST /nowhere HTTP/1.1\r\nHost: g\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi",
];

/** The inserted words: separators, framing, and names of credentials and proxies. */
const WORDS: readonly string[] = [
  ...'\r\n\t\0 :;,="\\/%?#.@_-+0x\x0b\x0c\x7f\x85\xa0\xff'.split(""),
  "\r\n",
  "\n\n",
  "\r\r\n",
  "\r\n\r\n",
  "\r\n ",
  "\r\n\t",
  "\n\r",
  "0\r\n\r\n",
  "\r\n0\r\n\r\n",
  "Content-Length: 0\r\n",
  "Content-Length: 5\r\n",
  "Content-Length:",
  "content-length:\t3\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: identity\r\n",
  "Transfer-Encoding:",
  "Connection: close\r\n",
  "Connection: keep-alive\r\n",
  "Connection: authorization\r\n",
  "Host: h\r\n",
  "Host:",
  "Expect: 100-continue\r\n",
  "Upgrade: h2c\r\n",
  "Trailer: X-T\r\n",
  "Authorization: alice\r\n",
  "Authorization: bob\r\n",
  "X-API-Key: alice\r\n",
  "X-Forwarded-For: 127.9.9.9\r\n",
  "X_A: b\r\n",
  "Cookie: a\r\n",
  "Content-Type: a/b\r\n",
  "chunked",
  "identity",
  "gzip",
  "close",
  "GET ",
  "POST ",
  " HTTP/1.1",
  " HTTP/1.0",
  "HTTP/0.9",
  "%0d%0a",
  "%00",
  "%2f",
  "%2e%2e",
  "/../",
  "//",
  ";",
  "://",
  "ffffffff",
  "0x",
  "1e1",
  "00",
];

type Mutation = (random: Rng, text: string) => string;

const at = (random: Rng, text: string): number => random.int(text.length + 1);
const insertAt = (text: string, index: number, piece: string): string =>
  text.slice(0, index) + piece + text.slice(index);

/** Which line; lines end with CRLF. */
const withLine = (random: Rng, text: string, change: (line: string) => string): string => {
  const lines = text.split("\r\n");
  const which = random.int(lines.length);
  lines[which] = change(lines[which]!);
  return lines.join("\r\n");
};

const MUTATIONS: readonly Mutation[] = [
  // A byte becomes another one, by one bit or altogether.
  (random, text) => {
    const index = random.int(Math.max(1, text.length));
    const code = text.charCodeAt(index);
    const next = random.int(2) === 0 ? code ^ (1 << random.int(8)) : random.int(256);
    return text.slice(0, index) + String.fromCharCode(next & 0xff) + text.slice(index + 1);
  },
  (random, text) => insertAt(text, at(random, text), one(random, WORDS)),
  // At the beginning of a line, where a header would be.
  (random, text) => withLine(random, text, (line) => one(random, WORDS) + line),
  (random, text) => withLine(random, text, (line) => line + one(random, WORDS)),
  (random, text) => withLine(random, text, (line) => `${line}\r\n${line}`),
  (random, text) => withLine(random, text, (line) => line.replace(":", one(random, WORDS) + ":")),
  (random, text) => withLine(random, text, (line) => line.replace(/: ?/, `:${one(random, WORDS)}`)),
  (random, text) => withLine(random, text, (line) => line.replaceAll("-", "_")),
  (random, text) => withLine(random, text, (line) => line.toLowerCase()),
  // Chunk sizes and lengths that are off by a little, or written otherwise.
  (random, text) =>
    withLine(random, text, (line) =>
      line.replace(/[0-9A-Fa-f]+$/, (digits) =>
        one(random, [
          String(Number.parseInt(digits, 10) + random.int(5) - 2),
          `0${digits}`,
          `+${digits}`,
          `${digits};${one(random, WORDS)}`,
          `0x${digits}`,
          `${digits} `,
        ]),
      ),
    ),
  (random, text) => text.replace("\r\n", one(random, ["\n", "\r", "\r\r\n", "\n\r", ""])),
  (random, text) => {
    const index = at(random, text);
    return text.slice(0, index) + text.slice(index + 1 + random.int(8));
  },
  // A piece of itself, or of another one.
  (random, text) => {
    const from = random.int(text.length);
    return insertAt(text, at(random, text), text.slice(from, from + 1 + random.int(40)));
  },
  (random, text) => text.slice(0, at(random, text)) + base(random).slice(random.int(40)),
  (random, text) => {
    const piece = base(random);
    const from = random.int(piece.length);
    return insertAt(text, at(random, text), piece.slice(from, from + 1 + random.int(60)));
  },
  (random, text) => text.slice(0, at(random, text)),
];

const LONG = 4_000; // a flood is for the shapes themselves

const bases: readonly string[] = [
  ...SHAPES.map(({ bytes }) => bytes).filter(({ length }) => length < LONG),
  // As often together as all the shapes.
  ...Array.from({ length: Math.ceil(SHAPES.length / WHOLE.length) }, () => WHOLE).flat(),
];
const base = (random: Rng): string =>
  random.int(4) === 0 ? soundRequest(random) : one(random, bases);

export interface Input {
  readonly text: string;
  /** Where it is cut on its way, because a parser goes on where it has stopped. */
  readonly cuts: readonly number[];
}

export function inputOf(seed: number, index: number): Input {
  const random = rng(seed, `input ${index}`);
  const isSound = random.int(3) > 0;
  const make = isSound ? soundRequest : base;
  let text = make(random);
  for (let i = random.int(3); i > 0; i--) text += make(random);
  if (!isSound) for (let i = random.int(5); i > 0; i--) text = one(random, MUTATIONS)(random, text);
  if (text === "") text = "\r\n";
  const isCut = random.int(8) === 0;
  const cuts = isCut
    ? Array.from({ length: 1 + random.int(3) }, () => random.int(text.length))
    : [];
  return { text, cuts: cuts.toSorted((a, b) => a - b) };
}
