// A log that several threads read has the result of one thread, byte for byte.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { readTraffic } from "#src/studies/recommend/read-traffic.node.ts";
import type { Candidate } from "#src/studies/replay/candidates.ts";
import { parseCondition } from "#src/studies/replay/conditions.ts";
import { NameTable } from "#src/studies/replay/names.ts";
import { AS_LOGGED } from "#src/studies/replay/placements.ts";
import { replayLogs, type ReplayProgress } from "#src/studies/replay/replay-logs.node.ts";
import type { LogQuestion } from "#src/studies/replay/requests.ts";
import { buildReplayResult } from "#src/studies/replay/result.ts";
import { parseKey, parseSelectors } from "#src/studies/replay/selectors.ts";
import { formatOfText } from "#src/studies/replay/text-formats.ts";
import { senderFieldsOf, type WorldCandidate } from "#src/studies/replay/worlds.ts";
import { readWorldFile } from "#src/gateway/settings/world.ts";
import { rng } from "#src/kit/chance/rng.ts";
import { DEFAULT_OPTIONS } from "#src/limiter/world/options.ts";
import { holdsLater } from "../../runs.ts";

const MIB = 1 << 20;

function newFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "weir-threads-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "access.log");
  writeFileSync(file, text);
  return file;
}

const untilTheEnd: ReplayProgress = {
  isStopped: () => false,
  stop: new Promise<"stop">(() => {}),
  report: () => {},
};
const sizeOf = (threads: number) => ({ threads, threadsFromBytes: 2 * MIB });

const questionOf = (more: Partial<LogQuestion> = {}): LogQuestion => ({
  key: requireValue(parseKey("ip")),
  conditions: [],
  clients: new NameTable(),
  targets: null,
  format: null,
  ...more,
});

const LIMITS: readonly Candidate[] = (["sliding_log", "token_bucket"] as const).map((name) => ({
  kind: "limit",
  limit: { rate: 3, perUs: micros(10_000_000) },
  by: { kind: "algorithm", name },
  options: { ...DEFAULT_OPTIONS, algorithm: name },
}));

async function resultOf(
  file: string,
  threads: number,
  more: Partial<LogQuestion>,
  candidates: readonly Candidate[] = LIMITS,
): Promise<unknown> {
  const question = { ...questionOf(more), candidates, seed: 1, retries: null };
  const sources = [{ name: file, isFromFolder: false }];
  const outcome = requireValue(
    await replayLogs(sources, question, untilTheEnd, null, sizeOf(threads)),
  );
  const { clients } = question;
  const facts = { key: "ip", cost: null, clients, isInterrupted: false, top: 50, rename: null };
  return { names: clients.names, ...buildReplayResult({ ...outcome, ...facts }) };
}

interface LogShape {
  readonly seed: number;
  readonly format: "csv" | "json" | "combined";
  readonly lineEnd: "\n" | "\r\n";
  readonly start: "" | "\uFEFF";
  readonly end: "a line" | "half a line";
  readonly longLineAtMib: number | null;
}

/** About 3 MiB of lines of many lengths, in which pieces begin and end anywhere; some cannot be read. */
function logOf({ seed, format, lineEnd, start, end, longLineAtMib }: LogShape): string {
  const { int, next } = rng(seed, "test/studies/replay/log-threads");
  const lines: string[] = format === "csv" ? ["time,ip,path,bytes,agent"] : [];
  let size = 0;
  let isLongLineDue = longLineAtMib !== null;
  for (let atMs = Date.UTC(2026, 0, 5, 10); size < 3.3 * MIB; atMs += int(200)) {
    const time = new Date(atMs).toISOString();
    const ip = `192.0.2.${int(60) + 180 * Math.floor(size / MIB)}`; // clients that come later
    const path = `/items/${int(9)}`;
    const agent = "x".repeat(next() < 0.01 ? int(70_000) : int(300));
    const line = {
      csv: `${time},${ip},${path},${int(5000)},${agent}`,
      json: JSON.stringify({ time, ip, path, bytes: int(5000), agent }),
      combined: `${ip} - - [05/Jan/2026:${time.slice(11, 19)} +0000] "GET ${path} HTTP/1.1" 200 ${int(5000)} "-" "${agent}"`,
    }[format];
    // The first lines show which format it is.
    lines.push(next() < 0.01 && lines.length > 5 ? `no request ${agent}` : line);
    size += lines.at(-1)!.length + lineEnd.length;
    if (!isLongLineDue || size < longLineAtMib! * MIB) continue;
    isLongLineDue = false;
    lines.push("y".repeat(int(3 * MIB)));
  }
  const text = start + lines.map((line) => line + lineEnd).join("");
  return end === "a line" ? text : text.slice(0, text.length - int(60));
}

const shapes: fc.Arbitrary<LogShape> = fc.record({
  seed: fc.nat(),
  format: fc.constantFrom("csv", "json", "combined"),
  lineEnd: fc.constantFrom("\n", "\r\n"),
  start: fc.constantFrom("", "\uFEFF"),
  end: fc.constantFrom("a line", "half a line"),
  longLineAtMib: fc.option(fc.constantFrom(0, 1, 2.5), { freq: 2 }),
});

