// A world is taken over from the process that reads it in pieces, and whole.
import { expect, test } from "vitest";
import { gatherKeys, piecesOf, withoutKeys } from "#src/gateway/serving/keys-in-pieces.ts";
import { loadApart, loadAtStart } from "#src/gateway/serving/load-apart.node.ts";
import { loadSettings, type Loaded } from "#src/gateway/serving/load.node.ts";
import { folderWith } from "../../cli/weir.ts";

const KEYS = 1_001;
const key = (index: number): string =>
  `  k${index}: { apis: [orders], rate: ${index + 1}, per: 60${index % 3 === 0 ? ", shadow: true" : ""} }`;
const WORLD = `apis:
  orders: { listen: /orders }
keys:
${Array.from({ length: KEYS }, (_, index) => key(index)).join("\n")}
`;
const SETTINGS =
  "world: world.yaml\nrecords: off\nupstream: echo\nadmin: { secret: 0123456789abcdef }\n";

function loadWorld(): { readonly file: string; readonly whole: Loaded } {
  const folder = folderWith({ "world.yaml": WORLD, "weir.yaml": SETTINGS });
  const file = `${folder}/weir.yaml`;
  const whole = loadSettings(new Map(), file, "always");
  expect(whole.errors).toEqual([]);
  return { file, whole };
}

test("no piece has more keys than are taken over in a turn, and together they are the world", () => {
  const configuration = loadWorld().whole.sound!.world!.configuration!;
  expect(configuration.shadow!.keys.size).toBe(KEYS);
  const bare = withoutKeys(configuration);
  expect([bare.keys.size, bare.shadow!.keys.size]).toEqual([0, 0]);
  const keys = gatherKeys();
  const pieces = [...piecesOf(configuration)];
  const sizes = [250, 250, 250, 250, 1];
  expect(pieces.map(({ of, keys: some }) => `${of} ${some.length}`)).toEqual([
    ...sizes.map((size) => `enforced ${size}`),
    ...sizes.map((size) => `shadow ${size}`),
  ]);
  for (const piece of pieces) keys.add(piece);
  expect(keys.count()).toBe(2 * KEYS);
  expect(keys.complete(bare)).toEqual(configuration);
});

test("another process reads the same", async () => {
  const { file, whole } = loadWorld();
  const apart = await loadApart({ flags: new Map(), file, withWorld: "always" });
  expect(apart.sound!.world!.configuration).toEqual(whole.sound!.world!.configuration);
  expect({ ...apart, sound: null }).toEqual({ ...whole, sound: null });
});

test("of what only an import looks at nothing comes over, and how many credentials there are does", async () => {
  const world = `${WORLD}  shut: { apis: [orders], secret_hash: null, rate: 1, per: 60 }\n`;
  const hashed = world.replaceAll(
    "{ apis: [orders], rate",
    "{ apis: [orders], secret_hash: a, rate",
  );
  // Records that wait for the next start: the running gateway reads its world nevertheless.
  const files = { "world.yaml": hashed, "weir.yaml": SETTINGS.replace("records: off\n", "") };
  const file = `${folderWith(files)}/weir.yaml`;
  const whole = loadSettings(new Map(), file, "always").sound!.world!;
  expect([whole.hashes.size, whole.opened]).toEqual([KEYS + 1, KEYS]);
  const apart = (await loadApart({ flags: new Map(), file, withWorld: "always" })).sound!.world!;
  expect([apart.hashes.size, apart.credentials.size, apart.raw]).toEqual([0, 0, null]);
  expect(apart.opened).toBe(KEYS);
});

test("a start reads a large world in another process, and a small one in its own", async () => {
  const small = { "world.yaml": WORLD.split("\n", 4).join("\n"), "weir.yaml": SETTINGS };
  const large = { ...small, "world.yaml": `${WORLD}# ${"-".repeat(65_536)}\n` };
  for (const [files, isApart] of [
    [small, false],
    [large, true],
  ] as const) {
    const file = `${folderWith(files)}/weir.yaml`;
    const loaded = await loadAtStart(new Map([["config", file]]));
    const { configuration, raw } = loaded.sound!.world!;
    expect(configuration).toEqual(loadSettings(new Map(), file).sound!.world!.configuration);
    expect(raw === null).toBe(isApart); // only another process leaves it out
  }
});

test("problems arrive unchanged, those of a missing file too", async () => {
  const folder = folderWith({ "world.yaml": "apis: 1", "weir.yaml": SETTINGS });
  for (const file of [`${folder}/weir.yaml`, `${folder}/none.yaml`]) {
    const apart = await loadApart({ flags: new Map(), file, withWorld: "always" });
    expect(apart).toEqual(loadSettings(new Map(), file, "always"));
    expect(apart.errors).not.toEqual([]);
  }
});

test("a process that breaks is a problem with a correction", async () => {
  const { file } = loadWorld();
  const broken = { flags: null as never, file, withWorld: "always" } as const;
  const { sound, errors } = await loadApart(broken);
  expect(sound).toBeNull();
  expect(errors).toEqual([
    expect.stringMatching(/^weir: settings and world could not be read: .+; reload again, or /),
  ]);
});
