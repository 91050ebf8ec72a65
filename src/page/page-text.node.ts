// Puts a page together: the report packed into it, its own script, and a policy that allows nothing else.
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

import { svgOf } from "../report/figures/svg.ts";
import { pageOf } from "../report/html/page.ts";
import { figureName, shownFirst } from "../report/html/scenario.ts";
import { STYLE } from "../report/html/style.ts";
import type { Report } from "../report/model.ts";
import { partsOfPage } from "./parts-of-page.node.ts";

const MOST_DRAWN = 30;

export async function pageText(report: Report): Promise<string> {
  const { script, templates } = await partsOfPage();
  const hash = (text: string): string =>
    `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return pageOf(report, await drawn(report), {
    policy: [
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${hash(STYLE)}`,
      "style-src-attr 'unsafe-inline'",
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
    ].join("; "),
    style: STYLE,
    script,
    data: gzipSync(JSON.stringify(report)).toString("base64"),
    templates,
  });
}

/** What failed can be seen where no script runs. */
async function drawn({ scenarios }: Report): Promise<ReadonlyMap<string, string>> {
  const wanted = scenarios.flatMap((scenario, index) => {
    const variant = shownFirst(scenario);
    const { outcome, figures = [] } = scenario.variants[variant] ?? { outcome: "pass" };
    return outcome === "pass" || outcome === "unsupported"
      ? []
      : figures.map((figure, at) => ({
          name: figureName({ scenario: index, variant, figure: at }),
          figure,
        }));
  });
  const drawings = new Map<string, string>();
  for (const { name, figure } of wanted.slice(0, MOST_DRAWN))
    drawings.set(name, await svgOf(figure));
  return drawings;
}
