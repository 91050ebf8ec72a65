// Which words start Weir from the folder and the environment that this process has.
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, relative, resolve, sep } from "node:path";
import { shellWord } from "../kit/command-line.ts";

/** npm scripts of Weir's own package that start the command: `npm run weir` takes the place of all of them. */
const OWN_SCRIPTS = ["weir", "start", "scenarios", "mutants"];

interface Started {
  readonly script: string; // process.argv[1]: of a link its own place, not what it leads to
  readonly root: string; // Weir's own folder
  readonly folder: string;
  readonly execPath: string; // of this Node
  readonly env: NodeJS.ProcessEnv;
}

export function commandOfStart({ script, root, folder, execPath, env }: Started): string {
  const { npm_package_json: ofPackage, npm_lifecycle_event: event = "", PATH: path = "" } = env;
  const isOurs = ofPackage === join(root, "package.json");
  if (OWN_SCRIPTS.includes(event) && isOurs) return "npm run --silent weir --";
  const place = resolve(script);
  // npm puts these folders into the path of what it starts, and the shell that the line is copied to lacks them.
  if (`${place}${sep}`.includes(`${sep}node_modules${sep}`)) return "npx weir";
  // It sets these for all that it starts, and finds Weir only in the clone.
  if (event === "npx" && isOurs && `${folder}${sep}`.startsWith(`${root}${sep}`)) return "npx weir";
  const folders = path.split(delimiter);
  if (folders.includes(dirname(place)) || !/\.[jt]s$/.test(place)) return "weir";
  const fromHere = relative(folder, place);
  return `${nodeWord(execPath, folders)} ${shellWord(fromHere.startsWith("..") ? place : fromHere)}`;
}

/** The first Node of the path may be an older one, which cannot run Weir. */
function nodeWord(execPath: string, folders: readonly string[]): string {
  const first = folders.map((folder) => join(folder, "node")).find((file) => existsSync(file));
  const isThis = first !== undefined && realpathSync(first) === realpathSync(execPath);
  return isThis ? "node" : shellWord(execPath);
}
