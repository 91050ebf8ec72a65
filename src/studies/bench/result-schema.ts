// The file format of a result, and the problems of a file that breaks it.
import { z } from "zod";
import { ALGORITHMS } from "../../limiter/core/algorithms.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { footerFailure, readDocument } from "./read-document.ts";
import { BENCH_FORMAT, type BenchResult, type BenchCellResult } from "./result.ts";
import { CONTROLS } from "./suite.ts";

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
    round: count,
    start: count.exactOptional(),
    atSeconds: amount,
    answers: count,
    errors: count,
    metrics: z.record(z.string(), amount).readonly(),
  })
  .readonly();

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

export const machineSchema = z
  .strictObject({
    cpu: z.string(),
    cores: count,
    governor: z.string().nullable(),
    memoryGiB: amount,
    system: z.string(),
    load: z.strictObject({ before: amount, after: amount }).readonly(),
    busy: z.string().nullable(),
    node: z.string(),
    commit: z.string().nullable(),
    changed: z.boolean(),
    versions: z.record(z.string(), z.string()).readonly(),
  })
  .readonly();

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

const metric = z
  .strictObject({
    unit: z.string(),
    better: z.enum(["less", "more"]),
    about: z.string(),
    control: z.string().exactOptional(),
    targets: z.array(target).readonly().exactOptional(),
  })
  .readonly();

const benchResult = z
  .strictObject({
    format: z.literal(BENCH_FORMAT),
    suite: z.strictObject({ id: z.string(), title: z.string(), hash: z.string() }).readonly(),
    startedAt: z.string(),
    tookSeconds: amount,
    argv: z.array(z.string()).readonly(),
    seed: count,
    machine: machineSchema,
    target: z.string().nullable(),
    capacity: z.number().positive().nullable(),
    metrics: z.record(z.string(), metric).readonly(),
    gates: z.array(z.strictObject({ cell: z.string(), metric: z.string() }).readonly()).readonly(),
    bounds: z.array(bound).readonly().exactOptional(),
    cells: z.array(cell).readonly(),
    stopped: z.string().nullable(),
    warnings: z.array(z.string()).readonly(),
    samples: z.string().nullable(),
    footer: z.strictObject({ cells: count, repeats: count, errors: count }).readonly(),
  })
  .readonly();

export const resultSchema = (): unknown => z.toJSONSchema(benchResult);

/** The counts in the last line of a result: they reveal a file that was changed or is incomplete. */
export function footerOf(cells: readonly BenchCellResult[]): BenchResult["footer"] {
  const repeats = cells.flatMap((one) => one.repeats);
  const errors = repeats.reduce((sum, one) => sum + one.errors, 0);
  return { cells: cells.length, repeats: repeats.length, errors };
}

const findDuplicate = <T>(all: readonly T[]): T | undefined =>
  all.find((one, at) => all.indexOf(one) < at);

export function readResult(text: string): BenchResult | Failure {
  const result = readDocument(text, BENCH_FORMAT, benchResult);
  if (isFailure(result)) return result;
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
