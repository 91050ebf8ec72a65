// The report as one page that needs nothing else: no script, no address outside itself, every text escaped.
import { formatDuration, micros } from "../core/units.ts";
import { legendOf } from "./chart-spec.ts";
import { escaped } from "./escaped.ts";
import type { Chart, ExpectationReport, Report, ScenarioReport, VariantReport } from "./model.ts";
import { STYLE } from "./style.ts";
import { svgOf } from "./svg.ts";

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

export async function toHtml(report: Report): Promise<string> {
  const { scenarios, seed, footer } = report;
  const sections: string[] = [];
  for (const scenario of scenarios) sections.push(await sectionOf(scenario));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Weir: ${footer.passed} passed, ${footer.failed} failed</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>What was run, and what holds</h1>
<p>${many(footer.scenarios, "scenario")} in ${many(footer.variants, "variant")}:
${footer.passed} passed, ${footer.failed} failed, ${footer.skipped} skipped.
<span class="soft">Seed ${seed}.</span></p>
</header>
${overview(scenarios)}
<main>
${sections.join("\n")}
</main>
<footer class="soft"><p>End of the report: ${many(footer.scenarios, "scenario")}.</p></footer>
</body>
</html>
`;
}

const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const badge = (outcome: string): string => `<span class="badge ${outcome}">${outcome}</span>`;

const anchorOf = (id: string): string => `s-${id.replaceAll(/[^a-z0-9-]/g, "-")}`;

const ids = (names: readonly string[]): string =>
  `<span class="ids soft">${escaped(names.join(" "))}</span>`;

/** Row by row, cells ready to stand in the page; a heading in front. */
const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="scroll"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead>
<tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n")}</tbody></table></div>`;

function overview(scenarios: readonly ScenarioReport[]): string {
  const isBad = ({ outcome }: ScenarioReport): boolean =>
    outcome !== "pass" && outcome !== "unsupported";
  const rows = [...scenarios.filter(isBad), ...scenarios.filter((one) => !isBad(one))].map(
    ({ id, title, outcome, variants }) => [
      badge(outcome),
      `<a href="#${anchorOf(id)}"><code>${escaped(id)}</code></a>`,
      escaped(title),
      String(variants.length),
    ],
  );
  const all = table(["outcome", "scenario", "what it shows", "variants"], rows);
  return `<details${scenarios.some(isBad) ? " open" : ""}><summary>All scenarios</summary>${all}</details>`;
}

async function sectionOf(scenario: ScenarioReport): Promise<string> {
  const { id, title, about, file, proves, outcome, expectations, variants, charts } = scenario;
  const figures: string[] = [];
  for (const chart of charts) figures.push(await figure(chart));
  return `<section id="${anchorOf(id)}">
<div class="head">${badge(outcome)}<h2>${escaped(title)}</h2></div>
<p><code class="soft">${escaped(file)}</code> ${ids(proves)}</p>
${about === "" ? "" : `<p>${escaped(about)}</p>`}
${figures.join("\n")}
${table(["outcome", "expectation", "expected", "observed", "examined", "variants"], expectations.map(verdictRow))}
${variants.length > 1 ? variantTable(variants) : ""}
</section>`;
}

const verdictRow = ({
  id,
  outcome,
  worst,
  examined,
  variants,
}: ExpectationReport): readonly string[] => [
  badge(outcome),
  escaped(id),
  escaped(shortened(worst.expected)),
  `${escaped(shortened(worst.observed))}${worst.variant === "" ? "" : `<br><span class="soft">${escaped(worst.variant)}</span>`}`,
  String(examined),
  String(variants),
];

const LONGEST_CELL = 240;

const shortened = (text: string): string =>
  text.length <= LONGEST_CELL ? text : `${text.slice(0, LONGEST_CELL - 1)}…`;

const variantTable = (variants: readonly VariantReport[]): string =>
  `<details><summary>${many(variants.length, "variant")}</summary>${table(
    ["outcome", "variant", "requests", "refused", "virtual time"],
    variants.map(({ name, outcome, requests, refused, virtualUs }) => [
      badge(outcome),
      escaped(name),
      String(requests),
      String(refused),
      formatDuration(micros(virtualUs)),
    ]),
  )}</details>`;

async function figure(chart: Chart): Promise<string> {
  const of = chart.variant === "" ? "" : `, ${chart.variant}`;
  const legend = legendOf(chart).map(
    ({ what, colour }) =>
      `<span class="key"><i style="background:${colour}"></i>${escaped(what)}</span>`,
  );
  return `<figure><figcaption>${escaped(chart.title + of)} ${legend.join(" ")}</figcaption>${await svgOf(chart)}</figure>`;
}
