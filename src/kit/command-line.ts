// How Weir is called where this process was started: a line that is printed to be copied has to work there.

let start = "weir";

/** For the whole process: `weir`, `npx weir`, or what starts it in a clone. */
export function setStart(words: string): void {
  start = words;
}

/** `rest` is quoted already where it has to be. */
export const commandLine = (rest: string): string => `${start} ${rest}`;

export const commandOf = (args: readonly string[]): string =>
  commandLine(args.map(shellWord).join(" "));

/** One word of a line that a shell understands. */
export const shellWord = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
