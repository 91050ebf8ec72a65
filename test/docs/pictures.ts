// The charts of a page: `<!-- chart: SCENARIO VARIANT -->` before an image. The scenario is run in virtual time, the
// report's own code draws its history, and the text of the image is what the chart shows. `npm run docs:figures` writes
// both; a test compares them.
import { formatStatus } from "#src/lab/scenario/expectation.ts";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import type { Scenario } from "#src/lab/scenario/types.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { variantFigures } from "#src/lab/report/build/variant-figures.ts";
import { bound } from "#src/show/figures/bound.ts";
import { drawableOf } from "#src/show/figures/drawable-of.ts";
import type { Drawable, Legend } from "#src/show/figures/drawable.ts";
import { FONT } from "#src/show/figures/spec.ts";
import { svgOfSpec } from "#src/show/figures/svg.ts";
import { templates } from "#src/show/figures/templates.ts";
import { html } from "#src/show/html/html.ts";
import { DARK, LIGHT } from "#src/show/html/style.ts";
import type { RunFigure } from "#src/lab/report/model-figures.ts";
import { root } from "./desk.ts";

export interface Chart {
  readonly scenario: string;
  readonly variant: string;
  readonly alt: string;
  readonly file: string; // from the root of the repository
}

/** Of the page with charts. */
const FOLDER = "docs/answer";

const CHART = /^<!-- chart: (\S+)(?: (.+?))? -->\n\n!\[([^\]]*)\]\(([^)]+)\)$/gm;

export const chartsOf = (text: string): readonly Chart[] =>
  [...text.matchAll(CHART)].map(([, scenario = "", variant = "", alt = "", file = ""]) => ({
    scenario,
    variant,
    alt,
    file: posix.join(FOLDER, file),
  }));

export const withAlts = (text: string, altOf: (chart: Chart) => string): string =>
  text.replaceAll(CHART, (whole) => {
    const [chart] = chartsOf(whole);
    return whole.replace(/!\[[^\]]*\]/, () => `![${altOf(chart!)}]`);
  });

/** Scenarios that a page names as proof, each with the requirements: `[name](file) (LIM-1, LIM-C11)`. */
export const proofsOf = (
  text: string,
): readonly (readonly [id: string, ids: readonly string[]])[] =>
  [...text.matchAll(/\]\(\.\.\/\.\.\/scenarios\/(\S+?)\.yaml\)\s+\(([A-Z]+-[^)]+)\)/g)].map(
    ([, id = "", ids = ""]) => [id, ids.split(/,\s+/)],
  );

export function readScenario(id: string): Scenario {
  const file = `scenarios/${id}.yaml`;
  const { scenario, problems } = decode(file, readFileSync(join(root, file), "utf8"));
  if (scenario === null) throw new Error(`${file}: ${problems[0]?.message ?? "not readable"}`);
  return scenario;
}

export interface DrawnChart {
  readonly svg: string;
  readonly alt: string;
}

/** The first figure that the report has for this variant. */
export async function draw({ scenario: id, variant: name }: Chart): Promise<DrawnChart> {
  const scenario = readScenario(id);
  const variant = scenario.variants.find((each) => each.name === name);
  if (variant === undefined) {
    const names = scenario.variants.map((each) => `"${each.name}"`).join(", ");
    throw new Error(`${id} has no variant "${name}"; it has ${names}`);
  }
  const history = playVirtual(variant, plan(variant, scenario.id, 1));
  const [figure] = variantFigures(variant, history, scenario.charts);
  if (figure === undefined) throw new Error(`${id} ${name} has no figure`);
  return { svg: await standalone(figure, [id, name].join(" ").trim()), alt: altOf(figure) };
}

// ---------------------------------------------------------------- one file, readable on light and dark pages

const WIDTH = 680;
const MARGIN = 12;
const LINE = 20;
const LETTER = 6.6; // of 12 px, on average

