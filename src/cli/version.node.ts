import { readFileSync } from "node:fs";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";

/** Source and compiled output lie equally deep below the package's own file. */
export function versionOfWeir(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}

export const version: Action = ({ switches }, { out }) => {
  const weir = versionOfWeir();
  const { version: node, platform, arch } = process;
  out(
    switches.has("json") ? JSON.stringify({ weir, node, platform: `${platform}-${arch}` }) : weir,
  );
  return EXIT.passed;
};
