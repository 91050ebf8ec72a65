// Which words start Weir from the folder and the environment that this process has.
import { dirname, join, relative, resolve, sep } from "node:path";

/** npm scripts of Weir's own package that start the command: `npm run weir` takes the place of all of them. */
const OWN_SCRIPTS = ["weir", "start", "scenarios", "mutants"];

interface Started {
  readonly script: string; // process.argv[1]: of a link its own place, not what it leads to
  readonly root: string; // Weir's own folder
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

export function commandOfStart({ script, root, folder, env }: Started): string {
  const { npm_package_json: ofPackage, npm_lifecycle_event: event = "", PATH: path = "" } = env;
  if (OWN_SCRIPTS.includes(event) && ofPackage === join(root, "package.json"))
    return "npm run --silent weir --";
  const place = resolve(script);
  // npm puts these folders into the path of what it starts, and the shell that the line is copied to lacks them.
  if (`${place}${sep}`.includes(`${sep}node_modules${sep}`)) return "npx weir";
  if (path.split(process.platform === "win32" ? ";" : ":").includes(dirname(place))) return "weir";
  const fromHere = relative(folder, place);
  return fromHere.startsWith("..") || !/\.[jt]s$/.test(fromHere) ? "weir" : `node ${fromHere}`;
}
