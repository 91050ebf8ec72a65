// A wrong script for Redis: the original with one piece of its text replaced.
import { SCRIPT_TEXTS, type ScriptFile } from "../../limiter/store/lua/script.ts";

export interface ScriptMutant {
  readonly name: string;
  /** The error of the mutant, in one sentence. */
  readonly about: string;
  /** The requirements that it breaks. */
  readonly breaks: readonly string[];
  /** A file of src/limiter/store/lua, without its ending. */
  readonly file: ScriptFile;
  /** Occurs exactly once in the scripts of that file. */
  readonly text: string;
  readonly by: string;
}

/** Returns a function that rewrites a piece of a script. Throws if the text is not in the file exactly once. */
export function rewriterOf({ name, file, text, by }: ScriptMutant): (piece: string) => string {
  const pieces: readonly string[] = SCRIPT_TEXTS[file];
  const times = pieces.reduce((sum, piece) => sum + piece.split(text).length - 1, 0);
  if (times !== 1)
    throw new Error(
      `${name}: "${text.trim()}" occurs ${times} times in src/limiter/store/lua/${file}.ts; it has to occur once`,
    );
  return (piece) => (pieces.includes(piece) ? piece.replace(text, () => by) : piece);
}
