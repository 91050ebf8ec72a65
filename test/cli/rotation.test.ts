// `weir secrets rotate` as it is typed: while a gateway serves, repeatedly, and if it cannot continue.
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockOn, type Lock } from "#src/gateway/management/records/sqlite-lock.node.ts";
import { recordsInFile } from "#src/gateway/management/records/sqlite.node.ts";
import { INSTALLATION } from "#src/gateway/management/secrets/installation.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { entry } from "../built.ts";
import { rotateServing } from "../gateway/management/secrets/rotate-serving.node.ts";
import { CONFIG, FILES, WORLD } from "./serving.ts";
import { folderWith, weir } from "./weir.ts";

const KEY = "a-key-that-somebody-has-brought-01";

const keysIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(folder, ".weir"))
      .filter((name) => name.startsWith("key"))
      .map((name) => [name, readFileSync(join(folder, ".weir", name), "utf8").trim()]),
  );

/** Records with a key, as a first start leaves them. */
async function install(files: Readonly<Record<string, string>> = FILES): Promise<string> {
  const folder = folderWith(files);
  expect(await weir(folder, ["import", "conf/world.yaml", ...CONFIG])).toMatchObject({ code: 0 });
  return folder;
}

const rotate = (folder: string, ...args: readonly string[]) =>
  weir(folder, ["secrets", "rotate", ...args, ...CONFIG]);

test("no request fails while the key is changed, and every secret reads with the new one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "weir-rotation-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const rotated = await rotateServing({ folder, entry: entry(), keys: 120, beforeMs: 0 });
  expect(rotated.failures).toEqual([]);
  expect(rotated.output).toMatch(/weir\.db: \d{3,} records are sealed with the new key\n/);
  expect(rotated.during.requests.count).toBeGreaterThan(0);
  expect(rotated.during.writes.count).toBeGreaterThan(0);
});

test("nothing that the old key has sealed stays in the files, while a gateway has them open", async () => {
  const keys = Array.from({ length: 300 }, (_, i) => {
    const secret = `hmac ${i} `.padEnd(10 + ((i * 37) % 900), "x"); // pages are filled in many ways
    return `  k${i}: { apis: [orders], hmac_enabled: true, hmac_string: "${secret}" }\n`;
  });
  const world = WORLD.replace("gateway:", `${keys.join("")}gateway:`);
  const folder = await install({ ...FILES, "conf/world.yaml": world });
  const file = join(folder, ".weir/weir.db");
  const records = requireValue(await recordsInFile(file));
  onTestFinished(records.close);
  const nothing = { unique: null, text: null };
  const change = { actor: "test", operation: "change", atUs: 0 };
  const { records: stored } = await records.list("keys", null);
  // So that the log holds them as well as the file, and some of them are deleted.
  for (const { id, document, unique } of stored.slice(0, 200))
    await records.write(change, async ({ read, replace, remove }) => {
      const before = (await read("keys", id))!;
      const isGone = id.endsWith("7");
      if (isGone) await remove("keys", before);
      else await replace("keys", before, { ...document, alias: "x" }, { ...nothing, unique });
    });
  const installation = (await records.read(INSTALLATION.family, INSTALLATION.id))!.document;
  const sealed = [...stored.map(({ document }) => document["hmac_string"]), installation["check"]]
    .filter((value) => typeof value === "string")
    .map((value) => value.slice(-40)); // the end is of this one alone
  expect(new Set(sealed).size).toBe(301);
  const findOld = (): readonly string[] =>
    ["", "-wal"].flatMap((name) => {
      const bytes = existsSync(file + name) ? readFileSync(file + name) : Buffer.alloc(0);
      return sealed.filter((each) => bytes.includes(each)).map((each) => `${name} ${each}`);
    });
  expect(findOld().filter((each) => each.startsWith("-wal")).length).toBeGreaterThan(100);
  expect(await rotate(folder)).toMatchObject({ code: 0, err: "" });
  expect(findOld()).toEqual([]);
});

test("the keys of earlier rotations stay", async () => {
  const folder = await install();
  const { key: first } = keysIn(folder);
  expect(await rotate(folder)).toMatchObject({
    code: 0,
    out: expect.stringContaining("Keep .weir/key.old as long"),
  });
  const { key: second } = keysIn(folder);
  expect(await rotate(folder)).toMatchObject({
    code: 0,
    out: expect.stringContaining("Keep .weir/key.old.2 as long"),
  });
  const { key: third } = keysIn(folder);
  expect(keysIn(folder)).toEqual({ key: third, "key.old": first, "key.old.2": second });
  expect(new Set([first, second, third]).size).toBe(3);
});

test("a run that was interrupted after the old key was kept keeps it once", async () => {
  const folder = await install();
  const at = (name: string): string => join(folder, ".weir", name);
  copyFileSync(at("key"), at("key.before"));
  expect((await rotate(folder)).code).toBe(0);
  const before = keysIn(folder);
  // As it was just before the new key was put in place.
  copyFileSync(at("key"), at("key.next"));
  copyFileSync(at("key.before"), at("key"));
  rmSync(at("key.before"));
  expect((await rotate(folder)).code).toBe(0);
  expect(keysIn(folder)).toEqual({ key: before["key"], "key.old": before["key.old"] });
});

test("of two at once, the second one ends before it reads a key", async () => {
  const folder = await install();
  const before = keysIn(folder);
  const lock = lockOn(join(folder, ".weir/weir.db.rotation")) as Lock;
  onTestFinished(() => void lock.release());
  expect(await rotate(folder)).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringMatching(
      /^weir secrets rotate: another rotation runs: process \d+ on .*; wait until it ends\n$/,
    ),
  });
  expect(keysIn(folder)).toEqual(before);
  lock.release();
  expect((await rotate(folder)).code).toBe(0);
});

test.each([[[]], [["--prepare"]]])(
  "a lock that SQLite cannot write is no internal error (%j)",
  async (args) => {
    const folder = await install();
    const before = keysIn(folder);
    // As on a full disk, SQLite reports a result code.
    writeFileSync(join(folder, ".weir/weir.db.rotation"), "no database of SQLite".repeat(100));
    expect(await rotate(folder, ...args)).toMatchObject({
      code: 2,
      out: "",
      err: "weir secrets rotate: .weir/weir.db.rotation is not a database of Weir\n",
    });
    expect(keysIn(folder)).toEqual(before);
  },
);

test.each([
  ["the key that is in use", (key: string) => key, "holds the key that is in use already"],
  ["a key that no gateway takes", () => KEY.slice(0, 20), "holds fewer than 32 letters"],
])("a next key that is %s is rejected before anything is changed", async (_, next, problem) => {
  const folder = await install();
  const before = keysIn(folder)["key"]!;
  const file = join(folder, ".weir/key.next");
  writeFileSync(file, next(before), { mode: 0o600 });
  for (const args of [["--prepare"], []])
    expect(await rotate(folder, ...args)).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining(`.weir/key.next ${problem}`),
    });
  rmSync(file);
  expect((await rotate(folder)).code).toBe(0);
  expect(keysIn(folder)["key"]).not.toBe(before);
});

test("a next key that exists already is used", async () => {
  const folder = await install();
  writeFileSync(join(folder, ".weir/key.next"), KEY, { mode: 0o600 });
  expect((await rotate(folder)).code).toBe(0);
  expect(keysIn(folder)["key"]).toBe(KEY);
  expect(existsSync(join(folder, ".weir/key.next"))).toBe(false);
});
