// Saves a page as a file.
import { pathToFileURL } from "node:url";
import { createResultFolder } from "../kit/reading/untracked.node.ts";
import { pageText } from "../show/page/page-text.node.ts";
import { partOfLimiters } from "../show/html/limiters.ts";
import { partOfMeasured } from "../show/html/measured.ts";
import type { LimitersPart } from "../lab/report/limiters.ts";
import type { MeasuredPart } from "../lab/report/measured.ts";
import type { Report } from "../lab/report/model.ts";
import { openInBrowser } from "./html-option.node.ts";
import type { Terminal } from "./terminal.ts";
import { whyUnreadable, writeWhole } from "../kit/reading/text-file.node.ts";

interface PageContent {
  readonly run: Report | null;
  readonly measured: readonly MeasuredPart[];
  readonly limiters?: readonly LimitersPart[];
  /** The document from which the page is rendered. It is saved before the page. */
  readonly document?: { readonly file: string; readonly text: string };
}

/** Returns false if a file could not be written. */
export async function writePage(
  file: string,
  { run, measured, limiters = [], document }: PageContent,
  isOpened: boolean,
  { err, status, isWatched }: Terminal,
): Promise<boolean> {
  status(`rendering ${file}`);
  const page = await pageText(run, [
    ...measured.map((part, at) => partOfMeasured(`document-${at + 1}`, part)),
    ...limiters.map((part, at) => partOfLimiters(`limiters-${at + 1}`, part)),
  ]);
  status("");
  for (const each of [...(document === undefined ? [] : [document]), { file, text: page }]) {
    const noFolder = createResultFolder(each.file);
    if (noFolder !== null) {
      err(noFolder);
      return false;
    }
    try {
      writeWhole(each.file, each.text);
    } catch (error) {
      err(`${each.file}: ${whyUnreadable(error)}`);
      return false;
    }
  }
  err(`saved: ${file}`);
  // Most terminals make this address a link.
  if (isWatched && !isOpened) err(`open ${pathToFileURL(file).href} in a browser`);
  const problem = isOpened ? await openInBrowser(file) : null;
  if (problem !== null) err(problem);
  return true;
}
