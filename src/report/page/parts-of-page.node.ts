// The parts that all pages share. A build writes them next to this file. Run from its source, Weir builds them each time,
// so that the script is never older than its source.
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
