// The experiments of the first page: what they show at each end of their handles, and the configuration that they read.
import { expect, test } from "vitest";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { columnsOf, dashesOf, pathOf, sumOf } from "#src/show/site/home/columns.ts";
import { lookOf } from "#src/show/site/home/experiment-html.ts";
import {
  countIn,
  EXPERIMENT_FILE,
  EXPERIMENTS,
  type SiteExperiment,
} from "#src/show/site/home/experiments.ts";
import { FIRST_CONFIGURATION } from "#src/show/site/home/own-html.ts";
import { lanesOf } from "#src/show/site/home/run-experiments.ts";
import { readConfiguration } from "#src/show/site/read-configuration.ts";

const experimentCalled = (id: string): SiteExperiment =>
  EXPERIMENTS.find((each) => each.id === id)!;

test.each<[id: string, value: number, counts: readonly number[], why: RegExp]>([
  ["edge", 57, [100, 100], /^All of them meet one window/],
  ["edge", 58.5, [150, 100], /^100 before the edge and 50 after it/],
  ["edge", 59, [200, 100], /^100 before the edge and 100 after it/],
  ["edge", 61, [100, 100], /^All of them meet one window/],
  ["herd", 1, [60, 67], /refuses 990 attempts/],
  ["herd", 25, [60, 200], /refuses 990 attempts/],
  ["herd", 50, [60, 200], /refuses 990 attempts/],
  ["fleet", 25, [0, 0], /exactly its quarter/],
  ["fleet", 61, [78, 0], /about 24 per second by chance, and its quarter is 10/],
  ["fleet", 97, [145, 0], /about 39 per second by chance, and its quarter is 10/],
  ["merge", 1, [100, 100], /^The first 100/],
  ["merge", 5, [100, 300], /^The first 100/],
  ["merge", 8, [100, 480], /^The first 100/],
])("the experiment %s at %d shows %j", async (id, value, counts, why) => {
  const experiment = experimentCalled(id);
  const { scenario, problems } = decode(EXPERIMENT_FILE, experiment.text(value));
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(scenario?.variants).toHaveLength(experiment.lanes.length);
  const lanes = await lanesOf(experiment, value);
  expect(lanes.map((lane) => countIn(experiment, lane))).toEqual(counts);
  const look = lookOf(experiment, experiment.lanes[0], lanes[0]!, { value, lanes });
  expect(look).toMatchObject({
    count: String(counts[0]),
    isBad: experiment.isBad(counts[0]!),
    why: expect.stringMatching(why) as string,
  });
});

test("a graph has each request of its run, wherever the handle is", async () => {
  for (const experiment of EXPERIMENTS.filter(({ id }) => id !== "herd"))
    for (const value of [experiment.handle.least, experiment.handle.most])
      for (const { admitted, refused } of await lanesOf(experiment, value))
        expect
          .soft(sumOf(admitted) + sumOf(refused), experiment.id)
          .toBe(experiment.id === "merge" ? 480 : 200);
});

test("requests are dashes on each other, those that are refused above those that are admitted", () => {
  const marks = {
    atUs: Float64Array.of(0, 1, 2, 1_000_000, 9_000_000),
    answer: Uint8Array.of(0, 1, 2, 2, 0),
  };
  const { admitted, refused } = columnsOf(marks, { from: 0, to: 2, columns: 2 });
  expect({ admitted, refused }).toEqual({ admitted: [2, 0], refused: [1, 1] });
  expect(pathOf(admitted, null, 3)).toBe("M150 120v-80");
  expect(pathOf(refused, admitted, 3)).toBe("M150 40v-40M450 120v-40");
  expect([dashesOf(3), dashesOf(200)]).toEqual(["32 8", "none"]);
});

test("a configuration is read without a file, and doubts follow the answer", () => {
  const { sentences, rows } = requireValue(readConfiguration(FIRST_CONFIGURATION));
  expect(sentences).toEqual([
    "At worst a sender gets 23 requests in any second through 2r/s of zone login, burst 20, which is 2 per second on average.",
  ]);
  expect(rows).toEqual([["2r/s", "zone login, burst 20", "23", "second", "5"]]);
  const text = FIRST_CONFIGURATION.text.replace("listen 80;", "include more.conf;");
  expect(requireValue(readConfiguration({ file: "nginx.conf", text })).sentences[1]).toMatch(
    /^Line 4 is not understood: include more\.conf: no file matches it/,
  );
});

test.each([
  ["notes.txt", "hello\n", /^notes\.txt is no configuration that Weir reads: nginx, envoy, /],
  ["big.conf", "#".repeat(1_000_001), /^big\.conf is too large for a page/],
])("%s gets one sentence", (file, text, sentence) => {
  const read = readConfiguration({ file, text });
  expect(isFailure(read) && read.message).toMatch(sentence);
});
