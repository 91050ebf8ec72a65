// Reads the file of a suite as scenarios are read: returns a Suite, or every problem with its position.
import { ALGORITHMS } from "../../limiter/core/algorithms.ts";
import type { Failure } from "../../kit/reading/failure.ts";
import { type Problem, report } from "../../kit/reading/problems.ts";
import { record } from "../../kit/reading/record.ts";
import {
  listOf,
  numberFrom,
  oneOf,
  optional,
  reportName,
  mandatory,
  text,
  wholeNumber,
} from "../../kit/reading/shape.ts";
import { durationAbove0 } from "../../kit/reading/duration.ts";
import { cellsOf } from "./cells.ts";
import { checkId, readSuiteFile } from "./read-suite-file.ts";
import {
  CONTROLS,
  FACTORS,
  METRICS,
  METRIC_NAMES,
  MOST_GATES,
  type BenchMetricName,
  type OwnControl,
  type Factors,
  type LoadModel,
  type Keys,
  type StoreKind,
  type Suite,
} from "./suite.ts";

const STORES = ["memory", "redis"] as const satisfies readonly StoreKind[];
const KEYS = ["one", "many", "zipf"] as const satisfies readonly Keys[];
const LOAD_MODELS = ["closed", "constant", "poisson"] as const satisfies readonly LoadModel[];

const algorithm = oneOf(ALGORITHMS);
const store = oneOf(STORES);
const demand = numberFrom(0.01, 1_000);
const keys = oneOf(KEYS);
const connections = wholeNumber(1, 1_000);
const loadModel = oneOf(LOAD_MODELS);

const base = record("a base", {
  algorithm: mandatory(algorithm, "The algorithm of the limit."),
  store: mandatory(store, "Where the counters are."),
  demand: mandatory(demand, "The load as a multiple of the limit."),
  keys: mandatory(
    keys,
    "Keys of the requests: one, many in turn, or many of which a few send nearly all.",
  ),
  connections: mandatory(connections, "Connections of the load generator."),
  load_model: mandatory(loadModel, "When requests are sent."),
});

const vary = record("the varied factors", {
  algorithm: optional(listOf(algorithm), [], "Other algorithms."),
  store: optional(listOf(store), [], "The other store."),
  demand: optional(listOf(demand), [], "Other multiples of the limit."),
  keys: optional(listOf(keys), [], "Other sets of keys."),
  connections: optional(listOf(connections), [], "Other numbers of connections."),
  load_model: optional(listOf(loadModel), [], "Other load models."),
});

export const suiteShape = record("a suite", {
  id: mandatory(text, "The name of the file, without .yaml."),
  title: mandatory(text, "What it measures, in one line."),
  about: mandatory(text, "What it measures, in a paragraph."),
  base: mandatory(base, "The cell from which every other cell differs in one factor."),
  vary: mandatory(vary, "Values that replace those of the base, one at a time."),
  controls: optional(listOf(oneOf(CONTROLS)), [], "Servers that the cells are compared with."),
  key_count: mandatory(wholeNumber(1, 100_000), "The number of keys of `many` and `zipf`."),
  per: mandatory(durationAbove0, "The window of every limit."),
  duration: mandatory(durationAbove0, "The length of one repeat."),
  warm_up: mandatory(durationAbove0, "Load on each cell before the first repeat."),
  repeats: mandatory(wholeNumber(1, 1_000), "How often each cell is measured in each start."),
  starts: optional(wholeNumber(1, 100), 1, "How often all servers are started anew."),
  bounds: optional(
    listOf(
      record("a bound", {
        metric: mandatory(oneOf(METRIC_NAMES), "A metric of which less is better."),
        cell: optional(text, null, "The name of a cell; without it, each cell."),
        most: optional(numberFrom(0, 1e9), null, "The largest amount."),
        control: optional(oneOf(CONTROLS), null, "The control to compare with."),
        times: optional(numberFrom(0.01, 1_000), null, "The largest multiple of the control's."),
      }),
    ),
    [],
    "Maxima of metrics: the run fails if any start exceeds one.",
  ),
  gates: optional(
    listOf(
      record("a gate", {
        cell: mandatory(text, "The name of a cell."),
        metric: mandatory(oneOf(METRIC_NAMES), "A metric of that cell."),
      }),
    ),
    [],
    "The metrics that can fail a comparison.",
  ),
});

