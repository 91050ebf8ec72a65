// The raw samples of a result: the responses of each repeat, and the usage of the processes during it.
import { z } from "zod";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import type { BenchResult } from "../result.ts";

const SAMPLES_FORMAT = "weir-bench-samples/1";

export interface Samples {
  readonly repeats: readonly SampledRepeat[];
}

interface SampledRepeat {
  readonly cell: string;
  readonly latency: SampledLatency | null; // null: no response
  readonly processes: readonly ProcessSample[];
}

export type SampledLatency = z.infer<typeof quantiles> & { readonly histogram: string | null };

/** The usage between two readings of the measured process. */
export interface ProcessSample {
  readonly fromS: number; // since the run began
  readonly toS: number;
  readonly core: number; // share of one core
  readonly rssBytes: number;
}

const amount = z.number().min(0);

const quantiles = z
  .object({
    count: z.int().min(1),
    p50Us: amount,
    p90Us: amount,
    p99Us: amount,
    p999Us: amount,
    maxUs: amount,
  })
  .readonly();

const processes = z.object({
  what: z.literal("processes"),
  cell: z.string(),
  atUs: amount, // since watching began
  gateway: z.object({ cpuUs: amount, rssBytes: amount }).nullable(),
});

const repeat = z.object({
  what: z.literal("repeat"),
  cell: z.string(),
  round: z.int().min(0),
  atSeconds: amount,
  answers: z.int().min(0),
  load: z.object({
    latency: z.object({ all: quantiles.nullable() }),
    histogram: z.string().nullable().optional(), // older samples have none
  }),
});

const header = z.object({ format: z.literal(SAMPLES_FORMAT) });
const line = z.discriminatedUnion("what", [processes, repeat]);

type ProcessLine = z.infer<typeof processes>;

/** Reads raw samples. A failure if the text is not the samples of this result. */
export function readSamples(text: string, { cells }: BenchResult): Samples | Failure {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const [first = "", ...others] = lines;
  const head = parseLine(header, first);
  if (isFailure(head)) return new Failure(`line 1: ${head.message}`);
  const wanted = new Map<string, number>(
    cells.flatMap(({ name, repeats }) =>
      repeats.map(({ round, answers }) => [`${name}/${round}`, answers] as [string, number]),
    ),
  );
  const repeats: SampledRepeat[] = [];
  const looks = new Map<string, ProcessLine[]>();
  for (const [index, each] of others.entries()) {
    const at = `line ${index + 2}`;
    const read = parseLine(line, each);
    if (isFailure(read)) return new Failure(`${at}: ${read.message}`);
    const own = looks.get(read.cell) ?? [];
    if (read.what === "processes") {
      // If `atUs` decreases, the earlier readings belong to the warm-up and are dropped.
      const isNew = (own.at(-1)?.atUs ?? 0) > read.atUs;
      looks.set(read.cell, isNew ? [read] : [...own, read]);
      continue;
    }
    const name = `${read.cell}/${read.round}`;
    if (wanted.get(name) !== read.answers)
      return new Failure(
        `${at}: the result has no such repeat of ${read.cell}: these are samples of another run`,
      );
    wanted.delete(name);
    looks.delete(read.cell);
    const { latency, histogram = null } = read.load;
    repeats.push({
      cell: read.cell,
      latency: latency.all === null ? null : { ...latency.all, histogram },
      processes: processSamplesIn(own, read.atSeconds),
    });
  }
  const [missing] = wanted.keys();
  return missing === undefined
    ? { repeats }
    : new Failure(`the repeat ${missing} is missing: the file was cut off`);
}

function parseLine<T>(schema: z.ZodType<T>, text: string): T | Failure {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return new Failure("this is not JSON");
  }
  const result = schema.safeParse(read);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return new Failure(`${issue!.path.join(".") || "the line"}: ${issue!.message}`);
}

const processSamplesIn = (
  looks: readonly ProcessLine[],
  atSeconds: number,
): readonly ProcessSample[] =>
  looks.slice(1).flatMap((now, index): readonly ProcessSample[] => {
    const before = looks[index]!;
    const us = now.atUs - before.atUs;
    if (now.gateway === null || before.gateway === null || us <= 0) return [];
    return [
      {
        fromS: atSeconds + before.atUs / 1e6,
        toS: atSeconds + now.atUs / 1e6,
        core: (now.gateway.cpuUs - before.gateway.cpuUs) / us,
        rssBytes: now.gateway.rssBytes,
      },
    ];
  });
