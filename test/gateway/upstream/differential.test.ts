import { expect, test } from "vitest";
import { SEED } from "../../runs.ts";
import {
  compareClients,
  compareReadings,
  type PairReading,
  type ReadResponse,
} from "./differential.ts";
import { generatePersistent } from "./responses.ts";

test("this client and undici read generated responses alike, and it alone may refuse more", async () => {
  const result = await compareClients({ seed: SEED, from: 0, responses: 2_000, lanes: 16 });
  expect(result.differences).toEqual([]);
  expect(result.equal).toBeGreaterThan(600);
  expect(result.refusedByBoth).toBeGreaterThan(200);
}, 60_000);

test("both read alike what one connection carries, with hundreds of preliminary responses", async () => {
  let preliminary = 0;
  const result = await compareClients({
    seed: SEED,
    from: 0,
    responses: 150,
    lanes: 3,
    generate: (random) => {
      const response = generatePersistent(random);
      preliminary += response.pieces.join("").split("HTTP/1.1 103 ").length - 1;
      return response;
    },
  });
  expect(result).toMatchObject({ differences: [], equal: 150 });
  // Each client reads all of them. A bound of 32 that was of a connection would be exceeded.
  expect((2 * preliminary) / result.connections).toBeGreaterThan(200);
});

test("a sound response that is refused is a difference", async () => {
  const pieces = ["HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n", "a"];
  const refused = await compareClients({
    seed: 1,
    from: 0,
    responses: 1,
    lanes: 1,
    generate: () => ({
      method: "GET",
      pieces: pieces.map((piece) => piece.replace("200", "20")),
      isSound: true,
      isClosed: false,
    }),
  });
  expect(refused.differences[0]).toContain("a sound response is refused");
});

const READ: ReadResponse = { status: 200, headers: "", body: "abc", failure: null };
const readingOf = (read: Partial<ReadResponse>, next: Partial<ReadResponse> = {}): PairReading => ({
  read: { ...READ, ...read },
  next: { ...READ, body: "own", ...next },
  token: "own",
});
const REFUSED = { status: 0, body: "", failure: "malformed" };
const STRICTER = { ...REFUSED, failure: "The response is malformed: it is no HTTP/1" };

test.each<
  [what: string, own: PairReading, other: PairReading, isSound: boolean, expected: string | null]
>([
  ["equal readings", readingOf({}), readingOf({}), true, null],
  ["a refusal by both", readingOf(REFUSED), readingOf(REFUSED), false, null],
  ["a stricter refusal", readingOf({ ...STRICTER, body: "a" }), readingOf({}), false, null],
  [
    "a refusal that is not listed",
    readingOf(REFUSED),
    readingOf({}),
    false,
    "a refusal that decision 045 does not list: malformed",
  ],
  [
    "a sound response",
    readingOf(REFUSED),
    readingOf({}),
    true,
    "a sound response is refused: malformed",
  ],
  [
    "a body that the other does not read",
    readingOf({ ...REFUSED, body: "x" }),
    readingOf({}),
    false,
    "another body before the refusal",
  ],
  ["a refusal", readingOf({}), readingOf(REFUSED), false, "undici alone refuses: malformed"],
  ["a status", readingOf({ status: 201 }), readingOf({}), false, "another status"],
  ["headers", readingOf({ headers: '["a",["b"]]' }), readingOf({}), false, "another headers"],
  ["a body", readingOf({ body: "abcd" }), readingOf({}), false, "another body"],
  ...[{ body: "of another client" }, REFUSED].map(
    (next): [string, PairReading, PairReading, boolean, string] => [
      "the next response",
      readingOf({}, next),
      readingOf({}),
      true,
      "the next request has another response",
    ],
  ),
])("two clients are compared by %s", (_, own, other, isSound, expected) => {
  const counts = { equal: 0, refusedByBoth: 0, stricter: new Map<string, number>() };
  const response = { method: "GET", pieces: [], isSound, isClosed: false };
  expect(compareReadings([own, other], response, counts)).toBe(expected);
  const { equal, refusedByBoth, stricter } = counts;
  expect(equal + refusedByBoth + stricter.size).toBe(expected === null ? 1 : 0);
});
