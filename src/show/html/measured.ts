// A document of measurements as part of a page: doubts before the figures, and facts about the measurement after them.
import type {
  MeasuredPart,
  MeasuredSection,
  MeasuredTable,
  MeasuredWord,
} from "../../lab/report/measured.ts";
import type { Figure } from "../figures/drawable-of.ts";
import { html, join, NOTHING, type Html } from "./html.ts";
import { figureHtml, figuresHtml, type Drawings, type NamedFigure } from "./figure.ts";
import type { PagePart } from "./page.ts";
import { table } from "./parts.ts";
import { peaksHtml } from "./peaks.ts";

/** `name` is the prefix of the figures' names: it starts with a letter, and no other part has the same prefix. */
export function partOfMeasured(name: string, part: MeasuredPart): PagePart {
  const { named, figures, html: sectionsHtml } = sectionsOfMeasured(name, part);
  return {
    title: part.title,
    figures,
    drawnFirst: named.filter(({ figure }) => !DRAWN_BY_SCRIPT.has(figure.kind)),
    html: (drawings) =>
      join(
        [
          topHtml(part),
          doubtsHtml(part.doubts),
          sectionsHtml(drawings),
          html`<section class="measured"><h2>Circumstances</h2>${factsHtml(part)}</section>`,
        ],
        "\n",
      ),
  };
}

interface MeasuredSections {
  readonly named: readonly NamedFigure[];
  readonly figures: Readonly<Record<string, Figure>>; // by name
  readonly html: (drawings: Drawings) => Html;
}

/** The figures and tables of the document, without its headline, doubts and facts. */
export function sectionsOfMeasured(name: string, part: MeasuredPart): MeasuredSections {
  const sections = part.sections.map((section, at) => ({
    section,
    figures: section.figures.map((figure, index): NamedFigure => ({
      name: `${name}.${at}.${index}`,
      figure,
    })),
  }));
  const named = sections.flatMap((one) => one.figures);
  return {
    named,
    figures: Object.fromEntries(named.map((one): [string, Figure] => [one.name, one.figure])),
    html: (drawings) =>
      join(
        sections.map((one) => sectionHtml(one.section, one.figures, drawings)),
        "\n",
      ),
  };
}

/** The script draws small figures, whose width only it knows, and timelines, which have thousands of marks. */
const DRAWN_BY_SCRIPT: ReadonlySet<Figure["kind"]> = new Set(["time", "curve", "timelines"]);

const LOOKS: Readonly<Record<MeasuredWord, string>> = {
  improved: "pass",
  same: "pass",
  within: "pass",
  regressed: "fail",
  outside: "fail",
  unclear: "inconclusive",
  partial: "inconclusive",
};

/** No line begins with the unit of a number. */
const keepUnits = (text: string): string => text.replaceAll(/(?<=\d) (?=%|m?s\b)/g, "\u00a0");

const topHtml = ({ headline, word, answer = [], summary }: MeasuredPart): Html =>
  html`<header><div class="head">${word === null ? null : html`<span class="badge ${LOOKS[word]}">${word}</span>`}<h1>${keepUnits(headline)}</h1></div>
${answer.map((text) => html`<p class="answer">${keepUnits(text)}</p>`)}
${paragraphs(summary)}
<noscript><p>The script of this page does not run here, so some charts are missing. The tables have their values.</p></noscript></header>`;

const doubtsHtml = (doubts: readonly string[]): Html =>
  doubts.length === 0
    ? NOTHING
    : html`<section class="measured doubts"><h2>Reasons for doubt</h2><ul>${doubts.map((doubt) => html`<li>${doubt}</li>`)}</ul></section>`;

const sectionHtml = (
  { title, notes, tables }: MeasuredSection,
  figures: readonly NamedFigure[],
  drawings: Drawings,
): Html =>
  html`<section class="measured"><h2>${title}</h2>
${paragraphs(notes)}
${placesHtml(figures, drawings)}
${join(tables.map(tableHtml), "\n")}
</section>`;

/** Figures over time and curves are small and share rows; all others have the width of the page. */
const placesHtml = (figures: readonly NamedFigure[], drawings: Drawings): Html =>
  figures.every(({ figure }) => figure.kind === "time" || figure.kind === "curve")
    ? figuresHtml(figures, drawings)
    : join(
        figures.map((named) =>
          named.figure.kind === "peaks"
            ? html`${figureHtml(named, drawings)}${peaksHtml(named.name, named.figure)}`
            : figureHtml(named, drawings),
        ),
        "\n",
      );

const paragraphs = (all: readonly string[]): Html =>
  join(
    all.map((text) => html`<p class="soft">${keepUnits(text)}</p>`),
    "\n",
  );

const CLASSES = {
  1: "amounts",
  2: "amounts two-names",
  3: "amounts two-names three-names",
} as const;

function tableHtml({ heads, rows, folded, names }: MeasuredTable): Html {
  const whole = table(
    heads,
    rows.map((row) => row.map(cellHtml)),
    CLASSES[names],
  );
  return folded === null ? whole : html`<details><summary>${folded}</summary>${whole}</details>`;
}

/** The second line of a cell explains the first one. */
const cellHtml = (text: string): Html => {
  const [first = "", second] = text.split("\n");
  return second === undefined ? html`${first}` : html`${first}<br><small>${second}</small>`;
};

const factsHtml = ({ facts }: MeasuredPart): Html =>
  table(
    ["name", "value"],
    facts.map((fact) => fact),
    "circumstances",
  );
