// A log on the page is replayed as `weir replay` replays its file.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { isFailure } from "#src/kit/reading/failure.ts";
import { USUAL_ALGORITHMS } from "#src/studies/replay/candidates.ts";
import { MOST_LOG_BYTES, replayLog, type ReplayWithCharts } from "#src/show/site/replay-log.ts";
import { weir } from "../../cli/weir.ts";

const LIMIT = { rate: 2, perSeconds: 1, key: "ip" };

const lineOf = (second: number, last: number): string =>
  `192.0.2.${last} - - [21/Jul/2025:10:00:${String(second).padStart(2, "0")} +0000] "GET /orders HTTP/1.1" 200 12\n`;

/** Three clients, of which one sends too much, and lines that are no requests. */
const LOG = `no request\n${Array.from({ length: 50 }, (_, second) =>
  [1, 1, 1, 2, 3].map((last) => lineOf(second, last)).join(""),
).join("")}`;

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

test("its result is the document of weir replay, also if it is packed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "weir-dropped-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "access.log"), LOG);
  const args = ["replay", "access.log", "--limit", "2/1s", "--json"];
  const { out } = await weir(folder, args);
  const expected: unknown = JSON.parse(out);
  const bytes = bytesOf(LOG);
  const replayed = await replayLog({ name: "access.log", bytes }, LIMIT);
  expect(replayed).toMatchObject({ result: expected });
  const { sections } = (replayed as ReplayWithCharts).part;
  expect(sections.map(({ title, figures }) => [title, figures.length])).toEqual([
    ["All candidates", 1],
    ["Clients, and a limit that moves", 1],
    ["Refused over time", 1 + USUAL_ALGORITHMS.length],
    ["Clients that are refused most", 0],
  ]);
  const packed = new Uint8Array(gzipSync(bytes));
  expect(await replayLog({ name: "access.log", bytes: packed }, LIMIT)).toEqual(replayed);
});

test.each([
  [
    "no log",
    bytesOf("a\nb\n"),
    LIMIT,
    "its first lines have no known format; a page reads only logs",
  ],
  ["empty", bytesOf(""), LIMIT, "it is empty"],
  ["binary", new Uint8Array([1, 0, 2, 0, 3]), LIMIT, "this is a binary file"],
  ["too large", new Uint8Array(MOST_LOG_BYTES + 1), LIMIT, "more than 100 MB: too large for"],
  [
    "too large once it is unpacked",
    new Uint8Array(gzipSync(Buffer.alloc(MOST_LOG_BYTES + 1), { level: 1 })),
    LIMIT,
    "more than 100 MB: too large for",
  ],
  ["damaged gzip", new Uint8Array([0x1f, 0x8b, 8, 0, 1]), LIMIT, "it cannot be unpacked"],
  ["without a limit", bytesOf(LOG), { ...LIMIT, rate: Number.NaN }, "The limit needs at least 1"],
])("%s is a sentence", async (_, bytes, limit, sentence) => {
  const result = await replayLog({ name: "x.log", bytes }, limit);
  expect(isFailure(result) && result.message).toContain(sentence);
});

test("a mark of the byte order is no part of the first client", async () => {
  const bytes = bytesOf(`\uFEFF${lineOf(4, 1)}${lineOf(5, 1)}`);
  const result = await replayLog({ name: "x.log", bytes }, LIMIT);
  expect(result).toMatchObject({ result: { requests: 2, clients: 1 } });
});

test("requests that are a little out of order are sorted", async () => {
  const bytes = bytesOf(`${lineOf(5, 1)}${lineOf(4, 1)}${lineOf(5, 2)}`);
  const result = await replayLog({ name: "x.log", bytes }, LIMIT);
  if (isFailure(result)) throw new Error(result.message);
  expect([result.result.requests, result.result.firstAt]).toEqual([3, "2025-07-21T10:00:04.000Z"]);
});
