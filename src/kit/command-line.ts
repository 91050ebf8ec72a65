// How the user has started Weir, so that printed commands work when they are copied.

let start = "weir";

/** Sets the start of printed commands for this process: `weir`, `npx weir`, or the command of a clone. */
export function setStart(words: string): void {
  start = words;
}

/** A command to print: how Weir was started, then `rest`, which the caller has quoted for a shell. */
export const commandLine = (rest: string): string => `${start} ${rest}`;

export const commandOf = (args: readonly string[]): string =>
  commandLine(args.map(shellWord).join(" "));

/** Quotes a word for a shell, if the word needs it. */
export const shellWord = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
