// What a command may say, and where. Results go to `out`, everything else to `err`, so that a pipe
// only ever sees results.
import type { Paint } from "../report/result-text.ts";

export interface Terminal {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** A line that the next one replaces; nothing where nobody watches. */
  readonly status: (line: string) => void;
  /** Somebody sits before it. */
  readonly isWatched: boolean;
  /** How wide a line may be; 80 where the output is no terminal. */
  readonly columns: number;
  readonly paint: Paint;
}
