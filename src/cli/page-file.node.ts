// A page becomes a file.
import { pathToFileURL } from "node:url";
import { pageText } from "../report/page/page-text.node.ts";
import { partOfMeasured } from "../report/html/measured.ts";
import type { MeasuredPart } from "../report/measured.ts";
import type { Report } from "../report/model.ts";
import { opened } from "./html-option.node.ts";
import type { Terminal } from "./terminal.ts";
import { whyUnreadable, writeWhole } from "../reading/text-file.node.ts";

export interface Shown {
  readonly run: Report | null;
  readonly measured: readonly MeasuredPart[];
  /** The document that it is drawn from: both are there, or neither. */
  readonly beside?: { readonly file: string; readonly text: string };
}

/** False where it could not be written. */
export async function writtenPage(
  file: string,
  { run, measured, beside }: Shown,
  isOpened: boolean,
  { err, status, isWatched }: Terminal,
): Promise<boolean> {
  status(`rendering ${file}`);
  const page = await pageText(
    run,
    measured.map((part, at) => partOfMeasured(`document-${at + 1}`, part)),
  );
  status("");
  for (const each of [...(beside === undefined ? [] : [beside]), { file, text: page }])
    try {
      writeWhole(each.file, each.text);
    } catch (error) {
      err(`${each.file}: ${whyUnreadable(error)}`);
      return false;
    }
  err(`saved: ${file}`);
  // Most terminals make a link of it.
  if (isWatched && !isOpened) err(`open ${pathToFileURL(file).href} in a browser`);
  const fault = isOpened ? await opened(file) : null;
  if (fault !== null) err(fault);
  return true;
}
