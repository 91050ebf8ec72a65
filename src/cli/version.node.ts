import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string }; // such as ">=22.19"
}

/** Reads package.json. The relative path is the same from the source folder and from the compiled one. */
const manifest = (): Manifest =>
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as Manifest;

export const versionOfWeir = (): string => manifest().version;

/** Returns a problem with its fix if this Node is too old for Weir. Use only ES2020 syntax here (weir.node.ts). */
export function tooOld(node: string, entry: string): string | null {
  const needed = manifest().engines.node.replace(">=", "");
  if (isAtLeast(node, needed)) return null;
  // npm and npx run a Node that is installed in node_modules before the machine's own.
  const fix = entry.includes("/node_modules/")
    ? 'run "npm install node@24" in this project, and "npx weir" uses that Node'
    : 'run it through npm, as "npm run --silent weir -- COMMAND": that uses the Node of "npm ci"';
  return `Node ${needed} or newer is needed, and this is ${node}; ${fix}`;
}

/** Compares part by part, because loading an `Intl.Collator` takes longer than everything else in this module. */
function isAtLeast(version: string, needed: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, part] of needed.split(".").map(Number).entries()) {
    const own = index < parts.length ? parts[index]! : 0;
    if (own !== part) return own > part;
  }
  return true;
}

interface Bill {
  readonly components: readonly { readonly purl: string }[];
}

/** The bill of materials of a build, and the packages on it. Nothing is bundled where Weir runs from source. */
function readBill(): { readonly sbom: string | null; readonly packages: readonly string[] } {
  const sbom = fileURLToPath(new URL("../sbom.cdx.json", import.meta.url));
  if (!existsSync(sbom)) return { sbom: null, packages: [] };
  const { components } = JSON.parse(readFileSync(sbom, "utf8")) as Bill;
  return { sbom, packages: components.map(({ purl }) => purl) };
}

export const version: Action = ({ switches }, { out }) => {
  const weir = versionOfWeir();
  const { version: node, platform, arch } = process;
  out(
    switches.has("json")
      ? JSON.stringify({ weir, node, platform: `${platform}-${arch}`, ...readBill() })
      : weir,
  );
  return EXIT.passed;
};
