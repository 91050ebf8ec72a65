// A result as one page: the tables of the terminal, and a drawing of each case that goes along an axis.
import { spec } from "../src/report/figures/spec.ts";
import { html, join, trustMarkup, type Html } from "../src/report/html/html.ts";
import { STYLE } from "../src/report/html/style.ts";
import { renderChart } from "../src/report/figures/svg-of-chart.ts";
import type { CaseResult } from "./harness.ts";
import type { Result } from "./result.ts";
import { tableOf } from "./table.ts";

export async function pageOf({ machine, startedAt, suites }: Result): Promise<string> {
  const sections: Html[] = [];
  for (const one of suites.flatMap(({ cases }) => cases)) sections.push(await sectionOf(one));
  const { cpu, cores, node, system, load } = machine;
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Weir: benchmarks</title>
<style>${trustMarkup(STYLE)}pre { overflow-x: auto; font: .85em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }</style>
</head>
<body>
<h1>Measured beside its controls</h1>
<p class="soft">${`${startedAt}: ${cpu}, ${cores} cores, ${system}, Node ${node}, load ${load.before}`}</p>
${join(sections, "\n")}
</body>
</html>
`);
}

async function sectionOf(one: CaseResult): Promise<Html> {
  const [name = "", ...lines] = tableOf(one);
  const drawing =
    one.along === null
      ? null
      : html`<figure>${trustMarkup(await renderChart(specOf(one, one.along), name))}</figure>`;
  return html`<section><h2>${name}</h2>${drawing}<pre>${lines.join("\n")}</pre></section>`;
}

/** The median along a logarithmic axis, from zero, and the range of the repeats. */
function specOf({ rows, unit }: CaseResult, along: string): ReturnType<typeof spec> {
  const values = rows.flatMap(({ at, summary }) => (at === null ? [] : [{ at, ...summary }]));
  const x = {
    field: "at",
    type: "quantitative",
    title: along,
    scale: { type: "log" },
    axis: { grid: false, format: "~s", values: values.map(({ at }) => at) },
  };
  const y = { type: "quantitative", title: unit, scale: { zero: true }, axis: { format: "~s" } };
  return spec({
    height: 220,
    data: { values },
    layer: [
      {
        mark: {
          type: "line",
          stroke: "var(--admitted)",
          point: { fill: "var(--admitted)", size: 50 },
        },
        encoding: { x, y: { ...y, field: "median" } },
      },
      {
        mark: { type: "rule", stroke: "var(--ink-soft)" },
        encoding: { x, y: { ...y, field: "min" }, y2: { field: "max" } },
      },
    ],
  });
}
