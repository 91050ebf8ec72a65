// What a disk may hold after a power loss, from logs made by hand; and one that a process has written.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { Disk, lossBy, NOTHING_LOST, type DiskImage, type Loss } from "./disk.ts";
import { noteRecord, readDiskLog, type DiskOperation } from "./disk-log.ts";
import { stateAfter, type ExpectedState } from "./expected.ts";
import { compileShim } from "./shim.node.ts";

const ALL_LOST: Loss = { ...NOTHING_LOST, changeSurvival: 0, nameSurvival: 0 };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = ({ files }: DiskImage, path: string): string | null => {
  const bytes = files.get(path);
  return bytes === undefined ? null : new TextDecoder().decode(bytes);
};
const write = (inode: number, offset: number, text: string): DiskOperation => ({
  kind: "write",
  inode,
  offset,
  bytes: bytesOf(text),
});

function diskAfter(...operations: readonly DiskOperation[]): Disk {
  const disk = new Disk("/d");
  for (const operation of operations) disk.apply(operation);
  return disk;
}

/** Of many power losses. */
const imagesOf = (disk: Disk, loss: Partial<Loss> = {}): readonly DiskImage[] =>
  Array.from({ length: 300 }, (_, i) => {
    const random = rng(i, "image");
    return disk.image(random, { ...lossBy(random), ...loss });
  });

const NEW = [
  { kind: "create", path: "/d/a", inode: 1 },
  write(1, 0, "one"),
  { kind: "sync", inode: 1 },
] as const satisfies readonly DiskOperation[];
const NAMED = [...NEW, { kind: "sync folder", path: "/d" }] as const;

test("synced content and names survive every power loss", () => {
  for (const image of imagesOf(diskAfter(...NAMED))) expect(textOf(image, "/d/a")).toBe("one");
});

test("a file whose folder was not synced may be gone, and is whole otherwise", () => {
  const seen = new Set(imagesOf(diskAfter(...NEW)).map((image) => textOf(image, "/d/a")));
  expect(seen).toEqual(new Set([null, "one"]));
});

test("of what was not synced each write is there or not, in its order", () => {
  const disk = diskAfter(...NAMED, write(1, 0, "two"), write(1, 1, "__"));
  const seen = new Set(imagesOf(disk).map((image) => textOf(image, "/d/a")));
  expect(seen).toEqual(new Set(["one", "two", "o__", "t__"]));
});

test("a torn write is a mixture of its sectors", () => {
  const [before, after] = ["a".repeat(1024), "b".repeat(1024)];
  const operations = [...NAMED, write(1, 0, before), { kind: "sync", inode: 1 }] as const;
  const disk = diskAfter(...operations, write(1, 0, after));
  const seen = new Set(
    imagesOf(disk, { isTorn: true, changeSurvival: 0.5 }).map((image) => textOf(image, "/d/a")),
  );
  const [a, b] = ["a".repeat(512), "b".repeat(512)];
  expect(seen).toEqual(new Set([before, after, a + b, b + a]));
});

test("a file that was made longer may have something else there", () => {
  const disk = diskAfter(...NAMED, write(1, 3, " two"));
  const long = { changeSurvival: 0, isLong: true };
  for (const image of imagesOf(disk, { ...long, isGarbage: false }))
    expect(textOf(image, "/d/a")).toBe("one\0\0\0\0");
  const garbage = imagesOf(disk, { ...long, isGarbage: true }).map((image) =>
    textOf(image, "/d/a"),
  );
  expect(new Set(garbage).size).toBeGreaterThan(200);
});

test("a truncation that was not synced may not have happened", () => {
  const disk = diskAfter(...NAMED, { kind: "truncate", inode: 1, length: 1 });
  const seen = new Set(imagesOf(disk).map((image) => textOf(image, "/d/a")));
  expect(seen).toEqual(new Set(["one", "o"]));
});

