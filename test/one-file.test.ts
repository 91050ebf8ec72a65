// The single executable in parts. `npm run shipped` starts the real one, where there is no Node.
import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkNode, NODES } from "../build/one-file/make.node.ts";
import { programOf } from "../build/one-file/program.ts";
import { filesOf, homeOf, IMPORTER, unpack } from "../build/one-file/unpack.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { folderWith } from "./cli/weir.ts";

const uid = process.getuid?.() ?? 0;

/** A tarball as npm packs it: without folders, in the format of 1988. */
function packTexts(texts: Readonly<Record<string, string>>, ...flags: readonly string[]): Buffer {
  const inside = Object.entries(texts).map(([name, text]) => [`package/${name}`, text]);
  const folder = folderWith(Object.fromEntries(inside) as Record<string, string>);
  const names = inside.map(([name]) => name!);
  const args = ["--create", "--gzip", "--format=ustar", ...flags, ...names];
  return spawnSync("tar", args, { cwd: folder }).stdout;
}

const LONG = `${"a".repeat(80)}/${"b".repeat(60)}.js`;

test("an executable unpacks the files that npm has packed", () => {
  const texts = { "package.json": "{}", "dist/x.js": "x".repeat(512), [LONG]: "" };
  const files = [...filesOf(packTexts(texts))].map(([name, text]) => [name, String(text)]);
  expect(Object.fromEntries(files)).toEqual(texts);
});

test("a tarball with anything but files is not made into an executable", () => {
  const folder = folderWith({ "package/a": "" });
  const { stdout } = spawnSync("tar", ["--create", "--gzip", "package"], { cwd: folder });
  expect(() => filesOf(stdout)).toThrow('the tarball has "package/" of type "5"');
  expect(() => filesOf(packTexts({ a: "" }, "--transform=s,package,other,"))).toThrow("other/a");
});

test("it unpacks once for each digest, whole or not at all", () => {
  const home = join(folderWith({ file: "" }), "new/home");
  const user = { env: { WEIR_UNPACKED: home }, uid };
  let read = 0;
  const tarball = (): Buffer => (read++, packTexts({ "a/b.js": "1" }));
  const folder = requireValue(unpack(tarball, "1-ab", user));
  expect(folder).toBe(join(home, "1-ab"));
  expect(unpack(tarball, "1-ab", user)).toBe(folder);
  expect(read).toBe(1);
  expect(readFileSync(join(folder, "a/b.js"), "utf8")).toBe("1");
  expect(readdirSync(folder).toSorted()).toEqual(["a", IMPORTER]);
  expect(unpack(tarball, "1-cd", user)).toBe(join(home, "1-cd"));
  expect(readdirSync(home).toSorted()).toEqual(["1-ab", "1-cd"]);
});

test.each([
  [{ WEIR_UNPACKED: "/w", XDG_CACHE_HOME: "/c", HOME: "/h" }, "/w"],
  [{ WEIR_UNPACKED: "", XDG_CACHE_HOME: "/c", HOME: "/h" }, "/c/weir"],
  [{ HOME: "/h" }, "/h/.cache/weir"],
  [{}, "/tmp/weir-7"],
])("with %j it unpacks into %s", (env, home) => {
  expect(homeOf({ env, uid: 7 })).toBe(home);
});

test("where it cannot write, it names the folder and the variable", () => {
  const folder = folderWith({ file: "" });
  const messageAt = (home: string): string | undefined => {
    const result = unpack(() => packTexts({ a: "" }), "1", { env: { WEIR_UNPACKED: home }, uid });
    return typeof result === "string" ? undefined : result.message;
  };
  const place = join(folder, "file/home");
  const fix = "set WEIR_UNPACKED to a folder for 20 MB";
  expect(messageAt(place)).toBe(
    `cannot unpack itself into ${place}: a file of this name exists already; ${fix}`,
  );
  expect(messageAt("/proc/weir")).toBe(
    `cannot unpack itself into /proc/weir: this place cannot be written to; ${fix}`,
  );
});

test("it runs nothing that another user may have put there", () => {
  const home = folderWith({ "1/package.json": "" });
  const user = { env: { WEIR_UNPACKED: home }, uid };
  const never = (): Buffer => Buffer.alloc(0);
  chmodSync(join(home, "1"), 0o755);
  expect(unpack(never, "1", user)).toBe(join(home, "1"));
  chmodSync(join(home, "1"), 0o775);
  const fix = "set WEIR_UNPACKED to a folder that only you can write to";
  expect(unpack(never, "1", user)).toMatchObject({
    message: `cannot run from ${join(home, "1")}: other users can write to it; ${fix}`,
  });
});

test("a part that was not written whole is deleted", () => {
  const home = folderWith({ file: "" });
  const user = { env: { WEIR_UNPACKED: home }, uid };
  const tarball = packTexts({ a: "", b: "" }, "--transform=s,/b$,/a/b,"); // "a" is a file and a folder
  const result = unpack(() => tarball, "1", user);
  expect(result).toMatchObject({ message: expect.stringContaining("exists already") as string });
  expect(readdirSync(home)).toEqual(["file"]);
});

test.each([
  [["run", "/a/b.js"], null],
  [["--no-color", "version"], null],
  [[], null],
  [["/w/worker.js", "x"], { imports: [], file: "/w/worker.js", args: ["x"] }],
  [["--expose-gc", "server.mjs"], { imports: [], file: "server.mjs", args: [] }],
  [
    ["--import", "file:///p.js", "/s.js", "5"],
    { imports: ["file:///p.js"], file: "/s.js", args: ["5"] },
  ],
])("the arguments %j start the program %j", (args, program) => {
  expect(programOf(args)).toEqual(program);
});

test("both Nodes are the pinned one, and another package is not put into an executable", () => {
  const manifest = readFileSync(join(import.meta.dirname, "../package.json"), "utf8");
  const { devDependencies } = JSON.parse(manifest) as { devDependencies: Record<string, string> };
  expect(NODES.version).toBe(devDependencies["node"]);
  // Of no bytes, by `openssl dgst -sha512 -binary </dev/null | base64`.
  const empty =
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==";
  expect(checkNode("n", Buffer.alloc(0), empty)).toBeNull();
  expect(checkNode("n", Buffer.alloc(1), empty)?.message).toMatch(/^n has the checksum sha512-/);
});
