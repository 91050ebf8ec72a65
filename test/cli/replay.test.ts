import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { Ajv2020 as Ajv } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { ReplayResult } from "#src/studies/replay/result.ts";
import { folderWith, weir } from "./weir.ts";

const line = (second: number, client: number, path = "/a", status = 200): string => {
  const time = new Date(Date.UTC(2026, 0, 5, 10, 0, second)).toISOString();
  return `192.0.2.${client} - - [05/Jan/2026:${time.slice(11, 19)} +0000] "GET ${path} HTTP/1.1" ${status} 12 "-" "curl/8.5.0"\n`;
};

/** One client with 30 requests in a minute, and one with two. */
const busy = Array.from({ length: 30 }, (_, i) => line(2 * i, 1)).join("") + line(59, 2).repeat(2);

const replay = async (
  folder: string,
  ...args: readonly string[]
): Promise<{
  readonly code: number | null;
  readonly err: string;
  readonly result: ReplayResult;
}> => {
  const { code, out, err } = await weir(folder, ["replay", ...args, "--json"]);
  return { code, err, result: JSON.parse(out) as ReplayResult };
};

const LIMIT = ["--limit", "10/1m", "--algorithm", "fixed_window"];

test("the document follows its schema, and names the refused clients and when they were refused", async () => {
  const folder = folderWith({ "access.log": busy });
  const { out } = await weir(folder, ["schema", "--replay"]);
  const isValid = new Ajv({ strict: false }).compile(JSON.parse(out) as object);
  const { code, result } = await replay(folder, "access.log", ...LIMIT);
  isValid(result);
  expect(isValid.errors).toBeNull();
  expect(isValid({ ...result, format: "weir-replay/2" })).toBe(false);
  expect(code).toBe(0);
  const [candidate] = result.candidates;
  expect(candidate).toMatchObject({ refused: 20, refusedClients: 1, refusedClientShare: 0.5 });
  expect(candidate!.clients).toEqual([
    {
      client: "192.0.2.1",
      requests: 30,
      refused: 20,
      firstAt: "2026-01-05T10:00:20.000Z",
      lastAt: "2026-01-05T10:00:58.000Z",
    },
  ]);
});

test("packed logs and folders have the result of the log itself", async () => {
  const folder = folderWith({ "access.log": busy, "logs/.hidden": "no log" });
  const lines = busy.split(/(?<=\n)/);
  const write = (name: string, bytes: Uint8Array): void => writeFileSync(join(folder, name), bytes);
  write("packed.gz", gzipSync(busy));
  write("called-otherwise", zstdCompressSync(busy));
  // Rotated: the older part has the later name.
  write("logs/access.log", Buffer.from(lines.slice(20).join("")));
  write("logs/access.log.1.gz", gzipSync(lines.slice(0, 20).join("")));
  write("logs/error.log", Buffer.from(""));
  const { candidates } = (await replay(folder, "access.log", ...LIMIT)).result;
  expect(candidates[0]!.refused).toBe(20);
  for (const name of ["packed.gz", "called-otherwise", "logs"]) {
    const { code, err, result } = await replay(folder, name, ...LIMIT);
    expect([name, code, result.candidates]).toEqual([name, 0, candidates]);
    expect(err.includes("skipped logs/error.log: ")).toBe(name === "logs");
  }
});

test("HAR is read by its entries, with a header as the client", async () => {
  const entries = [0, 1, 2].map((second) => ({
    startedDateTime: `2026-01-05T10:00:0${second}.250+01:00`,
    time: 5,
    request: {
      method: "GET",
      url: "https://example.com/a?b",
      headers: [{ name: "x-api-key", value: "k1" }],
    },
    response: { status: 200 },
  }));
  const folder = folderWith({
    "a.har": JSON.stringify({ log: { version: "1.2", entries } }, null, 2),
  });
  const { result } = await replay(folder, "a.har", "--limit", "2/1m", "--key", "header:X-Api-Key");
  expect(result.logs[0]).toMatchObject({ format: "har", requests: 3 });
  expect(result.firstAt).toBe("2026-01-05T09:00:00.250Z");
  expect(result.candidates[0]!.clients[0]).toMatchObject({ client: "k1", refused: 1 });
});

