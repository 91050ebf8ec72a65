import { readFileSync } from "node:fs";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string }; // such as ">=22.19"
}

/** The same relative path works from source and from compiled output. */
const manifest = (): Manifest =>
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as Manifest;

export const versionOfWeir = (): string => manifest().version;

/** A sentence with the fix if this Node is too old for the commands. Use no syntax newer than ES2020 (weir.node.ts). */
export function tooOld(node: string, entry: string): string | null {
  const needed = manifest().engines.node.replace(">=", "");
  if (isAtLeast(node, needed)) return null;
  // npm and npx prefer the Node of node_modules to the machine's.
  const fix = entry.includes("/node_modules/")
    ? 'run "npm install node@24" in this project, and "npx weir" uses that Node'
    : 'run it through npm, as "npm run --silent weir -- COMMAND": that uses the Node of "npm ci"';
  return `Node ${needed} or newer is needed, and this is ${node}; ${fix}`;
}

/** Compares by hand, because a numeric collator takes longer to load than everything else here. */
function isAtLeast(version: string, needed: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, part] of needed.split(".").map(Number).entries()) {
    const own = index < parts.length ? parts[index]! : 0;
    if (own !== part) return own > part;
  }
  return true;
}

export const version: Action = ({ switches }, { out }) => {
  const weir = versionOfWeir();
  const { version: node, platform, arch } = process;
  out(
    switches.has("json") ? JSON.stringify({ weir, node, platform: `${platform}-${arch}` }) : weir,
  );
  return EXIT.passed;
};
