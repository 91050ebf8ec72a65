// `npm run flood` sends two million of them.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const file = join(import.meta.dirname, "unknown-keys.node.ts");

test.each([
  ["leave nothing behind", ["40000", "configuration"], 0],
  ["are noticed where they do", ["20000", "configuration", "leaking"], 1],
])("unknown keys %s", (_, args, status) => {
  const flags = ["--expose-gc", "--disable-warning=ExperimentalWarning"];
  const ran = spawnSync(process.execPath, [...flags, file, ...args], { encoding: "utf8" });
  expect({ status: ran.status, said: ran.stdout }).toEqual({
    status,
    said: expect.stringMatching(/bytes a key/),
  });
});
