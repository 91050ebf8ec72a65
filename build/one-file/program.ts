// A single executable is the Node of its own processes. They start it as they start any Node: flags, a program, arguments.

/** The names of what an executable contains. */
export const TARBALL = "weir.tgz";
export const DIGEST = "digest";

export interface Program {
  readonly imports: readonly string[]; // modules that are loaded before it
  readonly file: string;
  readonly args: readonly string[];
}

const IMPORT = "--import";

/** The program that these arguments of Node name; null: they are those of Weir, whose commands have no such ending. */
export function programOf(args: readonly string[]): Program | null {
  const imports: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (word === IMPORT) imports.push(args[++at] ?? "");
    else if (!word.startsWith("--"))
      return /\.[cm]?js$/.test(word) ? { imports, file: word, args: args.slice(at + 1) } : null;
  }
  return null;
}
