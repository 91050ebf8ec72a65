// Builds dist/ if src has changed since the last build. docs/decisions/029-dist-is-a-bundle.md has the reasons.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { digestOfSources, MADE_OF } from "../src/studies/queue/code.node.ts";

const ROOT = join(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");
const NEW = join(ROOT, ".dist.new");
const OLD = join(ROOT, ".dist.old");
const LICENCES = "third-party-licences.txt";
const BILL = "sbom.cdx.json";

function isMadeOf(digest: string): boolean {
  const file = join(DIST, MADE_OF);
  return existsSync(file) && readFileSync(file, "utf8") === digest;
}

async function make(digest: string): Promise<void> {
  const { bundle } = await import("./bundle.node.ts");
  const { billOfMaterials, licencesOf, packagesOf } = await import("./third-party.node.ts");
  const { writeTypes } = await import("./types.node.ts");
  const { fileOf } = await import("../src/show/page/part-files.node.ts");
  const { buildParts } = await import("../src/show/page/make-parts.node.ts");
  rmSync(NEW, { recursive: true, force: true });
  const modules = await bundle(ROOT, NEW);
  writeTypes(join(ROOT, "src"), join(NEW, "types"));
  const { buildSite } = await import("../src/show/site/build-site.node.ts");
  const { BUILT_SITE, encodeSite } = await import("../src/show/site/site-files.node.ts");
  const site = await buildSite(ROOT);
  mkdirSync(join(NEW, "show/site"), { recursive: true });
  writeFileSync(join(NEW, "show/site", BUILT_SITE), encodeSite(site.files));
  const { parts, modules: inPages } = await buildParts();
  const packages = packagesOf([...modules, ...site.modules, ...inPages]);
  writeFileSync(join(NEW, LICENCES), licencesOf(packages));
  writeFileSync(join(NEW, BILL), billOfMaterials(ROOT, packages));
  const page = join(NEW, "show/page");
  mkdirSync(page, { recursive: true });
  for (const part of ["script", "templates", "live"] as const)
    writeFileSync(fileOf(page, part), parts[part], { flag: "wx" });
  // npm does this when it links the command, which a later build replaces.
  chmodSync(join(NEW, "cli/weir.node.js"), 0o755);
  writeFileSync(join(NEW, MADE_OF), digest);
  // By renaming: a command that starts meanwhile finds a whole dist.
  rmSync(OLD, { recursive: true, force: true });
  if (existsSync(DIST)) renameSync(DIST, OLD);
  renameSync(NEW, DIST);
  rmSync(OLD, { recursive: true, force: true });
}

// Test workers build at the same time: one of them builds, the others wait. SQLite releases the lock of a killed process.
const lock = new DatabaseSync(join(ROOT, "node_modules/.weir-build"), { timeout: 300_000 });
lock.exec("BEGIN EXCLUSIVE");
const digest = digestOfSources(ROOT);
if (!isMadeOf(digest)) await make(digest);
lock.close();
