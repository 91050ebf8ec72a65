// Finds the command that starts Weir in the user's folder and environment, for commands in messages.
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, relative, resolve, sep } from "node:path";
import { shellWord } from "../kit/command-line.ts";

/** Weir's own npm scripts that start a command. Each can be replaced by `npm run weir`, which takes any command. */
const OWN_SCRIPTS = ["weir", "start", "poststart", "scenarios", "mutants"];

interface Started {
  readonly script: string; // process.argv[1]; if this is a link, not resolved
  readonly root: string; // Weir's own folder
  readonly folder: string;
  readonly execPath: string; // path of the running Node executable
  readonly env: NodeJS.ProcessEnv;
}

export function commandOfStart({ script, root, folder, execPath, env }: Started): string {
  const { npm_package_json: ofPackage, npm_lifecycle_event: event = "", PATH: path = "" } = env;
  const isOurs = ofPackage === join(root, "package.json");
  if (OWN_SCRIPTS.includes(event) && isOurs) return "npm run --silent weir --";
  const place = resolve(script);
  // npm adds node_modules/.bin to PATH only for its child processes, so the user's shell needs npx.
  if (`${place}${sep}`.includes(`${sep}node_modules${sep}`)) return "npx weir";
  // `npx weir` works only inside the clone; npx sets both npm_ variables for its child processes.
  if (event === "npx" && isOurs && `${folder}${sep}`.startsWith(`${root}${sep}`)) return "npx weir";
  const folders = path.split(delimiter);
  if (folders.includes(dirname(place)) || !/\.[jt]s$/.test(place)) return "weir";
  const fromHere = relative(folder, place);
  return `${nodeWord(execPath, folders)} ${shellWord(fromHere.startsWith("..") ? place : fromHere)}`;
}

/** Returns `node`, or the full path if PATH has a different Node first, which may be too old for Weir. */
function nodeWord(execPath: string, folders: readonly string[]): string {
  const first = folders.map((folder) => join(folder, "node")).find((file) => existsSync(file));
  const isThis = first !== undefined && realpathSync(first) === realpathSync(execPath);
  return isThis ? "node" : shellWord(execPath);
}
