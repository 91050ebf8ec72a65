// Which words start Weir again from the folder and the environment of this process.
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, relative, resolve, sep } from "node:path";
import { shellWord } from "../kit/command-line.ts";

/** The npm scripts of Weir's own package that start a command. `npm run weir` replaces all of them. */
const OWN_SCRIPTS = ["weir", "start", "scenarios", "mutants"];

interface Started {
  readonly script: string; // process.argv[1]: for a link, the path of the link itself
  readonly root: string; // Weir's own folder
  readonly folder: string;
  readonly execPath: string; // path of this Node
  readonly env: NodeJS.ProcessEnv;
}

export function commandOfStart({ script, root, folder, execPath, env }: Started): string {
  const { npm_package_json: ofPackage, npm_lifecycle_event: event = "", PATH: path = "" } = env;
  const isOurs = ofPackage === join(root, "package.json");
  if (OWN_SCRIPTS.includes(event) && isOurs) return "npm run --silent weir --";
  const place = resolve(script);
  // npm adds these folders to the path of its child processes; the user's shell does not have them.
  if (`${place}${sep}`.includes(`${sep}node_modules${sep}`)) return "npx weir";
  // npx sets these variables for its child processes, and finds Weir only inside the clone.
  if (event === "npx" && isOurs && `${folder}${sep}`.startsWith(`${root}${sep}`)) return "npx weir";
  const folders = path.split(delimiter);
  if (folders.includes(dirname(place)) || !/\.[jt]s$/.test(place)) return "weir";
  const fromHere = relative(folder, place);
  return `${nodeWord(execPath, folders)} ${shellWord(fromHere.startsWith("..") ? place : fromHere)}`;
}

/** Another Node may be first in the path, and may be too old for Weir. */
function nodeWord(execPath: string, folders: readonly string[]): string {
  const first = folders.map((folder) => join(folder, "node")).find((file) => existsSync(file));
  const isThis = first !== undefined && realpathSync(first) === realpathSync(execPath);
  return isThis ? "node" : shellWord(execPath);
}
