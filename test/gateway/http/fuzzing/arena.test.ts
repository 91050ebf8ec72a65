// The arena of the fuzzer: it notices each way in which two readings differ, and takes none for a difference that is none.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { arena, type Arena } from "./arena.ts";
import { hasPlace, type Expected } from "./expected.ts";
import { readStrictly } from "./strict-reader.ts";

const FIRST = "POST /open/first HTTP/1.1\r\nHost: g\r\nX-A: b\r\nContent-Length: 3\r\n\r\nabc";
const SECOND = "GET /open/second HTTP/1.1\r\nHost: g\r\n\r\n";

let spoil: (text: string) => string;
let served: Arena;
beforeAll(async () => {
  served = await arena((text) => readStrictly(spoil(text)));
});
beforeEach(() => {
  spoil = (text) => text;
});
afterAll(() => served.stop());

const play = async (text: string): Promise<string | null> =>
  (await served.play(served.lane(), { text, cuts: [] })).wrong;

test.each([
  ["another method", (text: string) => text.replace("POST", "PUT"), /reads POST \/open\/first/],
  [
    "another target",
    (text: string) => text.replace("/second", "/third"),
    /reads GET \/open\/second/,
  ],
  ["another body", (text: string) => text.replace("abc", "abd"), /reads POST \/open\/first/],
  [
    "another header",
    (text: string) => text.replace("X-A: b", "X-A: c"),
    /that nobody sent: X-A: b/,
  ],
  [
    "one request where there are two",
    (text: string) => text.replace(SECOND, ""),
    /reads GET \/open\/second/,
  ],
  [
    "nothing behind the first one",
    (text: string) => text.replace(SECOND, "\n"),
    /reads GET \/open\/second/,
  ],
])("%s is noticed", async (_, change, complaint) => {
  expect(await play(FIRST + SECOND)).toBeNull();
  spoil = change;
  expect(await play(FIRST + SECOND)).toMatch(complaint);
});

test("a whole request before one that looks like it and never ends is no difference", async () => {
  const head = "POST /open HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (let i = 0; i < 20; i++)
    expect(await play(`${head}3\r\nabc\r\n0\r\n\r\n${head}3\r\nab`)).toBeNull();
});

const requestWith = (...headers: readonly string[]): Expected => {
  const text = `GET / HTTP/1.1\r\nHost: g\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`;
  const [read] = readStrictly(text).requests;
  return { read: read!, isWhole: true, isDecided: false, forwarded: null };
};
const rawHeaders = (...headers: readonly string[]): readonly string[] =>
  headers.flatMap((line) => line.split(": "));

test("requests that differ in headers alone may arrive in any order", () => {
  const all = [requestWith("X-A: 1", "X-B: 1"), requestWith("X-A: 1"), requestWith()];
  expect(hasPlace(rawHeaders(), all)).toBe(true); // takes the first one, which fits as well
  expect(hasPlace(rawHeaders("X-A: 1"), all)).toBe(true);
  expect(hasPlace(rawHeaders("X-A: 1", "X-B: 1"), all)).toBe(true);
  expect(all.map(({ forwarded }) => forwarded?.length)).toEqual([4, 2, 0]);
});

test("a header that no request had has no place, and neither has one request too many", () => {
  const all = [requestWith("X-A: 1"), requestWith()];
  expect(hasPlace(rawHeaders("X-A: 2"), all)).toBe(false);
  expect(hasPlace(rawHeaders("X-A: 1"), all)).toBe(true);
  expect(hasPlace(rawHeaders("X-A: 1"), all)).toBe(false);
  expect(hasPlace(rawHeaders(), all)).toBe(true);
  expect(hasPlace(rawHeaders(), all)).toBe(false);
});

test("only spaces and tabs surround an item of a list (RFC 9110, 5.6.1)", () => {
  const end = (value: string): string =>
    readStrictly(`GET /open HTTP/1.1\r\nHost: g\r\nConnection: ${value}\r\n\r\n`).end;
  expect(["close", "close \t", "x , close", "close\u00A0"].map(end)).toEqual([
    "closed",
    "closed",
    "closed",
    "between",
  ]);
});
