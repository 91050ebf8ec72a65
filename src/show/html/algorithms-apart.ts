// How the algorithms of a scenario differ, in one sentence.
import { isBad } from "./overview.ts";
import type { Report, ScenarioReport } from "../../lab/report/model.ts";
import { html, type Html } from "./html.ts";
import { anchorOf, formatCount, many, shareOf } from "./parts.ts";

interface Side {
  readonly name: string;
  readonly admitted: number;
  readonly offered: number;
}

interface Apart {
  readonly sentence: string;
  readonly spread: number; // difference between the largest and the smallest admitted share
}

/** Matches the title of a `by-algorithm` figure. The group contains the values of the other axes. */
const TITLE = /^admitted and refused by each algorithm(?:, with (.*))?$/;

/** How the algorithms differ; null if there is one algorithm, or if all of them admit the same number. */
export function algorithmsApart({ figures }: ScenarioReport): Apart | null {
  for (const figure of figures) {
    const title = TITLE.exec(figure.title);
    if (figure.kind !== "compared" || title === null) continue;
    const sides = figure.rows.map(({ name, parts }): Side => ({
      name,
      admitted: parts.find(({ what }) => what === "admitted")?.value ?? 0,
      offered: parts.reduce((sum, { value }) => sum + value, 0),
    }));
    const sorted = sides.toSorted((a, b) => b.admitted - a.admitted);
    const [most, least] = [sorted[0]!, sorted.at(-1)!];
    if (most.admitted === least.admitted) return null;
    const at = (end: Side): readonly Side[] =>
      sides.filter(({ admitted }) => admitted === end.admitted);
    const between = sides.filter(
      ({ admitted }) => admitted !== most.admitted && admitted !== least.admitted,
    );
    const words = [
      `${namesOf(at(most), "admits", "admit")} most (${countsOf(at(most))})`,
      `${namesOf(at(least), "", "")} least (${countsOf(at(least))})`,
    ].join(", ");
    const start = title[1] === undefined ? "" : `With ${title[1]}, `;
    return {
      sentence: `${start}${words}${betweenText(between)}.`,
      spread: share(most) - share(least),
    };
  }
  return null;
}

/** The answer of the run, or how the algorithms differ in a report without one. */
export function sentencesApart(scenario: ScenarioReport): readonly string[] {
  if (scenario.answer !== undefined) return scenario.answer.map(({ text }) => text);
  const apart = algorithmsApart(scenario);
  return apart === null ? [] : [apart.sentence];
}

const share = ({ admitted, offered }: Side): number => (offered === 0 ? 0 : admitted / offered);

const MOST_NAMED = 3;

const namesOf = (sides: readonly Side[], one: string, more: string): string => {
  const names = sides.map(({ name }) => name);
  const listed =
    names.length > MOST_NAMED
      ? `${names.length} algorithms`
      : names.length === 1
        ? names[0]!
        : `${names.slice(0, -1).join(", ")} and ${names.at(-1)!}`;
  return `${listed} ${names.length === 1 ? one : more}`.trim();
};

function countsOf([first, ...others]: readonly Side[]): string {
  const { admitted, offered } = first!;
  const isSame = others.every((each) => each.offered === offered);
  const each = others.length === 0 ? "" : " each";
  return isSame
    ? `${formatCount(admitted)} of ${formatCount(offered)}${each}, ${shareOf(admitted, offered)}`
    : `${formatCount(admitted)}${each}`;
}

function betweenText(sides: readonly Side[]): string {
  if (sides.length === 0) return "";
  const counts = sides.map(({ admitted }) => admitted);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const range =
    least === most ? formatCount(least) : `${formatCount(least)} to ${formatCount(most)}`;
  return `; ${namesOf(sides, "admits", "admit")} ${range}`;
}

/** The maximum number of listed scenarios: lower if one failed, because readers then look for failures. */
const MOST_SCENARIOS = { ofPassed: 6, ofFailed: 3 };

/** The answer of one scenario; of several, in how many the algorithms differ, and where they differ most. */
export function runApartHtml({ scenarios }: Report): Html | null {
  const [only, second] = scenarios;
  if (only !== undefined && second === undefined) {
    const sentences = sentencesApart(only);
    return sentences.length === 0
      ? null
      : html`${sentences.map((sentence) => html`<p class="apart">${sentence}</p>`)}`;
  }
  const found = scenarios.flatMap((scenario) => {
    const apart = algorithmsApart(scenario);
    return apart === null ? [] : [{ scenario, ...apart }];
  });
  if (found.length === 0) return null;
  const most = scenarios.some(isBad) ? MOST_SCENARIOS.ofFailed : MOST_SCENARIOS.ofPassed;
  const widest = found.toSorted((a, b) => b.spread - a.spread).slice(0, most);
  return html`<section class="apart-most" aria-label="Algorithms"><p>Algorithms admit different numbers of requests in ${formatCount(found.length)} of ${many(scenarios.length, "scenario")}${found.length > widest.length ? ", most of all in these" : ""}:</p><ul>${widest.map(
    ({ scenario, sentence }) =>
      html`<li><a href="#${anchorOf(scenario)}">${scenario.title}</a>: <span class="soft">${sentence}</span></li>`,
  )}</ul></section>`;
}
