// Whether a run fits into memory is checked before it starts, so that it does not fail after a minute.
import type { RunSize } from "../lab/scenario/plan/size.ts";
import { many, oneLine } from "../kit/reading/legible.ts";

interface SizedFile extends RunSize {
  readonly file: string;
}

/** Requests of a run that is announced: smaller runs end too soon. */
const WORTH_A_WORD = 1_000_000;

/** `players` files run at the same time. A sentence if together they do not fit into `memory`, else null. */
export function tooLarge(
  files: readonly SizedFile[],
  players: number,
  memory: number,
): string | null {
  const largest = files.toSorted((a, b) => b.bytes - a.bytes).slice(0, Math.max(1, players));
  const together = largest.reduce((sum, { bytes }) => sum + bytes, 0);
  const [first] = largest;
  if (first === undefined || together <= memory) return null;
  return oneLine(
    `${sizeText(first)} of memory, and ${gigabytes(memory)} are free; send less (lower the burst or the rate, or shorten the flow), or split the scenario`,
  );
}

/** Announces runs that take long. */
export const largeRuns = (files: readonly SizedFile[]): readonly string[] =>
  files
    .filter(({ requests }) => requests >= WORTH_A_WORD)
    .map((file) => oneLine(`${sizeText(file)} of memory`));

const sizeText = ({ file, requests, variants, bytes }: SizedFile): string =>
  `${file}: ${requests.toLocaleString("en-US")} requests in ${many(variants, "variant")} take at least ${gigabytes(bytes)}`;

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
