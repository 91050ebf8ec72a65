// The variants of a scenario as small charts on one scale, each with its numbers. The script sorts by any number.
import { formatDuration, micros, SECOND } from "../../kit/units.ts";
import type { ScenarioReport, VariantReport } from "../../lab/report/model.ts";
import { hashOf, NOWHERE } from "./address.ts";
import { html, NOTHING, type Html } from "./html.ts";
import { anchorOf, badge, countWithShare, formatCount } from "./parts.ts";
import { sparkHtml, sparkOf, type Spark } from "./sparkline.ts";

interface Column {
  readonly name: string;
  readonly textOf: (variant: VariantReport) => string;
}

/** A card for each variant. A number that is equal in all variants is shown once, above the cards. */
export function variantsHtml(scenario: ScenarioReport): Html {
  const { variants } = scenario;
  const columns = columnsOf(variants);
  const isShared = ({ textOf }: Column): boolean => new Set(variants.map(textOf)).size === 1;
  const [shared, own] = [columns.filter(isShared), columns.filter((each) => !isShared(each))];
  const sparks = variants.map(sparkOf);
  const card = (variant: VariantReport, at: number): Html =>
    html`<li><a class="value" href="${hashOf({ ...NOWHERE, anchor: anchorOf(scenario), variant: variant.name })}">${variant.name}</a>${chartHtml(sparks[at]!, sparks)}<dl>${own.map(
      ({ name, textOf }) =>
        html`<div><dt>${name}</dt><dd class="value">${name === "outcome" ? badge(variant.outcome) : textOf(variant)}</dd></div>`,
    )}</dl></li>`;
  const sorts = ["variant", ...own.map(({ name }) => name)];
  return html`<p class="sorts live" role="group" aria-label="Sort variants"><span class="soft">Sort by</span> ${sorts.map(
    (name, index) => html`<button type="button" class="sort" data-by="${index}">${name}</button> `,
  )}</p>
${shared.length === 0 ? null : html`<p class="soft">The same in all: ${shared.map(({ name, textOf }) => `${name} ${textOf(variants[0]!)}`).join(", ")}</p>`}
<ol class="cards">${variants.map(card)}</ol>`;
}

function columnsOf(variants: readonly VariantReport[]): readonly Column[] {
  const count =
    (name: "admitted" | "delayed" | "refused" | "rejected" | "lost" | "undecided") =>
    (variant: VariantReport): string =>
      countWithShare(variant[name], variant.requests);
  const has = (name: "delayed" | "lost" | "undecided"): boolean =>
    variants.some((variant) => variant[name] > 0);
  return [
    { name: "outcome", textOf: ({ outcome }) => outcome },
    { name: "requests", textOf: ({ requests }) => formatCount(requests) },
    { name: "admitted", textOf: count("admitted") },
    ...(has("delayed") ? [{ name: "delayed", textOf: count("delayed") }] : []),
    { name: "refused", textOf: count("refused") },
    { name: "rejected", textOf: count("rejected") },
    ...(has("lost") ? [{ name: "lost", textOf: count("lost") }] : []),
    { name: "most admitted", textOf: peakText },
    ...(variants.some(({ driver }) => driver !== variants[0]!.driver)
      ? [{ name: "driver", textOf: ({ driver }: VariantReport) => driver }]
      : []),
    ...(has("undecided") ? [{ name: "undecided", textOf: count("undecided") }] : []),
    { name: "duration", textOf: ({ virtualUs }) => `${formatCount(virtualUs / SECOND)} s` },
  ];
}

const peakText = ({ peak }: VariantReport): string =>
  peak === null ? "–" : `${formatCount(peak.admitted)} in ${formatDuration(micros(peak.perUs))}`;

/** A chart with axes in words, on the scale of the highest chart of the same unit. */
function chartHtml(spark: Spark | null, all: readonly (Spark | null)[]): Html {
  if (spark === null) return NOTHING;
  const { unit, ends } = spark;
  const top = Math.max(...all.map((each) => (each?.unit === unit ? each.top : 0)));
  return html`<div class="axis">${unit === null ? "answers, in order" : `${formatCount(Number(top.toPrecision(3)))} ${unit}`}</div>${sparkHtml(spark, top)}<div class="axis"><span>${ends[0]}</span><span>${ends[1]}</span></div>`;
}
