import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { reloadRoute } from "#src/gateway/serving/admin-routes.node.ts";
import { loadSettings, type Loaded } from "#src/gateway/serving/load.node.ts";
import { NO_CREDENTIALS } from "#src/gateway/serving/installation.node.ts";
import type { Reloading } from "#src/gateway/serving/reload.node.ts";
import { WORLD } from "../../cli/serving.ts";
import type { ReloadProgress } from "#src/gateway/serving/reload-of-workers.ts";
import { folderWith } from "../../cli/weir.ts";

async function reloadingFrom(settings: string) {
  const folder = folderWith({ "world.yaml": WORLD, "weir.yaml": settings });
  const current = loadSettings(new Map(), `${folder}/weir.yaml`);
  expect(current.errors).toEqual([]);
  const lines: string[] = [];
  const reloading = {
    load: (): Promise<Loaded> => Promise.resolve(current),
    apply: (): Promise<ReloadProgress | null> => Promise.resolve(null),
    log: (line: string) => void lines.push(line),
    live: { settings: current.sound!.settings, credentials: NO_CREDENTIALS },
    current,
    running: Promise.resolve() as Promise<unknown>,
  } satisfies Reloading;
  const requestReload = async () => {
    const { status, text } = await reloadRoute(reloading).respond("");
    const { Status, Message } = JSON.parse(text) as Record<"Status" | "Message", string>;
    return { status, Status, Message };
  };
  return { reloading, said: lines, ask: requestReload, folder };
}

test("a reload that fails reports the effective configuration, in the log and in its response", async () => {
  const { reloading, said, ask } = await reloadingFrom(SETTINGS);
  const { load } = reloading;
  reloading.load = () => Promise.reject(new Error("the disk is gone"));
  expect(await ask()).toEqual({ status: 500, Status: "Error", Message: `The ${UNREAD}` });
  reloading.load = load;
  expect(await ask()).toEqual({ status: 200, Status: "OK", Message: "reloaded" });
  expect([said[0], said.at(-1)]).toEqual([
    `weir: the ${UNREAD}`,
    expect.stringMatching(/^weir: reloaded: /),
  ]);
  const { settings, credentials } = reloading.live;
  reloading.apply = () => Promise.reject(new Error("a worker is gone"));
  expect(await ask()).toEqual({ status: 500, Status: "Error", Message: `The ${HALF}` });
  expect(said.at(-1)).toBe(`weir: the ${HALF}`);
  // The secrets that were good before stay so.
  expect(reloading.live.settings).toBe(settings);
  expect(reloading.live.credentials).toBe(credentials);
});

test("a new configuration with an error is rejected, and no part of it is effective", async () => {
  const { reloading, ask, folder } = await reloadingFrom(SETTINGS);
  writeFileSync(`${folder}/weir.yaml`, `${SETTINGS}admim: {}\n`);
  reloading.load = async () => loadSettings(new Map(), `${folder}/weir.yaml`);
  reloading.apply = () => Promise.reject(new Error("it is not applied"));
  expect(await ask()).toEqual({
    status: 400,
    Status: "Error",
    Message: expect.stringMatching(
      /^The new configuration is rejected, and the old one stays in effect: .*weir\.yaml:5:1 /,
    ),
  });
});

test("processes that are still taking the new configuration are named", async () => {
  const { reloading, said } = await reloadingFrom(SETTINGS);
  const responseTo = async (workers: ReloadProgress) => {
    reloading.apply = () => Promise.resolve(workers);
    const { status, text } = await reloadRoute(reloading).respond("");
    return [status, JSON.parse(text)];
  };
  const meta = { apis: 1, policies: 0, keys: 1, unchanged: [] };
  const some = { reloaded: [7], pending: [8, 9] };
  expect(await responseTo(some)).toEqual([
    202,
    {
      Status: "OK",
      Message: "reloaded, but 2 of 3 processes may still serve the old configuration",
      Meta: { ...meta, workers: some },
    },
  ]);
  expect(said.filter((line) => line.includes("may still serve"))).toEqual(
    [8, 9].map(
      (pid) =>
        `weir: worker ${pid} may still serve the old configuration, and applies the new one later`,
    ),
  );
  const all = { reloaded: [7, 8, 9], pending: [] };
  expect(await responseTo(all)).toEqual([
    200,
    { Status: "OK", Message: "reloaded", Meta: { ...meta, workers: all } },
  ]);
});

const UNREAD =
  "reload failed, and the old configuration stays in effect: the disk is gone; correct that, then reload again";
const HALF =
  "reload failed in part, and some processes may serve the new configuration: a worker is gone; reload again, or restart the gateway if it still fails";
const SETTINGS =
  "world: world.yaml\nrecords: off\nupstream: echo\nadmin: { secret: 0123456789abcdef }\n";
