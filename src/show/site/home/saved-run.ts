// An experiment as an image of its own, with its question, its counts and the sentence to take along.
import { FONT } from "../../figures/spec.ts";
import { html, type Html } from "../../html/html.ts";
import { highestIn, type Columns } from "./columns.ts";
import { lookOf, type RunExperiment } from "./experiment-html.ts";
import type { SiteExperiment } from "./experiments.ts";

const WIDTH = 1200;
const MARGIN = 40;
const WIDE = WIDTH - 2 * MARGIN;
const TOP = 120;
const LANE = 235;
const GRAPH_TOP = 72;
const GRAPH_HIGH = 125;
const FOOT = 110;

/** `colourOf` has the colours of the page by name. */
export function renderRunSvg(
  experiment: SiteExperiment,
  run: RunExperiment,
  address: string,
  colourOf: (name: string) => string,
): string {
  const { question, about, handle, lesson, lanes } = experiment;
  const height = TOP + lanes.length * LANE + FOOT;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="${FONT}"><title>${question}</title><desc>${address}</desc>
<rect width="${WIDTH}" height="${height}" fill="var(--page)"/>
${line(question, 58, 28, "ink", true)}
${line(`${about} Here: ${handle.words(run.value)}.`, 92, 17, "ink-soft")}
${lanes.map((_, index) => laneHtml(experiment, run, index))}
${line(lesson, height - FOOT + 36, 21, "ink", true)}
${line(address, height - 28, 15, "ink-soft")}
<text x="${WIDTH - MARGIN}" y="${height - 28}" font-size="15" font-weight="600" text-anchor="end" fill="var(--ink-soft)">Weir</text></svg>`;
  return String(svg).replaceAll(/var\(--([\w-]+)\)/g, (_, name: string) => colourOf(name));
}

const line = (words: string, y: number, size: number, colour: string, isBold = false): Html =>
  html`<text x="${MARGIN}" y="${y}" font-size="${size}"${isBold && html` font-weight="650"`} fill="var(--${colour})">${words}</text>`;

function laneHtml(experiment: SiteExperiment, run: RunExperiment, index: number): Html {
  const columns = run.lanes[index]!;
  const { name, count, isBad, why } = lookOf(experiment, experiment.lanes[index]!, columns, run);
  const top = TOP + index * LANE;
  return html`${line(name, top + 30, 20, "ink", true)}
<text x="${WIDTH - MARGIN}" y="${top + 38}" text-anchor="end" font-size="18" fill="var(--ink-soft)"><tspan font-size="40" font-weight="700" fill="var(--${isBad ? "fail" : "pass"})">${count}</tspan> ${experiment.unit}</text>
${line(why, top + 58, 16, "ink-soft")}
${columnsHtml(columns, highestIn(run.lanes), top + GRAPH_TOP)}`;
}

function columnsHtml({ admitted, refused }: Columns, most: number, top: number): Html {
  const wide = WIDE / admitted.length;
  const bottom = top + GRAPH_HIGH;
  const column = (at: number, below: number, count: number, colour: string): Html | null => {
    const [y, high] = [((below + count) / most) * GRAPH_HIGH, (count / most) * GRAPH_HIGH];
    return count === 0
      ? null
      : html`<rect x="${(MARGIN + at * wide).toFixed(1)}" y="${(bottom - y).toFixed(1)}" width="${(wide * 0.85).toFixed(1)}" height="${high.toFixed(1)}" fill="var(--${colour})"/>`;
  };
  return html`<rect x="${MARGIN}" y="${bottom}" width="${WIDE}" height="2" fill="var(--line)"/>${admitted.map(
    (count, at) =>
      html`${column(at, 0, count, "admitted")}${column(at, count, refused[at]!, "refused")}`,
  )}`;
}
