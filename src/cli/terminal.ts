// The output of a command. Results go to `out`, everything else to `err`, so that a pipe
// only receives results.
import type { Paint } from "../kit/reading/legible.ts";

export interface Terminal {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** A line that the next one replaces; nothing if the output is not a terminal. */
  readonly status: (line: string) => void;
  /** Whether a user sees the output: it is a terminal. */
  readonly isWatched: boolean;
  /** How wide a line may be; 80 where the output is no terminal. */
  readonly columns: number;
  /** The same of a table; any where the output is no terminal, so that a pipe gets one line for each row. */
  readonly tableColumns: number;
  readonly paint: Paint;
}

/** What a user has to know before trusting the results: to `err`, with its severity. */
export const warn = ({ err, paint }: Terminal, sentence: string): void =>
  err(paint("doubtful", `warning: ${sentence}`));

export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
