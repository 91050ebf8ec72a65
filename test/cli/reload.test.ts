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
  let loads: () => Promise<Loaded> = () => Promise.reject(new Error("the disk is gone"));
  const reloading: Reloading = {
    load: () => loads(),
    apply: () => Promise.resolve(),
    log: (line) => said.push(line),
    live: { settings: current.sound!.settings, credentials: NO_CREDENTIALS },
    current,
    running: Promise.resolve(),
  };
  expect(await reload(reloading)).toEqual({
    faults: ["weir: the reload failed: the disk is gone"],
    meta: null,
  });
  loads = () => Promise.resolve(current);
  expect((await reload(reloading)).faults).toEqual([]);
  expect([said[0], said.at(-1)]).toEqual([
    "weir: the reload failed: the disk is gone",
    expect.stringMatching(/^weir: reloaded: /),
  ]);
});

const SETTINGS =
  "world: world.yaml\nrecords: off\nupstream: echo\nadmin: { secret: 0123456789abcdef }\n";
