// How the user has started Weir, so that printed commands work when they are copied.

let start = "weir";

/** Sets the start of printed commands for this process: `weir`, `npx weir`, or the command of a clone. */
export function setStart(words: string): void {
  start = words;
}

let packages = "";

/** A single executable finds packages of users only above the folder that it has unpacked itself into. */
export function setPackageFolder(folder: string): void {
  packages = `--prefix ${shellWord(folder)} `;
}

/** The command that installs a package where Weir finds it. */
export const installLine = (name: string): string => `npm i ${packages}${name}`;

/** A command to print: how Weir was started, then `rest`, which the caller has quoted for a shell. */
export const commandLine = (rest: string): string => `${start} ${rest}`;

const wordsOf = (args: readonly string[]): string => args.map(shellWord).join(" ");

export const commandOf = (args: readonly string[]): string => commandLine(wordsOf(args));

/** The same for pages and documents, which are read on other machines: it does not depend on how Weir was started. */
export const portableLine = (rest: string): string => `weir ${rest}`;

export const portableCommand = (args: readonly string[]): string => portableLine(wordsOf(args));

/** A portable command as it is typed here. */
export const localCommand = (command: string): string => commandLine(command.replace(/^weir /, ""));

/** Quotes a word for a shell, if the word needs it. */
export const shellWord = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
