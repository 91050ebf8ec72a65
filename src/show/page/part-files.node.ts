// The files that a build writes for pages.
import { join } from "node:path";

export interface PartsOfPage {
  readonly script: string;
  readonly templates: string; // JSON
  readonly live: string; // script of the page around a sequence of reports
}

const NAMES = {
  script: "page.bundle.js",
  templates: "templates.json",
  live: "live.bundle.js",
} as const;

export const fileOf = (folder: string, part: keyof PartsOfPage): string =>
  join(folder, NAMES[part]);
