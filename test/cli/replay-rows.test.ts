// Parquet files and the rows of a SELECT as logs, read by DuckDB.
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { ReplayResult } from "#src/studies/replay/result.ts";
import { sampleLogs } from "../docs/sample-logs.ts";
import { writeParquet } from "../studies/replay/parquet-files.ts";
import { folderWith, weir, type CommandOutput } from "./weir.ts";

/** The requests of api.ndjson, with `headers` as a structure. */
const API = join(import.meta.dirname, "../studies/replay/logs/api.parquet");
const LIMIT = ["--limit", "60/1m", "--algorithm", "sliding_log,token_bucket"];

function folderOfApi(): string {
  const folder = folderWith({ "api.ndjson": sampleLogs["api.ndjson"]! });
  copyFileSync(API, join(folder, "api.parquet"));
  return folder;
}

const replay = (folder: string, ...args: readonly string[]): Promise<CommandOutput> =>
  weir(folder, ["replay", ...args, ...LIMIT]);

const replaySql = (sql: string, folder = folderWith({})): Promise<CommandOutput> =>
  replay(folder, "--sql", sql);

async function documentOf(folder: string, ...args: readonly string[]): Promise<ReplayResult> {
  const { code, out, err } = await replay(folder, ...args, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out) as ReplayResult;
}

const withoutNames = (result: ReplayResult): unknown => ({
  ...result,
  logs: result.logs.map((log) => ({ ...log, file: "", format: "" })),
});

test.each([["ip"], ["header:X-Api-Key+path"]])(
  "Parquet and a SELECT have the result of the same requests as JSON lines, by %s",
  async (key) => {
    const folder = folderOfApi();
    const options = ["--key", key, "--where", "path != /"];
    const expected = withoutNames(await documentOf(folder, "api.ndjson", ...options));
    const ofFile = await documentOf(folder, "api.parquet", ...options);
    expect(ofFile.logs[0]).toMatchObject({ file: "api.parquet", format: "parquet", lines: 2103 });
    expect(withoutNames(ofFile)).toEqual(expected);
    const ofRows = await documentOf(folder, "--sql", "FROM 'a*.parquet'", ...options);
    expect(ofRows.logs[0]).toMatchObject({ file: "--sql", format: "sql" });
    expect(withoutNames(ofRows)).toEqual(expected);
  },
);

test("Parquet is recommended for, and merged with other logs by time", async () => {
  const folder = folderOfApi();
  const { code, out } = await weir(folder, [
    "recommend",
    "--sql",
    "SELECT time AS at, client FROM 'api.parquet'",
    "--key",
    "field:client",
    "--per",
    "1m",
    "--algorithm",
    "token_bucket",
  ]);
  expect([code, out.split("\n")]).toEqual([0, expect.arrayContaining(["--sql: sql, 2,103 rows"])]);
  const both = await documentOf(folder, "api.parquet", "api.ndjson");
  expect(both).toMatchObject({ requests: 4206, clients: 41 });
});

test("a page has timelines of a Parquet file, which is read twice", async () => {
  const folder = folderOfApi();
  const args = ["--html", "page.html"];
  expect((await replay(folder, "api.parquet", ...args)).code).toBe(0);
  expect(readFileSync(join(folder, "page.html"), "utf8")).not.toContain("Timelines are missing");
});

const clientsOf = ({ candidates }: ReplayResult): readonly string[] =>
  candidates[0]!.clients.map(({ client }) => client).toSorted();

test("values are the clients that they were, whatever is in them", async () => {
  const folder = folderWith({});
  const clients = ["a\tb", '"a"', 'a"b', "9007199254740993", "9007199254740992", "é", "a b\r"];
  const values = clients.map((text) => `'${text}'`).join(", ");
  const select = `SELECT TIMESTAMPTZ '2026-01-05 11:00:00.25+01' AS time, unnest([${values}]) AS user FROM range(61)`;
  await writeParquet(join(folder, "a.parquet"), select);
  const result = await documentOf(folder, "a.parquet", "--key", "user");
  expect(result.firstAt).toBe("2026-01-05T10:00:00.250Z");
  const asRead = clients.map((client) => client.replace("\r", " "));
  expect(clientsOf(result)).toEqual(asRead.toSorted());
});

