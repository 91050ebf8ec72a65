// Assembles a page: the packed report, the script, and a policy that allows nothing else.
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

import type { Templates } from "../figures/templates.ts";
import type { Drawings, NamedFigure } from "../html/figure.ts";
import { trustMarkup, type Html } from "../html/html.ts";
import { pageOf, type Packed, type PagePart } from "../html/page.ts";
import { packColumn } from "../html/columns.ts";
import { withoutRepeats } from "../html/packing.ts";
import { runPart } from "../html/run.ts";
import { STYLE } from "../html/style.ts";
import type { Report } from "../../lab/report/model.ts";
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { type PartsOfPage, fileOf } from "./part-files.node.ts";

const MOST_DRAWN = 30;

/** A page of a run, of other documents, or both. */
export async function pageText(run: Report | null, others: readonly PagePart[]): Promise<string> {
  const { script, templates } = await partsOfPage();
  const parts = run === null ? others : [runPart(run), ...others];
  const packed: Packed = {
    run: run === null ? null : withoutRepeats(run),
    figures: Object.assign({}, ...parts.map(({ figures }) => figures)) as Packed["figures"],
  };
  const page = pageOf(
    parts,
    await renderDrawings(
      parts.flatMap(({ drawnFirst }) => drawnFirst),
      templates,
    ),
    {
      policy: trustMarkup(
        [
          "default-src 'none'",
          `script-src ${hashOf(script)}`,
          `style-src ${hashOf(STYLE)}`,
          "style-src-attr 'unsafe-inline'",
          "img-src data:",
          "base-uri 'none'",
          "form-action 'none'",
        ].join("; "),
      ),
      style: trustMarkup(STYLE),
      script: trustMarkup(script),
      data: gzipSync(JSON.stringify(packColumn([packed])), { level: 9 }).toString("base64"),
      templates: trustMarkup(templates),
    },
  );
  return String(page);
}

export const hashOf = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Renames the ids in a chart, so that they differ from the ids in charts that the page's script draws. */
const apart = (drawing: string): string =>
  drawing.replaceAll(/( id="|url\(#)(?=clip)/g, "$1still-");

/** Renders charts into the page. Without figures, it does not load the chart library, which loads slowly. */
async function renderDrawings(
  figures: readonly NamedFigure[],
  templates: string,
): Promise<Drawings> {
  const drawings = new Map<string, Html>();
  if (figures.length === 0) return drawings;
  const { svgOf } = await import("../figures/svg.ts");
  const compiled = JSON.parse(templates) as Templates;
  for (const { name, figure } of figures.slice(0, MOST_DRAWN))
    drawings.set(name, trustMarkup(apart(await svgOf(figure, compiled))));
  return drawings;
}

let madeHere: Promise<PartsOfPage> | null = null;

/**
 * The parts that all pages share. A build writes them next to this file. From source, they are those of a build of the
 * same sources, or each process builds them: the script is never older than its source.
 */
export async function partsOfPage(): Promise<PartsOfPage> {
  if (extname(import.meta.filename) === ".ts") {
    const { ownBuild } = await import("../../studies/queue/code.node.ts");
    const dist = ownBuild();
    if (dist !== null) return readParts(join(dist, "show/page"));
    return (madeHere ??= import("./make-parts.node.ts")
      .then(({ buildParts }) => buildParts())
      .then(({ parts }) => parts));
  }
  return readParts(import.meta.dirname);
}

function readParts(folder: string): PartsOfPage {
  const read = (part: keyof PartsOfPage): string => readFileSync(fileOf(folder, part), "utf8");
  return { script: read("script"), templates: read("templates"), live: read("live") };
}
