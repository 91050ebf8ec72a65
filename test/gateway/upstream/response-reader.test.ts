// The bytes of responses, without a socket: their parts, and each reason to read nothing more.
import { expect, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import type { ResponseHeaders, SeenLines } from "#src/gateway/upstream/response-head.ts";
import { ResponseReader, type ResponseParts } from "#src/gateway/upstream/response-reader.node.ts";
import { SEED } from "../../runs.ts";
import { generatePersistent, generateResponse } from "./responses.ts";

/** As JSON, with a list of all values of a repeated header. */
function textOf(headers: ResponseHeaders): string {
  const values = new Map<string, string[]>();
  for (let i = 0; i < headers.length; i += 2)
    values.set(headers[i]!, [...(values.get(headers[i]!) ?? []), headers[i + 1]!]);
  const lines = [...values].map(
    ([name, all]) => `${JSON.stringify(name)}:${JSON.stringify(all.length === 1 ? all[0] : all)}`,
  );
  return `{${lines.join(",")}}`;
}

type Read = (pieces: readonly string[], method?: string) => readonly string[];

/** Reads the responses of one connection, each as its parts in order and the problem that ended it. */
function readerOfMany(seenLines: SeenLines = []): Read {
  let seen: string[] = [];
  let body = "";
  const parts: ResponseParts = {
    onHead: ({ status, headers, isLast }) => {
      seen.push(`${status} ${textOf(headers)}${isLast ? " last" : ""}`);
    },
    onBody: (bytes, from, to) => {
      body += bytes.toString("latin1", from, to);
    },
    onEnd: (hasSurplus) => {
      seen.push(`"${body}" ${hasSurplus ? "and surplus" : "whole"}`);
      reader.stop();
    },
  };
  const reader: ResponseReader = new ResponseReader(parts, seenLines);
  return (pieces, method = "GET") => {
    seen = [];
    body = "";
    reader.begin(method === "HEAD");
    for (const piece of pieces) {
      const bytes = Buffer.from(piece, "latin1");
      const problem = reader.read(bytes, bytes.length);
      if (problem !== null) return [...seen, `refused: ${problem}`];
    }
    return reader.isUntilClose ? [...seen, `"${body}" until the end`] : seen;
  };
}

const read = (pieces: readonly string[], method = "GET", seenLines: SeenLines = []) =>
  readerOfMany(seenLines)(pieces, method);

const OK = "HTTP/1.1 200 OK\r\n";
const CODED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const lengthOf = (length: number | string): string => `${OK}Content-Length: ${length}\r\n\r\n`;

const SOUND: [what: string, text: string, parts: readonly string[], method?: string][] = [
  ["a length", `${lengthOf(3)}abc`, [`200 {"content-length":"3"}`, `"abc" whole`]],
  ["no body", lengthOf(0), [`200 {"content-length":"0"}`, `"" whole`]],
  ["no reason", "HTTP/1.1 204\r\n\r\n", ["204 {}", `"" whole`]],
  [
    "chunks, extensions and a trailer",
    `${CODED}3;a=b;c="\\"d"\r\nabc\r\n000A\r\n0123456789\r\n0\r\nX-T: v\r\n\r\n`,
    [`200 {"transfer-encoding":"chunked"}`, `"abc0123456789" whole`],
  ],
  ["a body until the end", `${OK}\r\nabc`, ["200 {} last", `"abc" until the end`]],
  [
    "HTTP/1.0, whatever it keeps",
    "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na",
    [`200 {"connection":"keep-alive","content-length":"1"} last`, `"a" whole`],
  ],
  [
    "a preliminary response",
    `HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n${lengthOf(1)}a`,
    [`200 {"content-length":"1"}`, `"a" whole`],
  ],
  ["HEAD", lengthOf(3), [`200 {"content-length":"3"}`, `"" whole`], "HEAD"],
  [
    "304 with the length of what is not sent",
    "HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n",
    [`304 {"content-length":"3"} last`, `"" whole`],
  ],
  [
    "one of several words that closes",
    `${OK}Connection: X-A , Close\r\nContent-Length: 0\r\n\r\n`,
    [`200 {"connection":"X-A , Close","content-length":"0"} last`, `"" whole`],
  ],
  [
    "headers that objects have",
    `${OK}constructor: a\r\n__proto__: b\r\n__proto__: c\r\nContent-Length: 0\r\n\r\n`,
    [`200 {"constructor":"a","__proto__":["b","c"],"content-length":"0"}`, `"" whole`],
  ],
  [
    "values of any letter between blanks",
    `${OK}X-A: \t\xe9 \xff \r\nX-A:\r\nContent-Length: 0\r\n\r\n`,
    [`200 {"x-a":["\xe9 \xff",""],"content-length":"0"}`, `"" whole`],
  ],
];

test.each(SOUND)("%s is read, in one piece and byte by byte", (_, text, parts, method = "GET") => {
  expect(read([text], method)).toEqual(parts);
  expect(read(text.split(""), method)).toEqual(parts);
});

test.each([
  ["after a length", `${lengthOf(3)}abcd`],
  ["after chunks", `${CODED}3\r\nabc\r\n0\r\n\r\nH`],
  ["after a response without a body", `${lengthOf(0)}${OK}`],
])("bytes %s are surplus, and no other response", (_, text) => {
  expect(read([text]).at(-1)).toMatch(/^".*" and surplus$/);
});

test.each([
  ["two lengths", `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\na`],
  ["the same length twice", `${OK}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`],
  ["a list of lengths", `${lengthOf("1, 1")}a`],
  ["a negative length", lengthOf(-1)],
  ["a length with a sign", `${lengthOf("+1")}a`],
  ["a length in hexadecimal", lengthOf("0x1")],
  ["an empty length", lengthOf("")],
  ["a length past any number", lengthOf("9".repeat(16))],
  ["a length and chunks", `${OK}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`],
  ["chunks in HTTP/1.0", CODED.replace("1.1", "1.0")],
  ["chunks twice", `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n`],
  ["a list of codings", `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n`],
  ["another coding", `${OK}Transfer-Encoding: identity\r\n\r\n`],
  ["a folded header", `${OK}X-A: b\r\n c\r\nContent-Length: 0\r\n\r\n`],
  ["a blank before the colon", `${OK}Content-Length : 0\r\n\r\n`],
  ["a header without a name", `${OK}: a\r\n\r\n`],
  ["a header without a colon", `${OK}abc\r\n\r\n`],
  ["LF at the end of a line", `${OK}X-A: b\nContent-Length: 0\r\n\r\n`],
  ["LF alone", "HTTP/1.1 200 OK\nContent-Length: 0\n\n"],
  ["CR in a value", `${OK}X-A: b\rc\r\n\r\n`],
  ["a zero byte", `${OK}X-A: b\0\r\n\r\n`],
  ["DEL", `${OK}X-A: b\x7f\r\n\r\n`],
  ["an empty line first", `\r\n${lengthOf(0)}`],
  ["a blank first", ` ${lengthOf(0)}`],
  ["HTTP/2", "HTTP/2 200\r\n\r\n"],
  ["another version", "HTTP/1.2 200 OK\r\n\r\n"],
  ["two digits", "HTTP/1.1 20 OK\r\n\r\n"],
  ["four digits", "HTTP/1.1 2000 OK\r\n\r\n"],
  ["status 0", "HTTP/1.1 000 OK\r\n\r\n"],
  ["two blanks", "HTTP/1.1  200 OK\r\n\r\n"],
  ["100", `HTTP/1.1 100 Continue\r\n\r\n${lengthOf(0)}`],
  ["101", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
  ["a preliminary response with a body", "HTTP/1.1 103 Hints\r\nContent-Length: 1\r\n\r\na"],
  [
    "a preliminary response that closes the connection",
    `HTTP/1.1 103 Hints\r\nConnection: close\r\n\r\n${lengthOf(0)}`,
  ],
  ["a blank after the length", "HTTP/1.1 200 OK\r\nContent-Length: 1 \r\n\r\na"],
  ["a blank after the coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\t\r\n\r\n0\r\n\r\n"],
  ["preliminary responses without end", "HTTP/1.1 103 Hints\r\n\r\n".repeat(33)],
  ["a head that is too long", `${OK}X-A: ${"a".repeat(16_384)}\r\n\r\n`],
  ["no size", `${CODED}\r\n`],
  ["a size that is no number", `${CODED}g\r\n`],
  ["a size with a sign", `${CODED}-3\r\nabc\r\n`],
  ["a size in hexadecimal notation", `${CODED}0x3\r\nabc\r\n`],
  ["a blank after a size", `${CODED}3 \r\nabc\r\n`],
  ["a size past any number", `${CODED}${"f".repeat(14)}\r\n`],
  ["a size line with LF alone", `${CODED}3\nabc\r\n0\r\n\r\n`],
  ["CR within an extension", `${CODED}3;a=\rb\r\nabc\r\n`],
  ["an extension without a name", `${CODED}3;\r\nabc\r\n`],
  ["an extension that is too long", `${CODED}3;a=${"b".repeat(4_096)}\r\nabc\r\n`],
  ["a chunk that is longer", `${CODED}3\r\nabcd\r\n0\r\n\r\n`],
  ["a chunk with LF alone", `${CODED}3\r\nabc\n0\r\n\r\n`],
  ["a trailer that frames", `${CODED}0\r\nContent-Length: 3\r\n\r\n`],
  ["a trailer without a colon", `${CODED}0\r\nabc\r\n\r\n`],
  ["a folded trailer", `${CODED}0\r\nX-T: v\r\n w\r\n\r\n`],
  ["trailers that are too long", `${CODED}0\r\n${`X-T: ${"a".repeat(1_000)}\r\n`.repeat(5)}\r\n`],
])("%s is refused, in one piece and byte by byte", (_, text) => {
  expect(read([text]).at(-1)).toMatch(/^refused: /);
  expect(read(text.split("")).at(-1)).toMatch(/^refused: /);
});

test("nothing waits for the rest of what cannot become a head", () => {
  for (const text of ["SSH-2.0-OpenSSH_9\r\n", "\xff\xff", "HTTP/1.1 200 OK\n", `${OK}X-A: b\0`])
    expect(read([text]).at(-1)).toMatch(/^refused: /);
  for (const text of ["H", "HTTP/1", "HTTP/1.1 200 OK\r", `${OK}X-A`])
    expect(read([text])).toEqual([]);
});

test("the lines of earlier heads change no reading", () => {
  const seenLines: SeenLines = [];
  let refused = 0;
  for (let i = 0; i < 5_000; i++) {
    const { method, pieces } = generateResponse(rng(SEED, `seen/${i}`));
    for (const one of [pieces, [pieces.join("")]]) {
      const alone = read(one, method);
      expect(read(one, method, seenLines)).toEqual(alone);
      if (alone.at(-1)?.startsWith("refused") === true) refused++;
    }
  }
  expect(refused).toBeGreaterThan(500);
});

test("a line that begins or ends as an earlier one is read anew", () => {
  const seenLines: SeenLines = [];
  for (const value of ["3", "33", "3 ", "3", "03", "", "3\r", "3"]) {
    const text = `${OK}Content-Length: ${value}\r\n\r\n`;
    expect(read([text], "GET", seenLines)).toEqual(read([text]));
  }
});

const HINTS = "HTTP/1.1 103 Hints\r\n\r\n";

test("a connection may carry any number of preliminary responses, and each final one 32", () => {
  const readNext = readerOfMany();
  const whole = [`200 {"content-length":"1"}`, `"a" whole`];
  for (let i = 0; i < 40; i++) expect(readNext([`${HINTS}${lengthOf(1)}a`])).toEqual(whole);
  for (let i = 0; i < 3; i++)
    expect(readNext([`${HINTS.repeat(32)}${lengthOf(1)}a`])).toEqual(whole);
  expect(readNext([HINTS.repeat(33)])).toEqual(["refused: too many preliminary responses"]);
});

test("what a connection has carried before changes no reading", () => {
  const readNext = readerOfMany();
  for (let i = 0; i < 200; i++) {
    const { method, pieces } = generatePersistent(rng(SEED, `persistent/${i}`));
    const parts = readNext(pieces, method);
    expect(parts).toEqual(read(pieces, method));
    expect(parts.at(-1)).toMatch(/ whole$/);
  }
});