test("lines of any lengths, with names, marks, long lines and what cannot be read", async () => {
  await holdsLater(
    fc.asyncProperty(shapes, async (shape) => {
      const file = newFile(logOf(shape));
      const cost =
        shape.format === "combined" ? {} : { cost: requireValue(parseSelectors("field:bytes")) };
      const more = { ...cost, conditions: [requireValue(parseCondition("path != /items/3"))] };
      expect(await resultOf(file, 3, more)).toEqual(await resultOf(file, 1, more));
    }),
    4,
  );
});

const SHAPE: LogShape = {
  seed: 1,
  format: "combined",
  lineEnd: "\n",
  start: "",
  end: "a line",
  longLineAtMib: null,
};

test("a line that is too long for pieces, after names in the first line", async () => {
  const file = newFile(logOf({ ...SHAPE, format: "csv", longLineAtMib: 2.5 }));
  expect(await resultOf(file, 3, {})).toEqual(await resultOf(file, 1, {}));
});

test("a record of several lines, in the second piece, and a quote that nothing closes", async () => {
  const lines = logOf({ ...SHAPE, format: "csv" }).split("\n");
  const record = lines[4]!.replace(/,x*$/, ',"one, ""two""\r\n\nthree"');
  const at = (share: number): number => Math.floor(share * lines.length);
  lines.splice(at(0.8), 0, lines[4]!.replace(/,x*$/, ',"open'));
  for (const share of [0.6, 0.5]) lines.splice(at(share), 0, record);
  // One of 54 kB, in which the second piece begins.
  let size = 0;
  const boundary = lines.findIndex((line) => (size += line.length + 1) > MIB - 100_000);
  const long = `,"${`${"x".repeat(600)}\n`.repeat(90)}"`;
  const straddling = lines[4]!.replace(/,x*$/, long);
  size = lines.slice(0, boundary).join("\n").length;
  const before = Array.from({ length: Math.floor((MIB - 27_000 - size) / (lines[3]!.length + 1)) });
  lines.splice(boundary, 0, ...before.map(() => lines[3]!), straddling);

  const file = newFile(lines.join("\n"));

  const one = await resultOf(file, 1, {});
  expect(await resultOf(file, 3, {})).toEqual(one);
  const plain = await resultOf(newFile(logOf({ ...SHAPE, format: "csv" })), 1, {});
  const { requests, logs } = plain as { requests: number; logs: readonly [{ unreadable: number }] };
  expect(one).toMatchObject({
    requests: requests + 4 + before.length,
    logs: [{ unreadable: logs[0].unreadable }],
  });
});

test("more clients than a thread keeps numbers of", async () => {
  const address = (id: number): string => `10.${id >> 16}.${(id >> 8) & 255}.${id & 255}`;
  const ids = Array.from({ length: 400_000 }, (_, at) => (at < 300_000 ? at : at % 1_000));
  const lines = ids.map((id, at) => `${1_767_607_200 + at / 100_000},${address(id)}\n`);
  const file = newFile(`time,ip\n${lines.join("")}`);
  const one = await resultOf(file, 1, {});
  expect(one).toMatchObject({
    clients: 300_000,
    candidates: [{ refused: expect.toSatisfy((n) => n > 90_000) }, {}],
  });
  expect(await resultOf(file, 2, {})).toEqual(one);
});

test("a server's own format, and a world that reads paths", async () => {
  const file = newFile(logOf(SHAPE));
  const { configuration } = readWorldFile({
    file: "world.yaml",
    text: "apis: { items: { listen: /items, keyless: true, key_by: ip, rate: 5, per: 60 } }",
  });
  const world: WorldCandidate = {
    kind: "world",
    file: "world.yaml",
    configuration: configuration!,
    clientsAre: "addresses",
  };
  const question = () => ({
    format: requireValue(
      formatOfText(
        '$remote_addr - - [$time_local] "$request" $status $bytes "-" "$http_user_agent"',
      ),
    ),
    targets: new NameTable(),
    sender: senderFieldsOf(world),
  });
  const one = await resultOf(file, 1, question(), [world]);
  expect(one).toMatchObject({ candidates: [{ refused: expect.toSatisfy((n) => n > 100) }] });
  expect(await resultOf(file, 2, question(), [world])).toEqual(one);
});

test("requests with labels, of which a window in memory sorts too few", async () => {
  const lines = logOf(SHAPE).trimEnd().split("\n");
  const file = newFile(`${lines.slice(1000).join("\n")}\n${lines.slice(0, 1000).join("\n")}\n`);
  const trafficBy = async (threads: number): Promise<unknown> => {
    const question = questionOf({ labels: [requireValue(parseCondition("path = /items/3"))] });
    const sources = [{ name: file, isFromFolder: false }];
    const size = { ...sizeOf(threads), windowRows: 512 };
    const { traffic } = requireValue(await readTraffic(sources, question, untilTheEnd, size));
    return traffic.columns(AS_LOGGED, question.clients.count);
  };
  expect(await trafficBy(3)).toEqual(await trafficBy(1));
});

test("what the log gets while it is read is not part of the result", async () => {
  const file = newFile(logOf(SHAPE));
  const before = await resultOf(file, 1, {});
  const question = { ...questionOf(), candidates: LIMITS, seed: 1, retries: null };
  let isGrown = false;
  const report = (): void => {
    if (!isGrown) appendFileSync(file, logOf({ ...SHAPE, seed: 2 }));
    isGrown = true;
  };
  const sources = [{ name: file, isFromFolder: false }];
  const { replay } = requireValue(
    await replayLogs(sources, question, { ...untilTheEnd, report }, null, sizeOf(2)),
  );
  expect(before).toMatchObject({ requests: replay.requests });
});