test("columns have every type of time, and whole seconds are noticed", async () => {
  const typed = ["TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP", "TIMESTAMP_NS", "TIMESTAMPTZ"].map(
    (type) => `'2026-01-05 10:00:00'::${type}`,
  );
  for (const time of [...typed, "1767607200", "1767607200000", "1767607200::DOUBLE"]) {
    const args = ["--sql", `SELECT ${time} AS time, 'a' AS ip`];
    expect((await documentOf(folderWith({}), ...args)).firstAt).toBe("2026-01-05T10:00:00.000Z");
  }
  const whole = await documentOf(folderWith({}), "--sql", `SELECT ${typed[2]} AS time, 'a' AS ip`);
  expect(whole.timestamps).toBe("whole seconds");
});

test("rows without a time or a client are counted, and not replayed", async () => {
  const time = "TIMESTAMP '2026-01-05 10:00:00.5'";
  const rows = `SELECT ${time} AS time, 'a' AS ip FROM range(300) UNION ALL SELECT NULL, 'a' UNION ALL SELECT ${time}, NULL`;
  const result = await documentOf(folderWith({}), "--sql", rows);
  expect(result.logs[0]).toMatchObject({ lines: 302, requests: 300, unreadable: 1, withoutKey: 1 });
  const { code, err } = await replaySql(rows.replace("300", "9"));
  expect([code, err]).toMatchObject([
    2,
    expect.stringContaining("1 of 11 rows (9.1 %) have no time that can be read; ") as string,
  ]);
});

const ONE_SELECT = "it must be one SELECT, such as SELECT ts AS time, ip FROM 'logs/*.parquet'; ";

test.each([
  ["", `${ONE_SELECT}it is empty`],
  ["SELECT 1; SELECT 2", `${ONE_SELECT}it has 2 statements`],
  ["COPY (SELECT 1) TO 'written.csv'", `${ONE_SELECT}other statements are not executed`],
  ["ATTACH 'written.db'", `${ONE_SELECT}other statements are not executed`],
  ["INSTALL httpfs", `${ONE_SELECT}other statements are not executed`],
  ["LOAD httpfs", `${ONE_SELECT}other statements are not executed`],
  ["SET threads = 1", `${ONE_SELECT}other statements are not executed`],
  ["CREATE TABLE a (b INT)", `${ONE_SELECT}other statements are not executed`],
  ["SELEC", 'DuckDB: Parser Error: syntax error at or near "SELEC"'],
  [
    "SELECT * FROM query('COPY (SELECT 1) TO ''written.csv''')",
    "DuckDB: Parser Error: Expected a single SELECT statement",
  ],
  [
    "FROM 'https://example.com/a.parquet'",
    "DuckDB: Missing Extension Error: File https://example.com/a.parquet requires the extension httpfs to be loaded",
  ],
  ["FROM 'a.parquet'", 'DuckDB: IO Error: No files found that match the pattern "a.parquet"'],
  [
    "SELECT error('a' || chr(27) || chr(10) || 'b') AS time",
    String.raw`DuckDB: Invalid Input Error: a\u001b b`,
  ],
  [
    "SELECT 1 AS a, 2 AS ip",
    "no column has the time of a request; the columns of the log are a, ip, and one of these is needed: time, timestamp, @timestamp, ts, date, datetime, start_time, started_at, startTime, at",
  ],
  [
    "SELECT now() AS time, 1 AS b",
    "no column has ip; the columns of the log are time, b: choose one with field:NAME",
  ],
  [
    "SELECT 'on ' || chr(27) || 'Monday' AS time, 'a' AS ip",
    String.raw`its first rows have no time that can be read, such as in "on \u001bMonday\ta\t"; give it as a timestamp, such as by --sql "SELECT strptime(at, '%d-%m-%Y %H:%M:%S') AS time, ip FROM ..."`,
  ],
  ["SELECT now() AS time, 'a' AS ip WHERE false", "it has no rows"],
])("%j is refused in one sentence, and writes nothing", async (sql, expected) => {
  const folder = folderWith({});
  const { code, out, err } = await replaySql(sql, folder);
  expect([code, out, err]).toEqual([2, "", `weir replay: --sql: ${expected}\n`]);
  expect(readdirSync(folder)).toEqual([]);
});

