// Identifies the code that computes pieces. Machines with the same code on the same Node give the same results.
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The root of the package: the same relative path leads there from source and from compiled output. */
const ROOT = join(import.meta.dirname, "../../..");

/** The file in dist with the digest of the sources that dist was built from. */
export const MADE_OF = "made-of";

export interface SweepCode {
  readonly digest: string;
  /** A name for readers: a commit is easier to check out than a digest. */
  readonly name: string;
}

/** The digest of all sources. Installed packages are covered by package-lock.json. */
export function digestOfSources(root: string): string {
  const hash = createHash("sha256");
  const files = globSync(
    [
      "src/**/*.{ts,json}",
      "build/*.ts",
      "package.json",
      "package-lock.json",
      // The next files are content of the site, which links to scenarios and shows saved results.
      "scenarios/**/*.yaml",
      "docs/**/*.{md,svg,png,txt}",
      "src/lab/implementations/*/manifest.yaml",
      "test/studies/mutants/**/*.ts",
      "reports/{implementations,worst}/**/*.json",
      "*.md",
    ],
    { cwd: root },
  );
  for (const file of files.toSorted())
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

/** The folder of a build of the present sources; null: there is none. */
export function buildOf(root: string): string | null {
  const folder = join(root, "dist");
  const file = join(folder, MADE_OF);
  const isFresh = existsSync(file) && readFileSync(file, "utf8") === digestOfSources(root);
  return isFresh ? folder : null;
}

let own: string | null | undefined;

/** The same of the running code, read once in a process. */
export function ownBuild(): string | null {
  if (own === undefined) own = buildOf(ROOT);
  return own;
}

/** Identifies the running code. `version`, a commit or the version of an installation, is part of the name. */
export function codeOf(version: string): SweepCode {
  const built = join(import.meta.dirname, "../..", MADE_OF);
  const sources = existsSync(built) ? readFileSync(built, "utf8") : digestOfSources(ROOT);
  const node = process.version;
  const digest = createHash("sha256").update(`${sources} ${node}`).digest("hex").slice(0, 16);
  return { digest, name: `${version} (sources ${sources.slice(0, 8)}) on Node ${node.slice(1)}` };
}
