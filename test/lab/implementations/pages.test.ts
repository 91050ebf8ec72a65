// What the pages on drivers and on manifests show is what there is.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DRIVERS } from "#src/lab/drivers/driver.ts";
import { newServer } from "#src/lab/implementations/new-server.node.ts";

const read = (page: string): string =>
  readFileSync(join(import.meta.dirname, "../../../docs", page), "utf8");

test("the page on manifests has the translator of a new server", () => {
  const [, example] =
    /^```js\n([\s\S]*?)^```$/m.exec(read("reference/implementation-manifest.md")) ?? [];
  expect(example).toBe(newServer("my-gateway")["translate.js"]);
});

test.each(DRIVERS)("the page on drivers has a row of %s", (name) => {
  expect(read("answer/drivers.md")).toMatch(new RegExp(`^\\| \`${name}\` `, "m"));
});
