// The document of a run of a suite, and the problems of a file that breaks its format. Its raw samples are in a second
// file.
import { z } from "zod";
import { ALGORITHMS } from "../../limiter/core/algorithms.ts";
import { answerSchema } from "../../lab/report/answer.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { footerFailure, readDocument } from "./read-document.ts";
import { CONTROLS, METRICS, type Metric } from "./suite.ts";

export const BENCH_FORMAT = "weir-bench/3";

const count = z.int().min(0);
const amount = z.number().min(0);

const factors = z
  .strictObject({
    algorithm: z.enum(ALGORITHMS),
    store: z.enum(["memory", "redis"]),
    demand: z.number().positive(),
    keys: z.enum(["one", "many", "zipf"]),
    connections: count,
    load_model: z.enum(["closed", "constant", "poisson"]),
  })
  .readonly();

const repeat = z
  .strictObject({
    round: count, // repeats of one round were measured one after the other
    start: count.exactOptional(), // index of the servers' start, from 0; missing: the servers start only once
    atSeconds: amount, // since the run began
    answers: count,
    errors: count, // requests without a response, and unexpected responses
    metrics: z.record(z.string(), amount).readonly(),
  })
  .readonly();
export type BenchRepeat = z.infer<typeof repeat>;

const controlOfOthers = z
  .strictObject({
    implementation: z.string(),
    algorithm: z.string(),
    store: z.enum(["memory", "redis"]),
    limit: z.string(),
  })
  .readonly();

const cell = z
  .strictObject({
    name: z.string(),
    role: z.enum(["cell", "control"]),
    factors: factors.nullable(),
    control: z.union([z.enum(CONTROLS), controlOfOthers]).nullable(),
    repeats: z.array(repeat).readonly(),
  })
  .readonly();
export type BenchCellResult = z.infer<typeof cell>;

const machine = z
  .strictObject({
    cpu: z.string(),
    cores: count,
    governor: z.string().nullable(),
    memoryGiB: amount,
    system: z.string(),
    load: z.strictObject({ before: amount, after: amount }).readonly(),
    /** Why the run cannot be compared: other processes used the machine too much; null: it was quiet enough. */
    busy: z.string().nullable(),
    node: z.string(),
    commit: z.string().nullable(), // null: Weir does not run from a Git checkout
    changed: z.boolean(), // files differ from the commit
    versions: z.record(z.string(), z.string()).readonly(),
  })
  .readonly();
export type BenchMachine = z.infer<typeof machine>;

/** The common part of the documents of all kinds of runs. */
export const RUN_FIELDS = {
  startedAt: z.string(),
  tookSeconds: amount,
  argv: z.array(z.string()).readonly(),
  seed: count,
  machine,
};
const suite = { id: z.string(), title: z.string() };
export const suiteOfRun = z.strictObject(suite).readonly();
const run = z.strictObject({ suite: suiteOfRun, ...RUN_FIELDS }).readonly();
export type BenchRun = z.infer<typeof run>;

const target = z.union([
  z.strictObject({ cell: z.string(), value: amount }).readonly(),
  z
    .strictObject({
      cell: z.string(),
      against: z.array(z.string()).min(1).readonly(),
      times: amount,
    })
    .readonly(),
]);

const bound = z.union([
  z.strictObject({ metric: z.string(), cell: z.string().nullable(), most: amount }).readonly(),
  z
    .strictObject({
      metric: z.string(),
      cell: z.string().nullable(),
      control: z.enum(CONTROLS),
      times: amount,
    })
    .readonly(),
]);

/** In a suite of parts, each metric is a case with a control of its own. */
const metric = z
  .strictObject({
    unit: z.string(),
    better: z.enum(["less", "more"]),
    about: z.string(),
    control: z.string().exactOptional(), // the cell by whose values those of the other cells are divided
    targets: z.array(target).readonly().exactOptional(),
  })
  .readonly();

const benchResult = z
  .strictObject({
    format: z.literal(BENCH_FORMAT),
    answer: answerSchema.exactOptional(), // missing in older documents; readers compute it again
    suite: z.strictObject({ ...suite, hash: z.string() }).readonly(),
    ...RUN_FIELDS,
    /** The address of the gateway that was measured in place of Weir's; null: Weir itself. */
    target: z.string().nullable(),
    /**
     * Responses per second, from which limits and planned arrivals are derived. Only runs with an equal value can be
     * compared. Null: the run ended before the capacity was measured, or the suite measures parts.
     */
    capacity: z.number().positive().nullable(),
    metrics: z.record(z.string(), metric).readonly(),
    gates: z.array(z.strictObject({ cell: z.string(), metric: z.string() }).readonly()).readonly(),
    bounds: z.array(bound).readonly().exactOptional(), // missing: the suite has none
    cells: z.array(cell).readonly(),
    /** Why the run ended early; null: it did not. A run that ended early has the repeats completed before. */
    stopped: z.string().nullable(),
    /** What a reader needs to know: a machine too busy for a comparison, a load generator that overran. */
    warnings: z.array(z.string()).readonly(),
    samples: z.string().nullable(), // the name of the file with raw samples, in the same folder
    /** A file without a footer is incomplete. */
    footer: z.strictObject({ cells: count, repeats: count, errors: count }).readonly(),
  })
  .readonly();
/** Without the answer, which follows from the rest. */
export type BenchResult = Omit<z.infer<typeof benchResult>, "answer">;

/** The names of the cases if the suite measures parts; empty if it measures served gateways. */
export const casesOf = ({ metrics }: Pick<BenchResult, "metrics">): readonly string[] =>
  Object.keys(metrics).filter((name) => metrics[name]!.control !== undefined);

/** Describes any metric, even one without values in the result, because a gate may name such a metric. */
export const metricOf = ({ metrics }: Pick<BenchResult, "metrics">, name: string): Metric =>
  metrics[name] ?? (METRICS as Readonly<Record<string, Metric>>)[name] ?? NOT_MEASURED;

const NOT_MEASURED: Metric = { unit: "", better: "less", about: "not measured" };

export const resultSchema = (): unknown => z.toJSONSchema(benchResult);

/** The counts at the end of a result, which show that a file was changed or is incomplete. */
export function footerOf(cells: readonly BenchCellResult[]): BenchResult["footer"] {
  const repeats = cells.flatMap((one) => one.repeats);
  const errors = repeats.reduce((sum, one) => sum + one.errors, 0);
  return { cells: cells.length, repeats: repeats.length, errors };
}

const findDuplicate = <T>(all: readonly T[]): T | undefined =>
  all.find((one, at) => all.indexOf(one) < at);

export function readResult(text: string): BenchResult | Failure {
  const read = readDocument(text, BENCH_FORMAT, benchResult);
  if (isFailure(read)) return read;
  const { answer: _, ...result } = read;
  const duplicateCell = findDuplicate(result.cells.map(({ name }) => name));
  if (duplicateCell !== undefined) return new Failure(`it has the cell ${duplicateCell} twice`);
  for (const { name, repeats } of result.cells) {
    const round = findDuplicate(repeats.map((one) => one.round));
    if (round !== undefined) return new Failure(`${name} has the round ${round} twice`);
    const metrics = repeats.flatMap((one) => Object.keys(one.metrics));
    const unknown = metrics.find((each) => !Object.hasOwn(result.metrics, each));
    if (unknown !== undefined)
      return new Failure(`${name} has the metric ${unknown}, which "metrics" does not describe`);
  }
  return footerFailure(result.footer, footerOf(result.cells)) ?? result;
}
