import { styleText } from "node:util";
import { EXIT } from "./exit.ts";
import type { Terminal, Tone } from "./terminal.ts";

const STYLES = {
  good: "green",
  bad: "red",
  doubtful: "yellow",
  faint: "dim",
  strong: "bold",
} as const satisfies Record<Tone, string>;

/** NO_COLOR counts when it is not empty; FORCE_COLOR paints into a pipe. The option is the last word. */
export function isColoured(args: readonly string[]): boolean {
  const { NO_COLOR: no = "", FORCE_COLOR: force = "", TERM: term } = process.env;
  if (args.includes("--no-color") || no !== "") return false;
  return force === "" ? process.stdout.isTTY && term !== "dumb" : force !== "0";
}

const CLEARED = "\r\u001B[2K";

export function terminal(coloured: boolean): Terminal {
  // Whoever reads us may leave early (`weir list | head`): there is nobody left to tell.
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(EXIT.interrupted);
      throw error;
    });
  const { CI: ci, TERM: term } = process.env;
  const isWatched =
    process.stderr.isTTY && process.stdout.isTTY && ci === undefined && term !== "dumb";
  let hasStatus = false;
  const line = (stream: NodeJS.WriteStream, text: string): void => {
    if (hasStatus) process.stderr.write(CLEARED);
    hasStatus = false;
    stream.write(`${text}\n`);
  };
  return {
    out: (text) => line(process.stdout, text),
    err: (text) => line(process.stderr, text),
    status: (text) => {
      if (!isWatched) return;
      process.stderr.write(`${CLEARED}${text.slice(0, process.stderr.columns - 1)}`);
      hasStatus = true;
    },
    isWatched,
    paint: (tone, text) =>
      coloured ? styleText(STYLES[tone], text, { validateStream: false }) : text,
  };
}
