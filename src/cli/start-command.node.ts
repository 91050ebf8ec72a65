// Finds the command that starts Weir in the user's folder and environment, for commands in messages.
import { existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join, relative, resolve, sep } from "node:path";
import { shellWord } from "../kit/command-line.ts";

/** Weir's own npm scripts that start a command. Each can be replaced by `npm run weir`, which takes any command. */
const OWN_SCRIPTS = ["weir", "start", "poststart", "scenarios", "mutants"];

interface Started {
  readonly script: string; // process.argv[1]; if this is a link, not resolved
  readonly isOneFile?: boolean; // a single executable, which is its own Node
  readonly root: string; // Weir's own folder
  readonly folder: string;
  readonly execPath: string; // path of the running Node executable
  readonly env: NodeJS.ProcessEnv;
}

export function commandOfStart(started: Started): string {
  const { script, root, folder, execPath, env } = started;
  const { npm_package_json: ofPackage, npm_lifecycle_event: event = "", PATH: path = "" } = env;
  if (started.isOneFile === true) return wordOf(execPath, folder, path.split(delimiter));
  const isOurs = ofPackage === join(root, "package.json");
  if (OWN_SCRIPTS.includes(event) && isOurs) return OF_CLONE;
  const place = resolve(script);
  // npm adds node_modules/.bin to PATH only for its child processes, so the user's shell needs npx.
  if (`${place}${sep}`.includes(`${sep}node_modules${sep}`)) return "npx weir";
  // `npx weir` works only inside the clone; npx sets both npm_ variables for its child processes.
  if (event === "npx" && isOurs && `${folder}${sep}`.startsWith(`${root}${sep}`)) return "npx weir";
  const folders = path.split(delimiter);
  if (folders.includes(dirname(place)) || !/\.[jt]s$/.test(place)) return "weir";
  const node = nodeWord(execPath, folder, folders);
  // npm starts the clone by the same Node, and its words are shorter than a path of that.
  if (node === NODE_OF_FOLDER && folder === root && place === join(root, SOURCE)) return OF_CLONE;
  const fromHere = relative(folder, place);
  return `${node} ${shellWord(fromHere.startsWith("..") ? place : fromHere)}`;
}

/** An executable by its name if PATH has it, else by its path. */
function wordOf(file: string, folder: string, folders: readonly string[]): string {
  if (folders.includes(dirname(file))) return shellWord(basename(file));
  const fromHere = relative(folder, file);
  return shellWord(fromHere.startsWith("..") ? file : `./${fromHere}`);
}

const OF_CLONE = "npm run --silent weir --";
const SOURCE = "src/cli/weir.node.ts";
const NODE_OF_FOLDER = "node_modules/.bin/node";

/**
 * Returns `node`, or a path if PATH has a different Node first, which may be too old for Weir: of this folder if it has
 * the running one, else the full path.
 */
function nodeWord(execPath: string, folder: string, folders: readonly string[]): string {
  const isThis = (file: string): boolean => realpathSync(file) === realpathSync(execPath);
  const first = folders.map((each) => join(each, "node")).find((file) => existsSync(file));
  if (first !== undefined && isThis(first)) return "node";
  const own = join(folder, NODE_OF_FOLDER);
  return existsSync(own) && isThis(own) ? NODE_OF_FOLDER : shellWord(execPath);
}
