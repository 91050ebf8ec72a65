// A page becomes a file.
import { pageText } from "../page/page-text.node.ts";
import { measuredPart } from "../report/html/measured.ts";
import type { MeasuredPart } from "../report/measured.ts";
import type { Report } from "../report/model.ts";
import { opened } from "./html-option.node.ts";
import type { Terminal } from "./terminal.ts";
import { whyUnreadable, writeWhole } from "./text-file.node.ts";

export interface Shown {
  readonly run: Report | null;
  readonly measured: readonly MeasuredPart[];
}

/** False where it could not be written. */
export async function writtenPage(
  file: string,
  { run, measured }: Shown,
  isOpened: boolean,
  { err, status }: Terminal,
): Promise<boolean> {
  status(`drawing ${file}`);
  const page = await pageText(
    run,
    measured.map((part, at) => measuredPart(`document-${at + 1}`, part)),
  );
  status("");
  try {
    writeWhole(file, page);
  } catch (error) {
    err(`${file}: ${whyUnreadable(error)}`);
    return false;
  }
  err(`drawn: ${file}`);
  const fault = isOpened ? await opened(file) : null;
  if (fault !== null) err(fault);
  return true;
}
