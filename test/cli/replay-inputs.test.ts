// What weir replay reads: pipes, folders, and files whose first lines are not those of the others.
import { spawn, spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { ReplayResult } from "../../src/replay/result.ts";
import { replayText } from "../../src/replay/text.ts";
import { folderWith, weir } from "./weir.ts";

const line = (second: number): string =>
  `192.0.2.1 - - [05/Jan/2026:10:00:${String(second).padStart(2, "0")} +0000] "GET / HTTP/1.1" 200 12 "-" "curl/8.5.0"\n`;

const log = Array.from({ length: 30 }, (_, i) => line(2 * i)).join("");

const LIMIT = ["--limit", "10/1m", "--algorithm", "fixed_window"];

async function replay(
  folder: string,
  ...args: readonly string[]
): Promise<{
  readonly code: number | null;
  readonly err: string;
  readonly result: ReplayResult | null;
}> {
  const { code, out, err } = await weir(folder, ["replay", ...args, ...LIMIT, "--json"]);
  return { code, err, result: out === "" ? null : (JSON.parse(out) as ReplayResult) };
}

async function logsOf(text: string | Uint8Array) {
  const folder = folderWith({});
  writeFileSync(join(folder, "a.log"), text);
  return replay(folder, "a.log");
}

test("every request of a named pipe is read, although its bytes can be read only once", async () => {
  const folder = folderWith({ "a.log": log });
  expect(spawnSync("mkfifo", ["pipe"], { cwd: folder }).status).toBe(0);
  spawn("sh", ["-c", "cat a.log > pipe"], { cwd: folder, stdio: "ignore" });
  expect((await replay(folder, "pipe")).result).toMatchObject({ requests: 30 });
});

test("a file of a folder that cannot be read is a problem, unless it is empty or binary", async () => {
  const folder = folderWith({ "logs/access.log": log, "logs/empty.log": "" });
  const write = (name: string, bytes: Uint8Array): void =>
    writeFileSync(join(folder, "logs", name), bytes);
  write("journal", Uint8Array.of(1, 2, 0, 3, 10));
  const fine = await replay(folder, "logs");
  expect([fine.code, fine.result?.skipped.length]).toEqual([0, 2]);
  write("old.gz", gzipSync(log).fill(0, 4, 40));
  write("other.log", Buffer.from("hello\n"));
  const { code, err, result } = await replay(folder, "logs");
  expect([code, result?.requests, result?.skipped.length]).toEqual([2, 30, 4]);
  expect(err).toContain("weir replay: logs/old.gz: the archive is damaged. The result is without");
  expect(err).toContain("weir replay: logs/other.log: its first lines have no known format");
  expect(err).toContain("skipped logs/empty.log: it is empty");
});

test("first lines of something else are unreadable lines of the log", async () => {
  const { result } = await logsOf(`starting\n${log.repeat(4)}`);
  expect(result?.logs[0]).toMatchObject({ format: "combined", requests: 120, unreadable: 1 });
  const csv = await logsOf("exported today\ntime,ip\n2026-01-05T10:00:00Z,192.0.2.1\n");
  expect(csv.result?.logs[0]).toMatchObject({ format: "csv", requests: 1 });
});

test("timestamps are finer than seconds if a fraction is in any of the first lines", async () => {
  const times = ["2026-01-05T10:00:00Z", "2026-01-05T10:00:00.5Z", "2026-01-05T10:00:00.75Z"];
  const lines = times.map((time) => `${JSON.stringify({ time, ip: "192.0.2.1" })}\n`);
  const { result } = await logsOf(lines.join(""));
  expect(result).toMatchObject({ timestamps: "finer", lastAt: "2026-01-05T10:00:00.750Z" });
});

test("a mark of the byte order is no part of the first client", async () => {
  expect((await logsOf(`\uFEFF${log}`)).result).toMatchObject({ requests: 30, clients: 1 });
});

test("one wrong clock in one of two logs loses no request", async () => {
  const rows = Array.from({ length: 300_000 }, (_, i) => `${1_767_607_200 + i} 192.0.2.1\n`);
  const wrong = "1999999999 192.0.2.1\n";
  const folder = folderWith({
    "a.log": rows.slice(0, 12_482).join("") + wrong + rows.slice(12_482).join(""),
    "b.log": rows.join(""),
  });
  const { result } = await replay(folder, "a.log", "b.log", "--format", "$msec $remote_addr");
  expect(result).toMatchObject({ requests: 600_001 });
});

test("without --algorithm the clients that one limit refuses are printed", async () => {
  const folder = folderWith({ "a.log": log });
  const { out } = await weir(folder, ["replay", "a.log", "--limit", "10/1m"]);
  expect(out).toContain("refused most by 10/1m fixed_window:\nclient");
  const two = ["replay", "a.log", "--limit", "10,11/1m"];
  expect((await weir(folder, two)).out).not.toContain("refused most by");
  expect((await weir(folder, [...two, "--top", "2"])).out).toContain("refused most by 11/1m");
});

test("a link in a folder is a log of it", async () => {
  const folder = folderWith({ "a.log": log, "logs/empty.log": "" });
  symlinkSync(join(folder, "a.log"), join(folder, "logs/linked.log"));
  expect((await replay(folder, "logs")).result).toMatchObject({ requests: 30 });
});

test("an interrupted result shows in its text that it is not the whole", async () => {
  const folder = folderWith({ "a.log": log });
  const { result } = await replay(folder, "a.log");
  const lines = replayText({ ...result!, isInterrupted: true }, (_, text) => text, false);
  expect(lines).toContain("interrupted: only requests until 2026-01-05 10:00:58");
});

test("JSON lines that begin with log are no HAR", async () => {
  const own = { time: "2026-01-05T10:00:00.5Z", ip: "192.0.2.1" };
  for (const value of ["GET / 200\n", { level: "info" }]) {
    const { result } = await logsOf(`${JSON.stringify({ log: value, ...own })}\n`.repeat(3));
    expect(result?.logs[0]).toMatchObject({ format: "ndjson", requests: 3 });
  }
});

const harOf = (texts: readonly string[]): string => {
  const entries = texts.map((text) => ({
    startedDateTime: "2026-01-05T10:00:00.250Z",
    request: { method: "GET", url: "/", headers: [{ name: "x-key", value: "k1" }] },
    response: { status: 200, content: { text } },
  }));
  return JSON.stringify({ log: { version: "1.2", entries } });
};

test.each([
  ["in one line", harOf(["a", "b"]), 2],
  ["with a line end", `${harOf(["a"])}\n`, 1],
  ["with two million bytes in its last entry", harOf(["a", "b".repeat(2e6)]), 2],
])("a HAR %s is read to its end", async (_, har, requests) => {
  const folder = folderWith({ "a.har": har });
  const { code, result } = await replay(folder, "a.har", "--key", "header:x-key");
  expect([code, result?.logs[0]]).toMatchObject([0, { format: "har", requests }]);
});

test("a HAR that is too large is refused with another way", async () => {
  const { code, err } = await logsOf(gzipSync(`{"log":{${" ".repeat(2 ** 28)}`, { level: 1 }));
  expect(code).toBe(2);
  expect(err).toContain("a.log: a HAR of more than 256 MiB is not read; write its entries as JSON");
});

test("a log that a folder also links to is read once, and one that is named twice is an error", async () => {
  const folder = folderWith({ "logs/a.log": log });
  symlinkSync("a.log", join(folder, "logs/current.log"));
  expect((await replay(folder, "logs")).result).toMatchObject({ requests: 30 });
  expect(await replay(folder, "logs/a.log", "./logs/a.log")).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      "logs/a.log and ./logs/a.log are one file, which would be counted twice; remove one",
    ) as string,
  });
});
