// How Weir is called where this process was started: a line that is printed to be copied has to work there.
import { shellWord } from "./shell-word.ts";

let start = "weir";

/** For the whole process: `weir`, `npx weir`, or what starts it in a clone. */
export function setStart(words: string): void {
  start = words;
}

/** `rest` is quoted already where it has to be. */
export const commandLine = (rest: string): string => `${start} ${rest}`;

export const commandOf = (args: readonly string[]): string =>
  commandLine(args.map(shellWord).join(" "));
