// Replays the generated log against many limits. Prints millions of lines for a second of processor time; by wall-clock time
// where several threads work: of a packed log the library unpacks in one of its own.
import { join } from "node:path";
import type { Algorithm } from "../../src/limiter/core/algorithms.ts";
import { micros } from "../../src/kit/units.ts";
import { requireValue } from "../../src/kit/reading/failure.ts";
import type { Candidate } from "../../src/studies/replay/candidates.ts";
import { FORMATS } from "../../src/studies/replay/formats.ts";
import { NameTable } from "../../src/studies/replay/names.ts";
import { replayLogs } from "../../src/studies/replay/replay-logs.node.ts";
import { parseKey } from "../../src/studies/replay/selectors.ts";
import { formatOfText } from "../../src/studies/replay/text-formats.ts";
import { DEFAULT_OPTIONS } from "../../src/limiter/world/options.ts";
import { printValue, processorMs, readInput } from "../program.node.ts";
import { LOG_FORMAT } from "./lines.ts";

interface Input {
  readonly folder: string;
  readonly candidates: number;
  readonly stamps: "milliseconds" | "seconds";
  readonly file?: string; // packed
  readonly threads?: number; // left out: one
}

const ALGORITHMS: readonly Algorithm[] = [
  "token_bucket",
  "fixed_window",
  "sliding_window_counter",
  "sliding_log",
  "gcra",
];

const candidateAt = (index: number): Candidate => {
  const algorithm = ALGORITHMS[index % ALGORITHMS.length]!;
  return {
    kind: "limit",
    limit: { rate: 10 + 7 * Math.floor(index / ALGORITHMS.length), perUs: micros(60_000_000) },
    by: { kind: "algorithm", name: algorithm },
    options: { ...DEFAULT_OPTIONS, algorithm, burst: 10 },
  };
};

const { folder, candidates, stamps, file, threads } = readInput() as Input;
const name = join(folder, file ?? "access.log");
const nowMs = (): number =>
  file === undefined && threads === undefined ? processorMs() : performance.now();
let lines = 0;
const startMs = nowMs();
const outcome = requireValue(
  await replayLogs(
    [{ name, isFromFolder: false }],
    {
      candidates: Array.from({ length: candidates }, (_, index) => candidateAt(index)),
      key: requireValue(parseKey("ip")),
      conditions: [],
      clients: new NameTable(),
      targets: null,
      format:
        stamps === "seconds"
          ? FORMATS.find((format) => format.name === "combined")!
          : requireValue(formatOfText(LOG_FORMAT)),
      seed: 1,
      retries: null,
    },
    {
      isStopped: () => false,
      stop: new Promise<"stop">(() => {}),
      report: (count) => (lines = count),
    },
    null,
    { threads: threads ?? 1 },
  ),
);
const { replay, files } = outcome;
if (files[0]!.requests !== lines || replay.requests !== lines)
  throw new Error(`${replay.requests} of ${lines} lines are requests`);
printValue(lines / (nowMs() - startMs) / 1000);
