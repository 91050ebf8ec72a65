// Many inputs against one gateway, with a lane for each of those that run at a time.
import { arena, type Counts } from "./arena.ts";
import { inputOf } from "./inputs.ts";
import { readStrictly } from "./strict-reader.ts";

export interface FuzzOptions {
  readonly seed: number;
  readonly from: number;
  readonly inputs: number;
  readonly lanes: number;
  readonly progress?: (done: number) => void;
}

export interface Fuzzed {
  readonly failures: readonly string[]; // each with how to repeat it
  readonly counts: Counts;
}

const ENOUGH = 10;
const STEP = 10_000;

export async function fuzz({ seed, from, inputs, lanes, progress }: FuzzOptions): Promise<Fuzzed> {
  // Most inputs are an error of some parser: its stack trace is never read, and takes a third of the time.
  const traced = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const { play, lane, late, counts, stop } = await arena();
  const failures: string[] = [];
  let next = from;
  let done = 0;
  const run = async (): Promise<void> => {
    const own = lane();
    let before: number[] = []; // on this connection
    while (next < from + inputs && failures.length < ENOUGH) {
      const index = next++;
      const input = inputOf(seed, index);
      const { wrong, statuses } = await play(own, input, index);
      before.push(index);
      if (wrong !== null) {
        const { requests, end, why } = readStrictly(input.text);
        failures.push(
          [
            `input ${index}: ${wrong}`,
            `  bytes    ${JSON.stringify(input.text)}, cut at ${JSON.stringify(input.cuts)}`,
            `  strictly ${requests.map(({ method, target }) => `${method} ${target}`).join(", ") || "nothing"}, then ${end}${why === null ? "" : ` (${why})`}`,
            `  answers  ${statuses.join(" ") || "none"}`,
            `  again    npm run fuzz -- --seed ${seed} --from ${index} --inputs 1 (before it on this connection: ${before.slice(0, -1).join(", ") || "none"})`,
          ].join("\n"),
        );
      }
      if (own.connection === null) before = [];
      if (++done % STEP === 0) progress?.(done);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, lanes) }, run));
  await stop();
  Error.stackTraceLimit = traced;
  return { failures: [...failures, ...late().slice(0, ENOUGH)], counts };
}
