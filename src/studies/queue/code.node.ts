// What computes the pieces: two machines give the same results if they run the same code on the same Node.
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** From source and from compiled output the relative path is the same. */
const ROOT = join(import.meta.dirname, "../../..");

/** In dist: the digest of the sources of dist. */
export const MADE_OF = "made-of";

export interface SweepCode {
  readonly digest: string;
  /** For a reader: a commit is easier to check out than a digest. */
  readonly name: string;
}

/** Installed packages are part of it by package-lock.json. */
export function digestOfSources(root: string): string {
  const hash = createHash("sha256");
  const files = globSync(
    [
      "src/**/*.{ts,json}",
      "build/*.ts",
      "package.json",
      "package-lock.json",
      // Of the site, which links to scenarios and shows saved results.
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

/** `version` is for its name: the commit, or the version of an installation. */
export function codeOf(version: string): SweepCode {
  const built = join(import.meta.dirname, "../..", MADE_OF);
  const sources = existsSync(built) ? readFileSync(built, "utf8") : digestOfSources(ROOT);
  const node = process.version;
  const digest = createHash("sha256").update(`${sources} ${node}`).digest("hex").slice(0, 16);
  return { digest, name: `${version} (sources ${sources.slice(0, 8)}) on Node ${node.slice(1)}` };
}
