import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { runFolder } from "#src/studies/bench/run-folder.node.ts";
import { folderWith } from "../../cli/weir.ts";

test("the old folder of a killed run is deleted, and nothing else", () => {
  const within = folderWith({});
  const dead = spawnSync("true").pid;
  const old = Date.now() / 1_000 - 2 * 24 * 60 * 60;
  const leave = (name: string, at: number): void => {
    mkdirSync(join(within, name, "0"), { recursive: true });
    utimesSync(join(within, name), at, at);
  };
  leave(`weir-run-${dead}-aaaaaa`, old);
  const others = [
    `weir-run-${dead}-bbbbbb`,
    `weir-run-${process.pid}-cccccc`,
    "weir-runs-1-dddddd",
  ];
  leave(others[0]!, Date.now() / 1_000);
  leave(others[1]!, old);
  leave(others[2]!, old);
  const own = runFolder(within);
  expect(readdirSync(within).toSorted()).toEqual([...others, basename(own)].toSorted());
});