export const readSuite = (file: string, written: string): Suite | Failure =>
  readSuiteFile(file, written, "gateway", (value, problems) => suiteIn(value, file, problems));

function suiteIn(
  value: Parameters<typeof suiteShape.read>[0],
  file: string,
  problems: Problem[],
): Suite | undefined {
  const read = suiteShape.read(value, [], problems);
  if (read === undefined) return undefined;
  const {
    key_count: keyCount,
    per: perUs,
    duration: lastsUs,
    warm_up: warmUpUs,
    bounds: written,
    ...rest
  } = read;
  const bounds = written.flatMap((each, index) => boundIn(each, index, read, problems));
  const suite: Suite = { ...rest, keyCount, perUs, lastsUs, warmUpUs, bounds };
  checkId(suite.id, file, problems);
  for (const factor of FACTORS) checkVaried(suite, factor, problems);
  suite.controls.forEach((control, index) => {
    if (suite.controls.indexOf(control) < index)
      report(problems, "SCN-DUPLICATE-NAME", ["controls", index], `${control} is listed twice`);
  });
  checkGates(suite, problems);
  checkCells("bounds", suite.bounds, suite, problems);
  return suite;
}

interface WrittenBound {
  readonly metric: BenchMetricName;
  readonly cell: string | null;
  readonly most: number | null;
  readonly control: OwnControl | null;
  readonly times: number | null;
}

function boundIn(
  { metric, cell, most, control, times }: WrittenBound,
  index: number,
  { base: { load_model }, controls }: Pick<Suite, "base" | "controls">,
  problems: Problem[],
): Suite["bounds"] {
  const path = ["bounds", index];
  if (METRICS[metric].better === "more")
    report(
      problems,
      "SCN-VALUE",
      [...path, "metric"],
      `a bound is a maximum, but a larger ${metric} is better`,
    );
  if (control !== null && !controls.includes(control))
    report(problems, "SCN-NAME", [...path, "control"], `${control} is none of the controls`);
  if (control !== null && load_model !== "closed")
    report(
      problems,
      "SCN-TOGETHER",
      [...path, "control"],
      `controls get the load of the base in a closed loop, but the base has ${load_model} arrivals`,
      "write `load_model: closed` in the base, and vary it",
    );
  if (most !== null && control === null && times === null) return [{ metric, cell, most }];
  if (most === null && control !== null && times !== null)
    return [{ metric, cell, control, times }];
  report(
    problems,
    "SCN-VALUE",
    path,
    "a bound has either `most`, or `control` and `times`",
    "write one of the two",
  );
  return [];
}

/** Reports values of a varied factor that repeat each other or the base's value: the base is a cell already. */
function checkVaried({ base, vary }: Suite, factor: keyof Factors, problems: Problem[]): void {
  const values: readonly (string | number)[] = vary[factor];
  values.forEach((value, index) => {
    const isBase = value === base[factor];
    if (isBase || values.indexOf(value) < index)
      report(
        problems,
        "SCN-DUPLICATE-NAME",
        ["vary", factor, index],
        isBase ? `the base already has ${factor} ${value}` : `${value} is listed twice`,
        "leave it out",
      );
  });
}

function checkGates(suite: Suite, problems: Problem[]): void {
  const { gates } = suite;
  if (gates.length > MOST_GATES)
    report(
      problems,
      "SCN-VALUE",
      ["gates"],
      `there are ${gates.length} gates, and at most ${MOST_GATES} are allowed`,
      "leave some out: with more gates only a larger change is found",
    );
  checkCells("gates", gates, suite, problems);
}

function checkCells(
  field: "gates" | "bounds",
  all: readonly { readonly cell: string | null }[],
  suite: Suite,
  problems: Problem[],
): void {
  const names = cellsOf(suite).map(({ name }) => name);
  all.forEach(({ cell }, index) => {
    if (cell !== null && !names.includes(cell))
      reportName(
        problems,
        "SCN-NAME",
        [field, index, "cell"],
        `no cell of this suite is called "${cell}"`,
        cell,
        names,
      );
  });
}
