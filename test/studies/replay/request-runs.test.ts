// Requests that are out of order by more than memory sorts are sorted in a temporary file.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import type { Candidate } from "#src/studies/replay/candidates.ts";
import { NameTable } from "#src/studies/replay/names.ts";
import { replayLogs } from "#src/studies/replay/replay-logs.node.ts";
import { RequestRuns, SortingError } from "#src/studies/replay/request-runs.node.ts";
import { buildReplayResult, type UnansweredReplay } from "#src/studies/replay/result.ts";
import { parseKey, parseSelectors } from "#src/studies/replay/selectors.ts";
import { DEFAULT_OPTIONS } from "#src/limiter/world/options.ts";
import { holdsLater } from "../../runs.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "weir-runs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const ROWS = 16; // of the window

type Row = readonly [atUs: number, client: number, target: number, units: number, lastsUs: number];

const encoder = new TextEncoder();

function idIn(table: NameTable, value: number): number {
  const bytes = encoder.encode(String(value));
  return table.idOf(bytes, 0, bytes.length);
}

/** With values as names of clients and targets, and the numbers that a sorted log gives them. */
async function sortRows(rows: readonly Row[], hasCharges: boolean) {
  const runs = new RequestRuns(ROWS, hasCharges);
  const clients = new NameTable();
  const targets = new NameTable();
  for (const [atUs, client, target, units, lastsUs] of rows)
    expect(runs.add(atUs, idIn(clients, client), idIn(targets, target), units, lastsUs)).toBe(true);
  const sorted: Row[] = [];
  const add = (...row: Row): boolean => sorted.push(row) > 0;
  await runs.mergeInto({ add }, { clients, targets }, () => false);
  runs.close();
  const named = sorted.map(([atUs, client, target, ...rest]): Row => {
    return [atUs, Number(clients.names[client]), Number(targets.names[target]), ...rest];
  });
  return { named, clients: sorted.map(([, client]) => client), runs: runs.runs };
}

/** The number of each value: those that are first have the lowest. */
function numbersOf(values: readonly number[]): readonly number[] {
  const distinct = [...new Set(values)];
  return values.map((value) => distinct.indexOf(value));
}

test("runs return all requests by time, and those of one time in their order", async () => {
  const number = fc.nat(400);
  const row = fc.tuple(number, number, number, number, number);
  const rows = fc.array(row, { maxLength: 300, size: "max" });
  let most = 0;
  await holdsLater(
    fc.asyncProperty(rows, fc.boolean(), async (some, hasCharges) => {
      const own = some.map((each): Row => (hasCharges ? each : [each[0], each[1], each[2], 1, 0]));
      const { named, clients, runs } = await sortRows(own, hasCharges);
      const expected = own.toSorted((a, b) => a[0] - b[0]);
      expect(named).toEqual(expected);
      // What one window holds keeps its numbers.
      const numbers = runs > 1 ? numbersOf(expected.map(([, client]) => client)) : clients;
      expect(clients).toEqual(numbers);
      most = Math.max(most, runs);
    }),
    50,
  );
  expect(most).toBeGreaterThan(10);
});

test("the temporary file has no name while it is written", () => {
  const folder = newFolder();
  const runs = new RequestRuns(ROWS, false, folder);
  for (let at = 1000; at > 0; at--) runs.add(at, 0, 0, 1, 0);
  expect([runs.runs > 10, readdirSync(folder)]).toEqual([true, []]);
  runs.close();
});

test("a folder that is not there is named, with a way to choose another", () => {
  const runs = new RequestRuns(ROWS, false, "/nowhere/at/all");
  const fill = (): void => {
    for (let at = 1000; at > 0; at--) runs.add(at, 0, 0, 1, 0);
  };
  expect(fill).toThrow(SortingError);
  expect(fill).toThrow(
    "requests are out of order, and cannot be sorted in /nowhere/at/all: there is no such file or folder; name a folder with more room by TMPDIR, or sort the log by time",
  );
});

test("a file that may not grow ends with its reason", () => {
  const module = join(import.meta.dirname, "../../../src/studies/replay/request-runs.node.ts");
  const script = `import { RequestRuns } from ${JSON.stringify(module)};
    const runs = new RequestRuns(1024, false);
    try { for (let at = 1e5; at > 0; at--) runs.add(at, 0, 0, 1, 0); }
    catch (error) { process.stdout.write(error.message); }`;
  const limited = ["-c", `ulimit -f 100 && exec "$0" --input-type=module -e "$1"`];
  const { stdout } = spawnSync("bash", [...limited, process.execPath, script], {
    encoding: "utf8",
    env: { ...process.env, TMPDIR: newFolder() },
  });
  expect(stdout).toContain(": a file may not become so large here; name a folder with more room");
});

const candidate = (name: "sliding_window_counter" | "token_bucket"): Candidate => ({
  kind: "limit",
  limit: { rate: 1, perUs: micros(10_000_000) },
  by: { kind: "algorithm", name },
  options: { ...DEFAULT_OPTIONS, algorithm: name },
});

async function documentOf(file: string, isCosted: boolean): Promise<UnansweredReplay> {
  const question = {
    candidates: [candidate("sliding_window_counter"), candidate("token_bucket")],
    key: requireValue(parseKey("ip")),
    ...(isCosted ? { cost: requireValue(parseSelectors("field:bytes")) } : {}),
    conditions: [],
    clients: new NameTable(),
    targets: null,
    format: null,
    seed: 1,
    retries: null,
  };
  const progress = {
    isStopped: () => false,
    stop: new Promise<"stop">(() => {}),
    report: () => {},
  };
  const source = { name: file, isFromFolder: false };
  const outcome = requireValue(
    await replayLogs([source], question, progress, null, { windowRows: 1024 }),
  );
  const { clients } = question;
  const facts = { key: "ip", cost: null, clients, isInterrupted: false, top: 50, rename: null };
  const result = buildReplayResult({ ...outcome, ...facts });
  return { ...result, logs: result.logs.map((log) => ({ ...log, file: "" })) };
}

test.each([[false], [true]])(
  "a log whose lines are shuffled has the document of the sorted log, with costs: %s",
  async (isCosted) => {
    const lines = Array.from({ length: 20_000 }, (_, i) => {
      const time = new Date(Date.UTC(2026, 0, 5, 10) + 180 * i + 1).toISOString();
      return `${time},192.0.2.${(i * i) % 199},${1 + (i % 3)}\n`;
    });
    const folder = newFolder();
    const write = (name: string, rows: readonly string[]): string => {
      const file = join(folder, name);
      writeFileSync(file, `time,ip,bytes\n${rows.join("")}`);
      return file;
    };
    const sorted = await documentOf(write("sorted.csv", lines), isCosted);
    expect(sorted).toMatchObject({ requests: 20_000, timestamps: "finer" });
    expect(sorted.candidates[0]!.refused).toBeGreaterThan(100);
    // Every line is moved, by up to the whole hour: 7,919 has no divisor in common with 20,000.
    const shuffled = lines.map((_, i) => lines[(i * 7919) % lines.length]!);
    expect(await documentOf(write("shuffled.csv", shuffled), isCosted)).toEqual(sorted);
    const late = [...lines.slice(1), lines[0]!];
    expect(await documentOf(write("late.csv", late), isCosted)).toEqual(sorted);
  },
);
