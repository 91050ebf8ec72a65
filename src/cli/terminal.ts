// What a command may say, and where. Results go to `out`, everything else to `err`, so that a pipe
// only ever sees results.

export type Tone = "good" | "bad" | "doubtful" | "faint" | "strong";

export interface Terminal {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** A line that the next one replaces; nothing where nobody watches. */
  readonly status: (line: string) => void;
  /** Somebody sits before it. */
  readonly isWatched: boolean;
  readonly paint: (tone: Tone, text: string) => string;
}
