// The licences of packages whose code is in dist: an installation has no other copy of them.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Each package with its version and licence, then the text of the licence. */
export function licencesOf(modules: Iterable<string>): string {
  const folders = new Set([...modules].flatMap(folderOf));
  return [...folders].toSorted().map(licenceText).join("\n");
}

function folderOf(module: string): readonly string[] {
  const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(module) ?? [];
  return folder === undefined ? [] : [folder];
}

function licenceText(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Manifest;
  const [file] = globSync("{LICENSE,LICENCE,License,license,licence}*", { cwd: folder }).toSorted();
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim();
  return `${name}@${version} (${license ?? "no licence"})\n\n${text}\n`;
}
