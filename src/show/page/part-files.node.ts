// The files that a build leaves for pages.
import { join } from "node:path";

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
