// A world file with credentials that others can read: one line when it is read, and none if there is nothing to report.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorldWarning } from "#src/gateway/serving/open-world.node.ts";
import { readWorldFile } from "#src/gateway/settings/world.ts";
import {
  AS_IT_IS,
  sendRequest,
  CONFIG,
  FILES,
  secretIn,
  serving,
  WORLD,
} from "../../cli/serving.ts";
import { folderWith } from "../../cli/weir.ts";

const WARNING =
  "conf/world.yaml warning SET-OPEN-WORLD holds 1 credential and is open to its group or to others (mode 0644); chmod 600 conf/world.yaml\n";

test("it is warned of at the start and by a reload, and no more once it is private", async () => {
  const folder = folderWith(FILES);
  const world = join(folder, "conf/world.yaml");
  chmodSync(world, 0o644);
  const { admin, output } = await serving(folder, CONFIG, AS_IT_IS);
  const reload = () =>
    sendRequest(`${admin}/admin/reload`, { method: "POST", "admin-auth": secretIn(folder) });
  const warnings = (): number => output().split(WARNING).length - 1;
  expect(warnings()).toBe(1);
  expect((await reload()).status).toBe(200);
  await expect.poll(warnings).toBe(2);
  chmodSync(world, 0o600);
  expect((await reload()).status).toBe(200);
  expect(warnings()).toBe(2);
});

test("it is warned of when the records take it in", async () => {
  const folder = folderWith(FILES);
  chmodSync(join(folder, "conf/world.yaml"), 0o644);
  expect((await serving(folder, CONFIG)).output()).toContain(WARNING);
});

test("a world without credentials is not warned of", () => {
  const file = join(folderWith({ "world.yaml": "" }), "world.yaml");
  chmodSync(file, 0o644);
  const warning = (text: string) => openWorldWarning(file, readWorldFile({ file, text }));
  expect(warning(WORLD)).toHaveLength(1);
  expect(warning(WORLD.replace("rate: 2", 'secret_hash: "abc", rate: 2'))).toHaveLength(1);
  expect(warning(WORLD.replace("rate: 2", "secret_hash: null, rate: 2"))).toEqual([]);
  expect(warning("apis:\n  orders: { listen: /orders }\n")).toEqual([]);
  expect(openWorldWarning(null, readWorldFile({ file: "a demo", text: WORLD }))).toEqual([]);
});