test("conditions select requests, and a client may be a combination of fields", async () => {
  const log = line(1, 1, "/a?x", 401) + line(2, 1, "/b", 200) + line(3, 2, "/a", 404);
  const folder = folderWith({ "access.log": log });
  const where = ["--where", "status in (401,404)", "--where", "path ~ ^/a$"];
  const { result } = await replay(folder, "access.log", ...LIMIT, ...where, "--key", "path");
  expect(result).toMatchObject({ requests: 2, clients: 1 });
  expect(result.logs[0]).toMatchObject({ notSelected: 1 });
  const both = await replay(folder, "access.log", "--limit", "1/1m", "--key", "ip + path");
  expect(both.result).toMatchObject({ requests: 3, clients: 3 });
});

test("anonymous results have no address and no line of the log", async () => {
  const broken = "192.0.2.1 is no line of this format\n".repeat(5);
  const folder = folderWith({ "access.log": busy + broken });
  const { out, err } = await weir(folder, ["replay", "access.log", ...LIMIT, "--anonymise"]);
  expect(out).toMatch(/\nclient-[0-9a-f]{12} +30 +20/);
  expect(out + err).not.toContain("192.0.2");
  expect(err).toContain("access.log:33");
});

test("a profile decides as the limiter of others does", async () => {
  const folder = folderWith({ "access.log": line(1, 1).repeat(4) });
  const args = ["--limit", "60/1m", "--profile", "nginx", "--burst", "1"];
  const { result } = await replay(folder, "access.log", ...args);
  expect(result.candidates).toHaveLength(1);
  const [nginx] = result.candidates;
  expect(nginx).toMatchObject({ algorithm: null, profile: "nginx" });
  // Spread over a second, one request of four is admitted each second.
  expect(nginx!.placements.slice(0, 2).map(({ refused }) => refused)).toEqual([3, 3]);
});

const jsonLine = (second: number, key: string, path: string): string =>
  `${JSON.stringify({ time: `2026-01-05T10:00:${String(second).padStart(2, "0")}.5Z`, method: "GET", path, ip: "192.0.2.1", key })}\n`;

test("free_log is a sliding log that does not count refused requests", async () => {
  const log = [0, 1, 2, 3, 4, 5].map((second) => jsonLine(2 * second, "a", "/a")).join("");
  const folder = folderWith({ "a.log": log });
  const args = ["--limit", "1/3s", "--algorithm", "sliding_log,free_log"];
  const { result } = await replay(folder, "a.log", ...args);
  // One request each 2 s: each attempt is within 3 s of the one before, and each second one of the last that was admitted.
  expect(result.candidates.map(({ algorithm, refused }) => [algorithm, refused])).toEqual([
    ["sliding_log", 5],
    ["free_log", 3],
  ]);
});

test("a burst above the rate is admitted at once, and paid back at the rate", async () => {
  const log = jsonLine(0, "a", "/a").repeat(25) + jsonLine(2, "a", "/a").repeat(5);
  const world = (rate: number): string =>
    `apis: { a: { listen: /, keyless: true, key_by: ip, rate: ${rate}, per: 1s } }
gateway: { algorithm: gcra, burst: 21 }
`;
  const folder = folderWith({ "a.log": log, "1.yaml": world(1), "2.yaml": world(1.5) });
  const countRefused = async (...args: readonly string[]): Promise<readonly number[]> => {
    const { result } = await replay(folder, "a.log", ...args);
    return result.candidates.map(({ refused }) => refused);
  };
  const burst = ["--limit", "1,1.5/1s", "--burst", "21"];
  // 4 of 25, and then 3 or 2 of 5: two seconds pay back 2 or 3.
  expect(await countRefused(...burst, "--profile", "nginx")).toEqual([7, 6]);
  expect(await countRefused(...burst, "--algorithm", "gcra")).toEqual([7, 6]);
  expect(await countRefused("--world", "1.yaml", "--world", "2.yaml")).toEqual([7, 6]);
});

const rows: readonly (readonly [
  what: string,
  log: string | Uint8Array,
  code: number,
  err: string,
])[] = [
  ["an empty log", "", 2, "a.log: it is empty"],
  ["a text that is no log", "hello\nworld\n", 2, "no known format"],
  ["a binary file", Uint8Array.of(1, 2, 0, 3, 10), 2, "a.log: this is a binary file"],
  [
    "more than 1 % of other lines",
    busy + "x\n",
    2,
    "1 of 33 lines (3.0 %) cannot be read as combined",
  ],
  ["at most 1 % of other lines", `${busy.repeat(4)}x\n`, 0, ""],
  ["a line of two million bytes", busy.repeat(4) + "x".repeat(2e6) + "\n", 0, ""],
  ["the start of an archive", gzipSync(busy).subarray(0, -9), 2, "the archive is cut off"],
  ["a damaged archive", damage(gzipSync(busy)), 2, "the archive is damaged"],
  ["requests without a client", line(1, 1).replace("192.0.2.1", "-"), 2, "no request has ip"],
];

