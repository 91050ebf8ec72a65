// `npm run release -- --dry-run`: makes all that a release consists of from a commit, twice, each in a clone of its own.
// Nothing is kept unless both are the same bytes. It stops where something is missing that only a person can add.
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, isFailure } from "../src/kit/reading/failure.ts";
import { run } from "./run.node.ts";

const ROOT = join(import.meta.dirname, "..");
const RELEASE = "release";
const SUMS = "SHA256SUMS";
const CHANGES = "CHANGELOG.md";

interface Manifest {
  readonly version: string;
  readonly license?: string;
}

const manifestOf = (root: string): Manifest =>
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;

/** Why this commit is not released, before anything is made. */
export function findMissingChange(root: string): Failure | null {
  const changed = run(root, "git", "status", "--porcelain");
  if (isFailure(changed)) return changed;
  if (changed !== "")
    return new Failure(`a release is made of a commit; commit these files first:\n${changed}`);
  const { version } = manifestOf(root);
  const file = join(root, CHANGES);
  const changes = existsSync(file) ? readFileSync(file, "utf8") : "";
  return changes.split("\n").some((line) => line.startsWith(`## ${version}`))
    ? null
    : new Failure(`${CHANGES} has no section "## ${version}", the version of package.json; add it`);
}

/** Why what is made must not be published, or null. */
export function findMissingLicence(root: string): Failure | null {
  const { license = "UNLICENSED" } = manifestOf(root);
  if (license === "UNLICENSED")
    return new Failure(
      "package.json has the licence UNLICENSED: the owner of the project chooses one, and adds its text as LICENSE",
    );
  return existsSync(join(root, "LICENSE"))
    ? null
    : new Failure(`package.json has the licence ${license}, and there is no file LICENSE: add it`);
}

/** Clones the commit, installs its packages, and puts the files of a release into a folder of it. */
function make(commit: string, folder: string): string | Failure {
  const out = join(folder, RELEASE);
  const steps = [
    [ROOT, "git", "clone", "--quiet", ROOT, folder],
    [folder, "git", "checkout", "--quiet", "--detach", commit],
    [folder, "npm", "ci", "--prefer-offline", "--no-audit", "--no-fund"],
    [folder, "npm", "pack", "--silent", "--pack-destination", out],
    [folder, "npm", "run", "--silent", "one-file", "--", RELEASE],
  ] as const;
  for (const [at, program, ...args] of steps) {
    if (args[0] === "pack") mkdirSync(out);
    const done = run(at, program, ...args);
    if (isFailure(done)) return done;
  }
  const { version } = manifestOf(folder);
  copyFileSync(join(folder, "dist/sbom.cdx.json"), join(out, `weir-${version}.cdx.json`));
  return out;
}

/** The checksums of all files, in the format of sha256sum, or the first file that is not the same in both. */
export function sumsOfEqual(first: string, second: string): string | Failure {
  const names = readdirSync(first).toSorted();
  const others = readdirSync(second).toSorted();
  if (names.join() !== others.join())
    return new Failure(`one build made ${names.join(", ")}, and the other ${others.join(", ")}`);
  const lines: string[] = [];
  for (const name of names) {
    const contents = readFileSync(join(first, name));
    if (!contents.equals(readFileSync(join(second, name))))
      return new Failure(`two builds of the same commit differ in ${name}`);
    lines.push(`${createHash("sha256").update(contents).digest("hex")}  ${name}\n`);
  }
  return lines.join("");
}

function release(): Failure | null {
  if (process.argv.slice(2).join(" ") !== "--dry-run")
    return new Failure("add --dry-run: it makes everything, and publishes nothing");
  const target = join(ROOT, RELEASE);
  rmSync(target, { recursive: true, force: true });
  const missing = findMissingChange(ROOT);
  if (missing !== null) return missing;
  const commit = run(ROOT, "git", "rev-parse", "HEAD");
  if (isFailure(commit)) return commit;
  const folder = mkdtempSync(join(tmpdir(), "weir-release-"));
  try {
    const first = make(commit, join(folder, "first"));
    if (isFailure(first)) return first;
    const second = make(commit, join(folder, "second"));
    if (isFailure(second)) return second;
    const sums = sumsOfEqual(first, second);
    if (isFailure(sums)) return sums;
    cpSync(first, target, { recursive: true });
    writeFileSync(join(target, SUMS), sums);
    console.log(
      `${sums}two builds of ${commit.slice(0, 12)} are equal; all files are in ${target}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return findMissingLicence(ROOT);
}

if (import.meta.main) {
  const problem = release();
  if (problem !== null) {
    console.error(`release: ${problem.message}`);
    process.exitCode = 1;
  }
}