async function standalone(figure: RunFigure, title: string): Promise<string> {
  const drawable = drawableOf(figure);
  const still: Drawable = { ...drawable, data: { ...drawable.data, hover: [] } };
  const chart = withOwnIds(await svgOfSpec(bound(templates()[drawable.kind], still, WIDTH), title));
  const rows = rowsOf(drawable.legend);
  const top = MARGIN + LINE * (1 + rows.length);
  const height = top + drawable.height + MARGIN;
  const keys = rows.flatMap((row, index) =>
    row.map((key) => keySvg(key, MARGIN + LINE * (index + 1))),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH + 2 * MARGIN} ${height}" width="${WIDTH + 2 * MARGIN}" height="${height}">
<style>svg { ${LIGHT} font-family: ${FONT.replaceAll('"', "'")}; font-size: 12px; }
@media (prefers-color-scheme: dark) { svg { ${DARK} } }</style>
<rect width="100%" height="100%" rx="6" style="fill:var(--panel)"/>
${String(html`<text x="${MARGIN}" y="${MARGIN + 10}" style="fill:var(--ink)">${title}</text>`)}
${keys.join("\n")}
${chart.replace("<svg ", `<svg x="${MARGIN}" y="${top}" `)}
</svg>
`;
}

/** Vega numbers clip paths over all drawings of a process. */
function withOwnIds(svg: string): string {
  const ids = new Map<string, string>();
  for (const [, id = ""] of svg.matchAll(/ id="(clip\d+)"/g)) ids.set(id, `clip-${ids.size + 1}`);
  return svg.replaceAll(/\bclip\d+\b/g, (id) => ids.get(id) ?? id);
}

interface Key {
  readonly x: number;
  readonly what: string;
  readonly colour: string;
  readonly look: string;
}

/** From left to right, and in the next row if there is no space left. */
function rowsOf(legend: Legend): readonly (readonly Key[])[] {
  const rows: Key[][] = [];
  let x = Number.POSITIVE_INFINITY;
  for (const { what, colour, look = "bar" } of legend) {
    const width = 22 + what.length * LETTER + 16;
    if (x + width > WIDTH) {
      rows.push([]);
      x = MARGIN;
    }
    rows.at(-1)!.push({ x, what, colour, look });
    x += width;
  }
  return rows;
}

const DASHES: Readonly<Record<string, string>> = { dashed: "7 3", limit: "9 4", dotted: "2 3" };

function keySvg({ x, what, colour, look }: Key, y: number): string {
  const isArea = ["bar", "span", "broad"].includes(look);
  const opacity = ["span", "broad"].includes(look) ? ' opacity="0.4"' : "";
  const dash = DASHES[look] === undefined ? "" : ` stroke-dasharray="${DASHES[look]}"`;
  const symbol = isArea
    ? `<rect x="${Math.round(x)}" y="${y + 2}" width="14" height="10"${opacity} style="fill:${colour}"/>`
    : `<path d="M${Math.round(x)} ${y + 7}h16"${dash} style="stroke:${colour};stroke-width:2"/>`;
  return `${symbol}<text x="${Math.round(x) + 22}" y="${y + 11}" style="fill:var(--ink-soft)">${String(html`${what}`)}</text>`;
}

// ---------------------------------------------------------------- the same in words

function altOf(figure: RunFigure): string {
  if (figure.kind === "sequence") {
    const flows = Map.groupBy(figure.runs, ({ flow }) => flow);
    return [...flows]
      .map(([flow, runs]) => {
        const answers = runs.map(
          ({ from, to, status, isDelayed }) =>
            `${to - from} × ${isDelayed ? "delayed" : formatStatus(status)}`,
        );
        return `${flow}: ${answers.join(", ")}`;
      })
      .join("; ");
  }
  if (figure.kind !== "time") throw new Error(`a ${figure.kind} figure has no words yet`);
  const all = [...figure.bars, ...figure.curves, ...figure.lines];
  const parts = all.map(({ what, values }) => {
    const numbers = values.filter((value) => value !== null);
    return `${what} ${Math.min(...numbers)} to ${Math.max(...numbers)}`;
  });
  return `${figure.unit} in ${figure.untilS} s: ${parts.join(", ")}; ${figure.marks.length} events`;
}
