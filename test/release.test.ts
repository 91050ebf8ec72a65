// `npm run release -- --dry-run`, in parts: the whole of it installs all packages twice, which the nightly run does.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findMissingChange, findMissingLicence, sumsOfEqual } from "../build/release.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { folderWith } from "./cli/weir.ts";

const root = join(import.meta.dirname, "..");

const manifest = (license?: string): string => JSON.stringify({ version: "9.9.9", license });

test.each([
  [undefined, [], /UNLICENSED: the owner of the project chooses one, .* LICENSE$/],
  ["UNLICENSED", ["LICENSE"], /UNLICENSED: the owner/],
  ["MIT", [], /has the licence MIT, and there is no file LICENSE: add it$/],
])("a package with the licence %s and the files %j is not released", (license, files, why) => {
  const texts = Object.fromEntries(files.map((name) => [name, "text"]));
  const folder = folderWith({ "package.json": manifest(license), ...texts });
  expect(findMissingLicence(folder)?.message).toMatch(why);
});

test("a package with a licence and its text is released", () => {
  const folder = folderWith({ "package.json": manifest("MIT"), LICENSE: "text" });
  expect(findMissingLicence(folder)).toBeNull();
});

test("a release is made of a commit whose version has its changes", () => {
  const folder = folderWith({ "package.json": manifest("MIT"), "CHANGELOG.md": "## 9.9.8\n" });
  const git = (...args: readonly string[]): unknown =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: folder });
  expect(findMissingChange(folder)?.message).toMatch(/^git status --porcelain fails in /);
  git("init", "--quiet");
  expect(findMissingChange(folder)?.message).toMatch(/commit these files first:\n.*CHANGELOG\.md/);
  git("add", ".");
  git("commit", "--quiet", "-m", "all");
  expect(findMissingChange(folder)?.message).toMatch(/^CHANGELOG\.md has no section "## 9\.9\.9"/);
  writeFileSync(join(folder, "CHANGELOG.md"), "## 9.9.9, 2030-01-01\n");
  git("commit", "--quiet", "--all", "-m", "changes");
  expect(findMissingChange(folder)).toBeNull();
});

test("two builds are released with their checksums if they are the same bytes", () => {
  const folder = folderWith({ "one/b.json": "{}", "one/a.tgz": "a", "two/a.tgz": "a" });
  const [one, two] = [join(folder, "one"), join(folder, "two")];
  expect(sumsOfEqual(one, two)).toMatchObject({
    message: "one build made a.tgz, b.json, and the other a.tgz",
  });
  writeFileSync(join(two, "b.json"), "[]");
  expect(sumsOfEqual(one, two)).toMatchObject({
    message: "two builds of the same commit differ in b.json",
  });
  writeFileSync(join(two, "b.json"), "{}");
  const sums = requireValue(sumsOfEqual(one, two));
  writeFileSync(join(folder, "SHA256SUMS"), sums);
  const checked = execFileSync("sha256sum", ["--check", "../SHA256SUMS"], { cwd: one });
  expect(String(checked)).toBe("a.tgz: OK\nb.json: OK\n");
});

test("this version has its changes", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly version: string;
  };
  expect(readFileSync(join(root, "CHANGELOG.md"), "utf8")).toContain(`\n## ${version}`);
});
