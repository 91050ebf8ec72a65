import { expect, onTestFinished, test } from "vitest";
import type { FileRun, RunSettings } from "#src/lab/run/file-runner.node.ts";
import { startRun } from "#src/lab/run/run-small.node.ts";
import { startRunThreads, UNWATCHED, type RunThreads } from "#src/lab/run/run-threads.node.ts";
import type { SourceFile } from "#src/lab/run/scenario-files.node.ts";
import { ALGORITHMS, FAILING, sample } from "../../cli/samples.ts";

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
const long = (shape: string, parts: Parameters<typeof sample>[1] = {}): readonly SourceFile[] => [
  fileOf(sample("limits/long", { traffic: flow(shape), ...parts })),
];
const NEARLY_AN_HOUR = "every: 50m, count: 2";
const fleetOf = (nodes: number): string => `
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
  gateway: { algorithm: drl }
  fleet: { nodes: ${nodes} }`;

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

test("nearly an hour of one gateway is small", async () => {
  const threads = countThreads();
  const sources = long(NEARLY_AN_HOUR, { world: fleetOf(1) });
  await runOf(startRun(sources, settings), sources);
  expect(threads()).toBe(0);
});

test.each([
  ["many requests", long("rate: 1500, for: 4s")],
  ["a long time", long("every: 4h, count: 2")],
  ["many clients", long("clients: 20000, every: 1s, count: 2")],
  ["clients that return", long("burst: 2, behaviour: { backoff: { base: 1s, maxAttempts: 9 } }")],
  ["clients that take turns", long("burst: 2, sequential: true")],
  ["two gateways for nearly an hour", long(NEARLY_AN_HOUR, { world: fleetOf(2) })],
  [
    "a gateway that joins",
    long(NEARLY_AN_HOUR, { world: `${fleetOf(1)}\nfaults: [{ at: 1s, gateway: join }]` }),
  ],
  [
    "two variants of nearly an hour",
    long(NEARLY_AN_HOUR, {
      matrix: "{ algorithm: [drl, gcra] }",
      world: fleetOf(1).replace("drl", "$algorithm"),
    }),
  ],
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
