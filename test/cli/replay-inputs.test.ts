// What weir replay reads: pipes, folders, and files whose first lines are not those of the others.
import { spawn, spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { ReplayResult } from "#src/studies/replay/result.ts";
import { replayText } from "#src/studies/replay/text.ts";
import { sourceEntry } from "../built.ts";
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

test("a file of a folder that cannot be read is a problem, unless it is no log", async () => {
  const folder = folderWith({ "logs/access.log": log, "logs/empty.log": "" });
  const write = (name: string, bytes: Uint8Array): void =>
    writeFileSync(join(folder, "logs", name), bytes);
  write("journal", Uint8Array.of(1, 2, 0, 3, 10));
  const fine = await replay(folder, "logs");
  expect([fine.code, fine.result?.skipped.length]).toEqual([0, 2]);
  // As a folder of nginx has it.
  write("error.log", Buffer.from("2026/01/05 10:00:00 [error] 7#7: *1 open() failed\n"));
  const nginx = await replay(folder, "logs");
  expect([nginx.code, nginx.result?.skipped.length]).toEqual([0, 3]);
  expect(nginx.err).toContain("skipped logs/error.log: its first lines have no known format");
  write("old.gz", gzipSync(log).fill(0, 4, 40));
  const { code, err, result } = await replay(folder, "logs");
  expect([code, result?.requests, result?.skipped.length]).toEqual([2, 30, 4]);
  expect(err).toContain("weir replay: logs/old.gz: the archive is damaged. The result is without");
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

test("a file of a folder that is a log without the needed column is a problem", async () => {
  const folder = folderWith({
    "logs/access.log": log,
    "logs/b.csv": "time,status\n2026-01-05 10:00:00,200\n",
  });
  const { code, err } = await replay(folder, "logs");
  expect([code, err]).toEqual([2, expect.stringContaining("logs/b.csv: no column has ip")]);
});

test("with --format, a file of a folder that has no such line is skipped", async () => {
  const folder = folderWith({ "logs/access.log": log, "logs/error.log": "x\ny\n" });
  const { code, err } = await replay(folder, "logs", "--format", "combined");
  expect(code).toBe(0);
  expect(err).toContain(
    "skipped logs/error.log: none of its first 2 lines can be read as combined",
  );
});

test.each([
  ["ndjson", "hello\nworld\n", "none of its first 2 lines can be read as ndjson"],
  ["ndjson", '{"at":"now","a":1}\n', "its first line cannot be read as ndjson"],
  [
    "ndjson",
    '{"colour":"red"}\n',
    "no column has the time of a request; the columns of the log are colour,",
  ],
  ["w3c", "hello\n", "no column has the time of a request; the columns of the log are none,"],
])("--format %s of a log without its lines: %j", async (format, text, reason) => {
  const folder = folderWith({ "a.log": text });
  const { code, err } = await replay(folder, "a.log", "--format", format, "--key", "field:a");
  expect([code, err]).toEqual([2, expect.stringContaining(`weir replay: a.log: ${reason}`)]);
});

test("problems of standard input name it", async () => {
  const folder = folderWith({});
  const run = (input: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [sourceEntry, "replay", "-", ...args, ...LIMIT], {
      cwd: folder,
      input,
      encoding: "utf8",
    });
  expect(run("").stderr).toContain("weir replay: standard input: it is empty");
  expect(run(`${log}x\n`).stderr).toContain(
    "weir replay: standard input: 1 of 31 lines (3.2 %) cannot be read as combined; name the format with --format, or repair the log. The first are standard input:31 x",
  );
  expect(run(log, "-").stderr).toContain("standard input is given twice");
});

test("requests without a duration count at their ends, and their number is printed", async () => {
  const rows = ["0.5", "-", "0.25"].map(
    (duration, i) => `176760720${i}.000 192.0.2.1 ${duration}\n`,
  );
  const folder = folderWith({ "a.log": rows.join("") });
  const format = ["--format", "$msec $remote_addr $request_time"];
  const { result } = await replay(folder, "a.log", ...format);
  expect(result).toMatchObject({ firstAt: "2026-01-05T09:59:59.500Z", requests: 3 });
  expect(result?.logs[0]).toMatchObject({ takesDurationOff: true, withoutDuration: 1 });
  const { out } = await weir(folder, ["replay", "a.log", ...format, ...LIMIT]);
  expect(out).toContain(
    "3 lines; timestamps are ends, so durations are subtracted, except for 1 without a duration",
  );
});

test.each(['""', "", " ", ".", "Infinity"])("%j is no duration, and no cost", async (empty) => {
  const rows = [`192.0.2.1,5,250`, `192.0.2.1,${empty},${empty}`];
  const lines = rows.map((row, i) => `2026-01-05T10:00:0${i}.5Z,${row}\n`).join("");
  const folder = folderWith({ "a.csv": `time,ip,tokens,duration_ms\n${lines}` });
  const args = ["--cost", "field:tokens", "--charge", "after"];
  const { result } = await replay(folder, "a.csv", ...args);
  expect(result?.logs[0]).toMatchObject({ withoutDuration: 1, withoutCost: 1 });
  expect(result?.candidates[0]?.units).toMatchObject({ spent: 6 });
});

test("a share of no requests is null", async () => {
  const folder = folderWith({ "a.log": log });
  const { code, result } = await replay(folder, "a.log", "--where", "path = /none");
  expect(code).toBe(2);
  const none = { refused: 0, refusedShare: null, refusedClientShare: null };
  expect(result?.candidates[0]).toMatchObject(none);
});

test("--zone is the zone of timestamps without one, and of no others", async () => {
  const rows = ["2026-01-05 10:00:00.5,192.0.2.1", "2026-01-05T10:00:00.5Z,192.0.2.1"];
  const folder = folderWith({ "a.csv": `time,ip\n${rows.join("\n")}\n` });
  const timesIn = async (zone: string) =>
    (await replay(folder, "a.csv", `--zone=${zone}`)).result ?? { firstAt: null, lastAt: null };
  expect(await timesIn("+02:00")).toMatchObject({
    firstAt: "2026-01-05T08:00:00.500Z",
    lastAt: "2026-01-05T10:00:00.500Z",
  });
  expect((await timesIn("-0530")).lastAt).toBe("2026-01-05T15:30:00.500Z");
  expect((await replay(folder, "a.csv", "--zone", "Europe/Berlin")).err).toContain(
    '--zone: "Europe/Berlin" is no offset from UTC; write one, such as +02:00',
  );
});

test("clients with tokens send one request at a time, at the rate of their tokens", async () => {
  // Three at once, which 1/1s by fixed_window admits one by one. A token is there at first, and 0.67 come a second. An
  // admission makes that 0.8, so that the second request is sent 1.25 s later, and then 0.96.
  const line = (client: number): string =>
    JSON.stringify({ time: "2026-01-05T10:00:00.000Z", ip: `192.0.2.${client}` });
  const folder = folderWith({ "a.log": [1, 1, 1].map(line).join("\n") });
  const retriesUnder = async (limit: string) => {
    const args = [`--limit=${limit}`, "--algorithm=fixed_window", "--clients=atb", "--json"];
    const { out } = await weir(folder, ["replay", "a.log", ...args]);
    const { candidates } = JSON.parse(out) as ReplayResult;
    return candidates[0]!.retries;
  };
  expect(await retriesUnder("1/1s")).toMatchObject({ attempts: 3, refusedAttempts: 0, gaveUp: 0 });
  // Under 1/2s the second is refused at 1.25 s: a rate of 0.4, so that it returns 2.5 s later, 3.75 s after it was due.
  // The third follows at a rate of 0.48, which the next window admits.
  expect(await retriesUnder("1/2s")).toMatchObject({
    attempts: 4,
    refusedAttempts: 1,
    admittedLater: 1,
    longestWaitUs: 3_750_000,
  });
});

test("clients that give up send each request once", async () => {
  const folder = folderWith({ "a.log": log });
  const { result } = await replay(folder, "a.log", "--clients", "give-up");
  expect(result?.candidates[0]).toMatchObject({
    refused: 20,
    retries: { behaviour: "give-up", attempts: 30, refusedAttempts: 20, gaveUp: 20 },
  });
  const { out } = await weir(folder, ["replay", "a.log", ...LIMIT, "--clients", "give-up"]);
  expect(out).toContain("\nif refused clients give up, so that each request is sent once:\n");
});
