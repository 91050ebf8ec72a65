// A document of measurements as its part of a page: doubts before figures, and where it was measured behind them.
import type { MeasuredPart, MeasuredSection, MeasuredTable, MeasuredWord } from "../measured.ts";
import type { Figure } from "../model.ts";
import { escaped } from "./escaped.ts";
import { figureHtml, type Drawings, type NamedFigure } from "./figure.ts";
import type { PagePart } from "./page.ts";
import { table } from "./parts.ts";

/** `name` begins with a letter, and no other part of the page has it. */
export function measuredPart(name: string, part: MeasuredPart): PagePart {
  const sections = part.sections.map((section, at) => ({
    section,
    figures: section.figures.map((figure, index): NamedFigure => ({
      name: `${name}.${at}.${index}`,
      figure,
    })),
  }));
  const figures = sections.flatMap((one) => one.figures);
  return {
    title: part.title,
    figures: Object.fromEntries(figures.map((one): [string, Figure] => [one.name, one.figure])),
    drawnFirst: figures,
    html: (drawings) =>
      [
        topHtml(part),
        doubtsHtml(part.doubts),
        ...sections.map((one) => sectionHtml(one.section, one.figures, drawings)),
        `<section class="measured"><h2>Where it comes from</h2>${factsHtml(part)}</section>`,
      ].join("\n"),
  };
}

const LOOKS: Readonly<Record<MeasuredWord, string>> = {
  improved: "pass",
  same: "pass",
  within: "pass",
  regressed: "fail",
  outside: "fail",
  unclear: "inconclusive",
  partial: "inconclusive",
};

const topHtml = ({ headline, word, summary }: MeasuredPart): string =>
  `<header><div class="head">${word === null ? "" : `<span class="badge ${LOOKS[word]}">${word}</span>`}<h1>${escaped(headline)}</h1></div>
${paragraphs(summary)}
<noscript><p>Charts that are not seen here are drawn by the script of this page, which does not run. The tables have their figures.</p></noscript></header>`;

const doubtsHtml = (doubts: readonly string[]): string =>
  doubts.length === 0
    ? ""
    : `<section class="measured doubts"><h2>Before you believe it</h2><ul>${doubts.map((doubt) => `<li>${escaped(doubt)}</li>`).join("")}</ul></section>`;

const sectionHtml = (
  { title, notes, tables }: MeasuredSection,
  figures: readonly NamedFigure[],
  drawings: Drawings,
): string =>
  `<section class="measured"><h2>${escaped(title)}</h2>
${paragraphs(notes)}
${figures.map((figure) => figureHtml(figure, drawings)).join("\n")}
${tables.map(tableHtml).join("\n")}
</section>`;

const paragraphs = (all: readonly string[]): string =>
  all.map((text) => `<p class="soft">${escaped(text)}</p>`).join("\n");

function tableHtml({ heads, rows, folded, names }: MeasuredTable): string {
  const cells = (texts: readonly string[]): readonly string[] => texts.map(escaped);
  const whole = table(cells(heads), rows.map(cells), names === 1 ? "amounts" : "amounts two-names");
  return folded === null
    ? whole
    : `<details><summary>${escaped(folded)}</summary>${whole}</details>`;
}

const factsHtml = ({ facts }: MeasuredPart): string =>
  table(
    ["what", "as it was"],
    facts.map((fact) => fact.map(escaped)),
    "circumstances",
  );