test("rows until one that cannot be read are the result", async () => {
  const folder = folderWith({});
  const file = join(folder, "a.parquet");
  const rows =
    "SELECT TIMESTAMP '2026-01-05 10:00:00' + INTERVAL (i) MILLISECOND AS time, hash(i)::VARCHAR AS ip FROM range(300000) t(i)";
  await writeParquet(file, rows);
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(255, bytes.length - 900_000, bytes.length - 500_000));
  const { code, out, err } = await replay(folder, "a.parquet");
  expect(err).toMatch(
    /^weir replay: a.parquet: DuckDB can read only [\d,]+ of its 300,000 rows; the requests before that are counted\n$/,
  );
  const [, read] = /^a.parquet: parquet, ([\d,]+) rows\n/m.exec(out) ?? [];
  expect([code, Number(read?.replace(",", "")) > 2000, err.includes(read!)]).toEqual([
    2,
    true,
    true,
  ]);
  const ofSelect = await replaySql(`FROM 'a.parquet'`, folder);
  expect(ofSelect).toMatchObject({ code: 2, out: "" });
  expect(ofSelect.err).toContain("DuckDB: ");
});

test("a file that cannot be read as Parquet is named", async () => {
  const folder = folderOfApi();
  const api = readFileSync(API);
  writeFileSync(join(folder, "cut.parquet"), api.subarray(0, 5000));
  writeFileSync(join(folder, "api.parquet.gz"), gzipSync(api));
  writeFileSync(join(folder, "text.parquet"), "no Parquet\n");
  const { code, err } = await replay(folder, "cut.parquet", "api.parquet.gz", "text.parquet");
  expect([code, err]).toEqual([
    2,
    "weir replay: cut.parquet: DuckDB cannot read this Parquet file: Invalid Input Error: No magic bytes found at end of file 'cut.parquet'; copy it again if it was cut off\n" +
      "weir replay: api.parquet.gz: Parquet has its index at the end, so a pipe or an archive cannot be read; save the unpacked file\n" +
      "weir replay: text.parquet: its first lines have no known format; name it with --format NAME, or give the server's own: --format '$remote_addr [$time_local] ...'\n",
  ]);
  const named = await replay(folder, "api.ndjson", "--format", "parquet");
  expect(named.err).toContain("none of its first 20 lines can be read as parquet");
});

test("signs of patterns in the name of a file are those of the name", async () => {
  const folder = folderOfApi();
  copyFileSync(API, join(folder, "a[1]*'?.parquet"));
  copyFileSync(API, join(folder, "a1b'c.parquet"));
  expect(await documentOf(folder, "a[1]*'?.parquet")).toMatchObject({ requests: 2103 });
});

test("--sql is read in place of logs, and one of both is needed", async () => {
  const both = await replay(folderOfApi(), "api.ndjson", "--sql", "SELECT 1");
  expect(both).toMatchObject({ code: 2, out: "" });
  expect(both.err).toContain("--sql and the log api.ndjson are both given; name");
  const none = await weir(folderWith({}), ["recommend", "--per", "1m"]);
  expect(none.err).toContain(
    "no log is named; give files, folders, - for standard input, or --sql",
  );
});

test("DuckDB leaves no file behind, and stores none in the current folder", async () => {
  const folder = folderOfApi();
  await documentOf(folder, "--sql", "FROM 'api.parquet' ORDER BY hash(client)");
  expect(readdirSync(folder).toSorted()).toEqual(["api.ndjson", "api.parquet"]);
  expect(existsSync(join(folder, ".tmp"))).toBe(false);
});