test("a rename is both of its names or none, and what was deleted may come back", () => {
  const disk = diskAfter(...NAMED, { kind: "rename", from: "/d/a", to: "/d/b" });
  const seen = new Set(
    imagesOf(disk).map((image) => [textOf(image, "/d/a"), textOf(image, "/d/b")].join()),
  );
  expect(seen).toEqual(new Set(["one,", ",one"]));
  const deleted = diskAfter(...NAMED, { kind: "unlink", path: "/d/a" });
  expect(textOf(deleted.image(rng(1, ""), ALL_LOST), "/d/a")).toBe("one");
  expect(textOf(deleted.image(rng(1, ""), NOTHING_LOST), "/d/a")).toBeNull();
});

test("the content of a folder is lost with its name", () => {
  const made = { kind: "make folder", path: "/d/e" } as const;
  const inside = [
    made,
    { kind: "create", path: "/d/e/a", inode: 1 },
    { kind: "sync folder", path: "/d/e" },
  ] as const;
  expect(diskAfter(...inside).image(rng(1, ""), ALL_LOST)).toEqual({
    folders: [],
    files: new Map(),
  });
  const whole = diskAfter(...inside, { kind: "sync folder", path: "/d" });
  expect(whole.image(rng(1, ""), ALL_LOST).folders).toEqual(["/d/e"]);
});

test("the log has the notes as they were written, and a truncated log is rejected", () => {
  const log = Buffer.concat([noteRecord("{}"), noteRecord("ä")]);
  expect(readDiskLog(log)).toEqual([
    { kind: "note", text: "{}" },
    { kind: "note", text: "ä" },
  ]);
  expect(() => readDiskLog(log.subarray(0, -1))).toThrow("cut off");
  expect(() => readDiskLog(log.subarray(0, 40))).toThrow("cut off");
});

test("a requested change may be stored from the request on, and must be once it was answered", () => {
  const none: ExpectedState = { secrets: null, records: new Map() };
  const requested = stateAfter(none, { requested: { family: "keys", id: "k", value: 7 } });
  expect(requested.records.get("k")).toEqual({ family: "keys", answered: null, requested: 7 });
  const answered = stateAfter(requested, { answered: "k" });
  expect(answered.records.get("k")).toEqual({ family: "keys", answered: 7, requested: 7 });
  const deleting = stateAfter(answered, { requested: { family: "keys", id: "k", value: null } });
  expect(deleting.records.get("k")).toEqual({ family: "keys", answered: 7, requested: null });
});

const place = realpathSync(mkdtempSync(join(tmpdir(), "weir-disk-")));
afterAll(() => rmSync(place, { recursive: true }));
const shim = join(place, "shim.so");
const missing = compileShim(shim);

test.skipIf(missing !== null)(
  "the key of an installation is there after a power loss, and whole during its start",
  () => {
    const [root, log] = [join(place, "disk"), join(place, "log")];
    mkdirSync(root);
    writeFileSync(log, "");
    const module = join(
      import.meta.dirname,
      "../../../../../src/gateway/serving/secret-file.node.ts",
    );
    const file = join(root, "one/two/key");
    const program = `import { readOrCreateSecret } from ${JSON.stringify(module)};
    readOrCreateSecret({ file: ${JSON.stringify(file)}, setting: "", canCreate: true });`;
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      env: { LD_PRELOAD: shim, WEIR_POWER_LOSS_FOLDER: root, WEIR_POWER_LOSS_LOG: log },
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const disk = new Disk(root);
    const seen = new Set<string | null>();
    for (const operation of readDiskLog(readFileSync(log))) {
      disk.apply(operation);
      for (const image of imagesOf(disk)) seen.add(textOf(image, file));
    }
    expect(seen).toEqual(new Set([null, readFileSync(file, "utf8")])); // never a part of it
    expect(textOf(disk.image(rng(1, ""), ALL_LOST), file)).toBe(readFileSync(file, "utf8"));
  },
);