function damage(bytes: Buffer): Buffer {
  bytes[bytes.length - 6]! ^= 255; // its checksum
  return bytes;
}

test.each(rows)("%s: the exit code and the reason", async (_, log, code, expected) => {
  const folder = folderWith({});
  writeFileSync(join(folder, "a.log"), log);
  const { code: own, err } = await weir(folder, ["replay", "a.log", ...LIMIT]);
  const isExpected = expected === "" ? err === "" : err.includes(expected);
  expect([own, isExpected, err]).toEqual([code, true, err]);
});

test("the requests of a log until it is cut off are part of the result", async () => {
  const folder = folderWith({});
  writeFileSync(join(folder, "a.gz"), gzipSync(busy.repeat(1000)).subarray(0, -9));
  const { code, result } = await replay(folder, "a.gz", ...LIMIT);
  expect(code).toBe(2);
  expect(result.requests).toBeGreaterThan(30_000);
  expect(result.logs[0]!.cut).toBe("the archive is cut off");
});

test("a log of two formats names the other one", async () => {
  const folder = folderWith({ "a.log": busy + jsonLine(1, "k", "/a").repeat(3) });
  const { code, err } = await replay(folder, "a.log", ...LIMIT);
  expect(code).toBe(2);
  expect(err).toContain(
    "3 of 35 lines (8.6 %) cannot be read as combined, and some of them are ndjson",
  );
});

test("text of a log is printed without its control characters", async () => {
  const sly = line(1, 1).replace("192.0.2.1", "\u001B[2Jx");
  const folder = folderWith({ "a.log": sly.repeat(12) });
  const { out } = await weir(folder, ["replay", "a.log", ...LIMIT]);
  expect(out).toContain(String.raw`\u001b[2Jx`);
  expect(out).not.toContain("\u001B");
});

const WORLD = `apis: { orders: { listen: /orders } }
policies: { gold: { rate: 4, per: 60, apis: [orders] } }
keys: { secret-of-alice: { apply_policies: [gold] } }
`;

test.each([
  [[], "--limit is needed"],
  [["--limit", "10"], "10 has no window"],
  [["--limit", "0/s"], "has no rate"],
  [["--limit", "1/0s"], '"0s" is no window'],
  [["--limit", "1/1w"], "write a number and a unit (us, ms, s, m, h or d), such as"],
  [["--world", "good.yaml", "--profile", "nginx"], "--profile needs --limit"],
  [["--world", "good.yaml", "--algorithm", "gcra"], "--algorithm needs --limit"],
  [["--limit", "1/s,1/s"], "1/1s fixed_window is given twice"],
  [["--limit", "1/s", "--algorithm", "gcro"], "did you mean gcra?"],
  [["--limit", "1/s", "--profile", "ngimx"], "did you mean nginx?"],
  [["--limit", "1/s", "--burst", "0"], "--burst must be"],
  [["--limit", "1/s", "--burst", "3"], "--burst needs gcra"],
  [["--limit", "1/s", "--key", "ipp"], "did you mean ip?"],
  [["--limit", "1/s", "--where", "status"], "is no condition"],
  [["--limit", "1/s", "--format", "combine"], "did you mean combined?"],
  [["--limit", "1/s", "--format", "$a$b"], "nothing is between a and b"],
  [["--limit", "1/s", "--top", "0"], "--top must be"],
  [["--limit", "1/s", "--clients", "backof"], "did you mean backoff?"],
  [["--world", "no.yaml"], "no.yaml: there is no such file"],
  [["--world", "bad.yaml"], "CFG-"],
  [["--world", "waits.yaml"], "throttle_interval lets requests wait"],
  [["--world", "good.yaml", "--key", "ip+path"], "--world needs a --key of one field"],
  [["--limit", "1/s", "--path", "field:a"], "--path needs --world"],
  [["missing.log", "--limit", "1/s"], "missing.log: there is no such file"],
  [["a.log", "--limit", "1/s"], "a.log is given twice"],
])("%j is refused with its correction", async (args, expected) => {
  const folder = folderWith({
    "a.log": busy,
    "good.yaml": WORLD,
    "bad.yaml": WORLD.replace("rate: 4", "rate: -4"),
    "waits.yaml": WORLD.replace(
      "rate: 4",
      "throttle_interval: 1, throttle_retry_limit: 2, rate: 4",
    ),
  });
  const { code, out, err } = await weir(folder, ["replay", "a.log", ...args]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(expected);
});
