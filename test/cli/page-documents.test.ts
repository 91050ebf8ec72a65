// Documents of every format in one folder, read by the format that they name.
import { join } from "node:path";
import { expect, test } from "vitest";
import { compare } from "#src/studies/bench/compare/compare.ts";
import { readPageDocument } from "#src/cli/page-documents.node.ts";
import { cellOf, gate, resultOf } from "../studies/bench/bench-results.ts";
import { result as pareto } from "../studies/pareto/results.ts";
import { messageOf } from "../kit/reading/message-of.ts";
import { folderWith } from "./weir.ts";

const bench = resultOf([cellOf("base", { cpu: [50, 51] })], [gate("cpu")], {
  samples: "bench.ndjson",
});
const question = { minEffect: 0.03, alpha: 0.05, seed: 1 };
const files = {
  "bench.json": JSON.stringify(bench),
  "bench.ndjson": `{"format":"weir-bench-samples/1"}\n{"what":`,
  "alone.json": JSON.stringify({ ...bench, samples: "../elsewhere.ndjson" }),
  "compare.json": JSON.stringify(compare(bench, bench, question, [])),
  "pareto.json": JSON.stringify(pareto()),
  "newer.json": JSON.stringify({ ...bench, format: "weir-bench/99" }),
  "nobody.json": `{"format":"constructor"}`,
  "cut.json": JSON.stringify(bench).slice(0, 99),
  "foreign.json": `{"name":"a package"}`,
  "list.json": "[]",
  "run.json": `{"format":"weir-report/3"}`,
};

test.each([
  ["alone.json", "Benchmark gateway"], // samples are read only from the folder of the result
  ["compare.json", "Comparison of gateway: unclear"],
])("%s becomes a part of a page: %s", (name, title) => {
  expect(readPageDocument(join(folderWith(files), name))).toMatchObject({
    measured: { title: expect.stringContaining(title) },
  });
});

test.each([
  ["bench.json", "bench.ndjson, line 2: this is not JSON"],
  ["pareto.json", "the suite has been changed: its hash does not match"],
  [
    "newer.json",
    'its format is "weir-bench/99", and this version of Weir renders weir-report/3, weir-bench/3,',
  ],
  ["nobody.json", 'its format is "constructor"'],
  [
    "foreign.json",
    'foreign.json: it has no "format", and this version of Weir renders weir-report/3, ',
  ],
  ["list.json", 'list.json: it has no "format", and this version of Weir renders'],
  ["cut.json", "cut.json: this is not JSON, or it was cut off"],
  ["run.json", "run.json: it has no footer"],
  ["none.json", "there is no such file"],
])("%s is refused with its place: %s", (name, sentence) => {
  const folder = folderWith(files);
  const fault = messageOf(readPageDocument(join(folder, name)));
  expect(fault).toContain(join(folder, name).slice(0, -5));
  expect(fault).toContain(sentence);
});
