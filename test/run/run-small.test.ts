import { expect, onTestFinished, test } from "vitest";
import type { FileRun, RunSettings } from "../../src/run/file-runner.node.ts";
import { startRun } from "../../src/run/run-small.node.ts";
import { startRunThreads, UNWATCHED, type RunThreads } from "../../src/run/run-threads.node.ts";
import type { SourceFile } from "../../src/run/scenario-files.node.ts";
import { ALGORITHMS, FAILING, sample } from "../cli/samples.ts";

const settings: RunSettings = { seed: 1, only: [], histories: undefined, hasDigests: true };

const fileOf = (text: string): SourceFile => ({
  file: `scenarios/${/^id: (.+)$/m.exec(text)![1]}.yaml`,
  text,
});
const SMALL = [ALGORITHMS, sample("limits/fails", { expect: FAILING }), sample("limits/one")].map(
  fileOf,
);

const flow = (shape: string): string =>
  `\n  - { name: first, as: alice, send: GET /orders, ${shape} }`;
const long = (shape: string): readonly SourceFile[] => [
  fileOf(sample("limits/long", { traffic: flow(shape) })),
];

/** What it runs, and how many threads it starts for that. */
async function runOf(
  started: RunThreads | Promise<RunThreads>,
  sources: readonly SourceFile[],
): Promise<readonly FileRun[]> {
  const threads = await started;
  onTestFinished(threads.dismiss);
  await threads.read(sources);
  const all: FileRun[] = [];
  for await (const each of threads.run(sources, UNWATCHED)) all.push({ ...each, tookMs: [] });
  return all;
}

function countThreads(): () => number {
  let count = 0;
  const listener = (): void => void (count += 1);
  process.on("worker", listener);
  onTestFinished(() => void process.off("worker", listener));
  return () => count;
}

test("a small run has the results of a thread, and starts none", async () => {
  const threads = countThreads();
  const here = await runOf(startRun(SMALL, settings), SMALL);
  expect(threads()).toBe(0);
  expect(here.map(({ results }) => results.length)).toEqual([2, 1, 1]);
  expect(here).toEqual(await runOf(startRunThreads(1, settings), SMALL));
  expect(threads()).toBe(1);
});

test.each([
  ["many requests", long("rate: 1500, for: 4s")],
  ["a long time", long("every: 4h, count: 2")],
  ["a long file", [fileOf(`${sample("limits/one")}#${" ".repeat(200_000)}\n`)]],
  ["many files", Array.from({ length: 12 }, (_, nth) => fileOf(sample(`limits/n${nth}`)))],
])("a run with %s has a thread", async (_, sources) => {
  const threads = countThreads();
  const runs = await runOf(startRun(sources, settings), sources);
  expect(threads()).toBeGreaterThan(0);
  expect(runs).toHaveLength(sources.length);
});

test("a small run ends at a stop, and an internal error has its scenario", async () => {
  const players = await startRun(SMALL, settings);
  await players.read(SMALL);
  const stopped = players.run(SMALL, { ...UNWATCHED, stop: Promise.resolve("stop") });
  expect((await stopped.next()).done).toBe(true);
  const reported: string[][] = [];
  const underWay = (files: ReadonlySet<string>): void => void reported.push([...files]);
  for await (const _ of players.run(SMALL, { ...UNWATCHED, underWay }));
  expect(reported).toEqual(SMALL.flatMap(({ file }) => [[file], []]));
  const unsaved = startRun(SMALL, { ...settings, histories: "no file system takes a \0" });
  await expect(runOf(unsaved, SMALL)).rejects.toThrow(/^limits\/algorithms: /);
});
