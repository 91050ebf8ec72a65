import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../../cli/weir.ts";

const MODULE = join(import.meta.dirname, "../../../src/kit/reading/text-file.node.ts");
const WRITES = `import { whyUnreadable, writeWhole } from ${JSON.stringify(MODULE)};
try { writeWhole("page.html", "x".repeat(Number(process.argv[1]))); } catch (error) { console.log(whyUnreadable(error)); }`;

test("a file is written whole, or what was there stays as it was", () => {
  const folder = folderWith({ "page.html": "earlier" });
  // Of a file as large as the system lets it become, the rest is missing.
  const sizeAfter = (length: number): string => {
    const command = ["-e", WRITES, `${length}`];
    const limited = ["-c", 'ulimit -f 100; exec "$@"', "sh", process.execPath, ...command];
    return spawnSync("sh", limited, { cwd: folder, encoding: "utf8" }).stdout;
  };
  expect(sizeAfter(1_000_000)).toBe("a file may not become so large here\n");
  expect(readdirSync(folder)).toEqual(["page.html"]);
  expect(readFileSync(join(folder, "page.html"), "utf8")).toBe("earlier");
  expect(sizeAfter(10)).toBe("");
  expect(readdirSync(folder)).toEqual(["page.html"]);
  expect(readFileSync(join(folder, "page.html"), "utf8")).toBe("x".repeat(10));
});
