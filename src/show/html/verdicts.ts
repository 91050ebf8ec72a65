// The expected and observed values of a variant.
import type { ScenarioReport, VariantReport, VerdictReport } from "../../lab/report/model.ts";
import { examinationText, moreEvidence, portableReplay } from "../result-text.ts";
import { differenceOf } from "./difference.ts";
import { html, join, type Html, type Insertable } from "./html.ts";
import { badge, cell, COPY, table } from "./parts.ts";
import { refusalHref, type RefusalsAt } from "./refusals.ts";

const isBad = ({ outcome }: VerdictReport): boolean => outcome !== "pass";

/** Failures come first with all details; the other verdicts are in a table. */
export function verdictsHtml(scenario: ScenarioReport, at: RefusalsAt): Html {
  const variant = scenario.variants[at.variant]!;
  const bad = variant.verdicts.filter(isBad);
  const good = variant.verdicts.filter((verdict) => !isBad(verdict));
  return join(
    [
      ...bad.map((verdict) => wrongHtml(verdict, scenario, variant)),
      ...(good.length === 0
        ? []
        : [
            table(
              ["outcome", "expectation", "expected", "observed", "examined"],
              good.map(({ outcome, expectation, expected, observed, examined, line }) => [
                html`<span data-line="${line}">${badge(outcome)}</span>`,
                expectation,
                cell(expected),
                cell(observed),
                examined.toLocaleString("en-US"),
              ]),
              "verdicts",
            ),
          ]),
    ],
    "\n",
  );
}

function wrongHtml(
  {
    expectation,
    outcome,
    expected,
    observed,
    examined,
    evidence,
    evidenceTotal,
    requests,
    proves,
    line,
  }: VerdictReport,
  scenario: ScenarioReport,
  variant: VariantReport,
): Html {
  const { id, file } = scenario;
  const again = portableReplay({ ...variant, file, scenario: id, variant: variant.name });
  const difference = differenceOf(expected, observed, outcome);
  const isListed = (row: number): boolean =>
    variant.refusals.entries.some(({ citedRows }) => citedRows.includes(row));
  const named = requests.map((name, index) => {
    const row = evidence[index]!;
    return isListed(row)
      ? html`<a href="${refusalHref(scenario, variant, row)}">${name}</a>`
      : name;
  });
  // Links exist only for refusals; admitted requests have none.
  const linked = evidence.some(isListed)
    ? html` <span class="soft">(links lead to refusals)</span>`
    : null;
  const facts: readonly (readonly [string, Insertable])[] = [
    ["expected", html`<code>${difference.expected}</code>`],
    ["observed", html`<code>${difference.observed}</code>`],
    ...(difference.place === null ? [] : ([["first difference", difference.place]] as const)),
    ["examined", examinationText({ examined, evidenceTotal })],
    ...(named.length === 0
      ? []
      : ([
          [
            "requests",
            html`${join(named, ", ")}${moreEvidence({ requests, evidenceTotal })}${linked}`,
          ],
        ] as const)),
    ...(proves.length === 0
      ? []
      : ([
          [
            "proves",
            join(
              proves.map((each) => html`<a href="#r-${each}">${each}</a>`),
              " ",
            ),
          ],
        ] as const)),
    ["file", html`<code>${file}:${line}</code>`],
    ["run again", html`<code class="line">${again}</code>${COPY}`],
  ];
  return html`<div class="verdict ${outcome}" data-line="${line}"><p>${badge(outcome)} ${expectation}</p><dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></div>`;
}
