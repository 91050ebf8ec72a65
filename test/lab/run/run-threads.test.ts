import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import {
  startRunThreads,
  threadsFor,
  UNWATCHED,
  type RunThreads,
  type RunWatch,
} from "#src/lab/run/run-threads.node.ts";
import type { FileRun, RunSettings } from "#src/lab/run/file-runner.node.ts";
import { ALGORITHMS, FAILING, sample } from "../../cli/samples.ts";

const sources = [
  ALGORITHMS,
  sample("limits/fails", { expect: FAILING }),
  ...Array.from({ length: 30 }, (_, n) => sample(`limits/one-${n}`)),
].map((text) => ({ file: `scenarios/${/^id: (.+)$/m.exec(text)?.[1] ?? ""}.yaml`, text }));

const settings: RunSettings = { seed: 1, only: [], histories: undefined };

function playersOf(count: number, changed: Partial<RunSettings> = {}): RunThreads {
  const players = startRunThreads(count, { ...settings, ...changed });
  onTestFinished(() => players.dismiss());
  return players;
}

async function runAll(
  players: RunThreads,
  watch: RunWatch = UNWATCHED,
): Promise<readonly FileRun[]> {
  const all: FileRun[] = [];
  // How long each took is the machine's affair.
  for await (const each of players.run(sources, watch)) all.push({ ...each, tookMs: [] });
  return all;
}

test("any number of threads gives the same results in the same order", async () => {
  const alone = await runAll(playersOf(1));
  const files = alone.map(({ results }) => results.map(({ file }) => file));
  expect(files).toEqual(
    sources.map(({ file }, n) => Array.from({ length: n === 0 ? 2 : 1 }, () => file)),
  );
  expect(await runAll(playersOf(2))).toEqual(alone);
  expect(await runAll(playersOf(4))).toEqual(alone);
});

test("scenarios are read in the order of the files, and each of them runs", async () => {
  const players = playersOf(3);
  const read = await players.read(sources);
  expect(read.map(({ id }) => `scenarios/${id}.yaml`)).toEqual(sources.map(({ file }) => file));
  expect(await runAll(players)).toEqual(await runAll(playersOf(1)));
});

test("a file that cannot be read is reported, and a scenario that is not selected has no id", async () => {
  const players = playersOf(2, { only: ["limits/one-7"] });
  const broken = { file: "scenarios/limits/broken.yaml", text: "id: limits/broken\n" };
  const read = await players.read([broken, ...sources]);
  expect(read[0]?.errors[0]).toMatch(
    /^scenarios\/limits\/broken\.yaml:1:1 error SCN-MISSING-FIELD /,
  );
  expect(read.flatMap(({ id }) => id ?? [])).toEqual(["limits/one-7"]);
});

test("after a stop no file under way is reported", async () => {
  let isOver = false;
  const late: string[] = [];
  const underWay = (files: ReadonlySet<string>): void => void (isOver && late.push(...files, "-"));
  for await (const _ of playersOf(2).run(sources, { ...UNWATCHED, underWay })) break;
  isOver = true;
  await sleep(300); // long enough for several more
  expect(late).toEqual([]);
});

test("a caller may stop early", async () => {
  const seen: FileRun[] = [];
  for await (const each of playersOf(2).run(sources, UNWATCHED)) {
    seen.push(each);
    if (seen.length === 2) break;
  }
  expect(seen.flatMap(({ results }) => results.map(({ scenario }) => scenario))).toEqual([
    "limits/algorithms",
    "limits/algorithms",
    "limits/fails",
  ]);
});

test("nothing is waited for after a stop", async () => {
  expect(await runAll(playersOf(2), { ...UNWATCHED, stop: Promise.resolve("stop") })).toEqual([]);
});

test("files under way are reported from beginning to end", async () => {
  const reported: string[][] = [];
  await runAll(playersOf(1), { ...UNWATCHED, underWay: (files) => reported.push([...files]) });
  expect(reported).toEqual(sources.flatMap(({ file }) => [[file], []]));
});

test("a few files are not worth another thread", () => {
  expect(threadsFor(0)).toBe(1);
  expect(threadsFor(11)).toBe(1);
});

test("an internal error is reported with its scenario", async () => {
  const histories = "no file system takes a \0";
  await expect(runAll(playersOf(1, { histories }))).rejects.toThrow(/^limits\/algorithms: /);
  await expect(runAll(playersOf(2, { histories }))).rejects.toThrow(/^limits\/\S+: /);
});
