import { readFileSync } from "node:fs";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string }; // ">=22.19"
}

/** Source and compiled output lie equally deep below the package's own file. */
const manifest = (): Manifest =>
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as Manifest;

export const versionOfWeir = (): string => manifest().version;

/** One sentence where this Node lacks what the commands need; all that runs before has to do without. */
export function tooOld(node: string): string | null {
  const needed = manifest().engines.node.replace(">=", "");
  return isAtLeast(node, needed) ? null : `Node ${needed} or newer is needed, and this is ${node}`;
}

/** By hand: a collator that knows numbers takes longer to load than everything else here. */
function isAtLeast(version: string, needed: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, part] of needed.split(".").map(Number).entries()) {
    const own = parts[index] ?? 0;
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
