// Checks whether a run fits into memory before it starts, so that it does not run out of memory after a minute.
import type { RunSize } from "../lab/scenario/plan/size.ts";
import { many, oneLine } from "../kit/reading/legible.ts";

interface SizedFile extends RunSize {
  readonly file: string;
}

/** The fewest requests for which a run is announced. Runs with fewer take too little time to need it. */
const WORTH_A_WORD = 1_000_000;

/**
 * An error if the `players` largest files, running at the same time, do not fit into `memory` (bytes), else null. A memory
 * of 0 is unknown: Node reports it where there is no /proc.
 */
export function tooLarge(
  files: readonly SizedFile[],
  players: number,
  memory: number,
): string | null {
  const largest = files.toSorted((a, b) => b.bytes - a.bytes).slice(0, Math.max(1, players));
  const together = largest.reduce((sum, { bytes }) => sum + bytes, 0);
  const [first] = largest;
  if (first === undefined || memory === 0 || together <= memory) return null;
  return oneLine(
    `${sizeText(first)} of memory, and ${gigabytes(memory)} are free; send less (lower the burst or the rate, or shorten the flow), or split the scenario`,
  );
}

/** Lines that announce the runs with many requests, which take long. */
export const largeRuns = (files: readonly SizedFile[]): readonly string[] =>
  files
    .filter(({ requests }) => requests >= WORTH_A_WORD)
    .map((file) => oneLine(`${sizeText(file)} of memory`));

const sizeText = ({ file, requests, variants, bytes }: SizedFile): string =>
  `${file}: ${requests.toLocaleString("en-US")} requests in ${many(variants, "variant")} take at least ${gigabytes(bytes)}`;

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
