// What is the same in every page. A build leaves it beside this file; run from its source, Weir makes it anew each time,
// so that nobody looks at the script of yesterday.
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { type PartsOfPage, fileOf } from "./part-files.node.ts";

export async function partsOfPage(): Promise<PartsOfPage> {
  if (extname(import.meta.filename) === ".ts")
    return (await import("./make-parts.node.ts")).buildParts();
  const read = (part: keyof PartsOfPage): string =>
    readFileSync(fileOf(import.meta.dirname, part), "utf8");
  return { script: read("script"), templates: read("templates"), live: read("live") };
}
