import { expect, test } from "vitest";
import { loadSettings, type Loaded } from "../../src/cli/serving/load.node.ts";
import { NO_CREDENTIALS } from "../../src/cli/serving/installation.node.ts";
import { reload, type Reloading } from "../../src/cli/serving/reload.node.ts";
import { WORLD } from "./serving.ts";
import { folderWith } from "./weir.ts";

test("a reload that fails is told to whoever asked, and the next one is taken", async () => {
  const folder = folderWith({ "world.yaml": WORLD, "weir.yaml": SETTINGS });
  const current = loadSettings(new Map(), `${folder}/weir.yaml`);
  expect(current.faults).toEqual([]);
  const said: string[] = [];
  let applies = (): Promise<void> => Promise.resolve();
  let loads: () => Promise<Loaded> = () => Promise.reject(new Error("the disk is gone"));
  const reloading: Reloading = {
    load: () => loads(),
    apply: () => applies(),
    log: (line) => said.push(line),
    live: { settings: current.sound!.settings, credentials: NO_CREDENTIALS },
    current,
    running: Promise.resolve(),
  };
  expect(await reload(reloading)).toEqual({
    faults: [UNREAD],
    meta: null,
  });
  loads = () => Promise.resolve(current);
  expect((await reload(reloading)).faults).toEqual([]);
  expect([said[0], said.at(-1)]).toEqual([UNREAD, expect.stringMatching(/^weir: reloaded: /)]);
  const { settings, credentials } = reloading.live;
  applies = () => Promise.reject(new Error("a worker is gone"));
  expect((await reload(reloading)).faults).toEqual([HALF]);
  // The secrets that were good before stay so.
  expect(reloading.live.settings).toBe(settings);
  expect(reloading.live.credentials).toBe(credentials);
});

const UNREAD =
  "weir: the reload failed, and the old configuration stays in force: the disk is gone; reload again once that is mended";
const HALF =
  "weir: the reload failed half way, and some of the gateway may serve the new configuration: a worker is gone; reload again, or start the gateway again if it still fails";
const SETTINGS =
  "world: world.yaml\nrecords: off\nupstream: echo\nadmin: { secret: 0123456789abcdef }\n";
