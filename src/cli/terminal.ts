// The output of a command. Results go to `out` and everything else to `err`, so that a pipe receives only results.
import { oneLine, type Paint } from "../kit/reading/legible.ts";

export interface Terminal {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Shows a line that the next one replaces; does nothing if the output is not a terminal. */
  readonly status: (line: string) => void;
  /** Whether the output is a terminal, so that a user can follow the progress. */
  readonly isWatched: boolean;
  /** The maximum width of a line; 80 if the output is not a terminal. */
  readonly columns: number;
  /** The maximum width of a table; unlimited if the output is not a terminal, so that each row is one line. */
  readonly tableColumns: number;
  readonly paint: Paint;
}

/** "FILE:LINE:COL error CODE", or "FILE error CODE" for a whole file. */
const PLACED = / (?:error|warning) [A-Z]+(?:-[A-Z0-9]+)+ /;

/** Writes why a command stops: `weir COMMAND: problem`. An error in a file begins with its place there. */
export function reportProblems(
  { err }: Pick<Terminal, "err">,
  command: string,
  problems: readonly string[],
): void {
  for (const problem of problems)
    err(oneLine(PLACED.test(problem) ? problem : `weir ${command}: ${problem}`));
}

/** Writes to `err`, as a warning, what a user has to know before trusting the results. */
export const warn = ({ err, paint }: Terminal, sentence: string): void =>
  err(paint("doubtful", `warning: ${sentence}`));
