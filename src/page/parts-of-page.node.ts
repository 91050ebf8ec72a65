// What is the same in every page. A build leaves it beside this file; run from its source, Weir makes it anew each time,
// so that nobody looks at the script of yesterday.
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";

export interface PartsOfPage {
  readonly script: string;
  readonly templates: string; // JSON
  readonly live: string; // the script of the page around reports that follow one another
}

const NAMES = {
  script: "page.bundle.js",
  templates: "templates.json",
  live: "live.bundle.js",
} as const;

export const fileOf = (folder: string, part: keyof PartsOfPage): string =>
  join(folder, NAMES[part]);

export async function partsOfPage(): Promise<PartsOfPage> {
  if (extname(import.meta.filename) === ".ts")
    return (await import("./make-parts.node.ts")).madeParts();
  const read = (part: keyof PartsOfPage): string =>
    readFileSync(fileOf(import.meta.dirname, part), "utf8");
  return { script: read("script"), templates: read("templates"), live: read("live") };
}
