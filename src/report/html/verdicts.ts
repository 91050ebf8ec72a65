// What was expected of a variant, beside what was observed.
import type { ScenarioReport, VariantReport, VerdictReport } from "../model.ts";
import { examinedText, moreEvidence, replay } from "../result-text.ts";
import { differenceOf } from "./difference.ts";
import { escaped } from "./escaped.ts";
import { badge, cell, COPY, table } from "./parts.ts";
import { refusalHref, type RefusalsAt } from "./refusals.ts";

const isBad = ({ outcome }: VerdictReport): boolean => outcome !== "pass";

/** What failed stands first, each with all that is known of it; the rest is a table. */
export function verdictsHtml(scenario: ScenarioReport, at: RefusalsAt): string {
  const variant = scenario.variants[at.variant]!;
  const bad = variant.verdicts.filter(isBad);
  const good = variant.verdicts.filter((verdict) => !isBad(verdict));
  return [
    ...bad.map((verdict) => wrongHtml(verdict, scenario, variant)),
    ...(good.length === 0
      ? []
      : [
          table(
            ["outcome", "expectation", "expected", "observed", "examined"],
            good.map(({ outcome, expectation, expected, observed, examined, line }) => [
              `<span data-line="${line}">${badge(outcome)}</span>`,
              escaped(expectation),
              cell(expected),
              cell(observed),
              examined.toLocaleString("en-US"),
            ]),
            "verdicts",
          ),
        ]),
  ].join("\n");
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
): string {
  const { id, file } = scenario;
  const again = replay({ ...variant, file, scenario: id, variant: variant.name });
  const difference = differenceOf(expected, observed, outcome);
  const isListed = (row: number): boolean =>
    variant.refusals.entries.some(({ citedRows }) => citedRows.includes(row));
  const named = requests.map((name, index) => {
    const row = evidence[index]!;
    return isListed(row)
      ? `<a href="${refusalHref(scenario, variant, row)}">${escaped(name)}</a>`
      : escaped(name);
  });
  // Nobody is to look for links on what was admitted.
  const linked = evidence.some(isListed)
    ? ` <span class="soft">(links lead to refusals)</span>`
    : "";
  const facts = [
    ["expected", `<code>${difference.expected}</code>`],
    ["observed", `<code>${difference.observed}</code>`],
    ...(difference.place === null ? [] : [["first difference", escaped(difference.place)]]),
    ["examined", examinedText({ examined, evidenceTotal })],
    ...(named.length === 0
      ? []
      : [["requests", `${named.join(", ")}${moreEvidence({ requests, evidenceTotal })}${linked}`]]),
    ...(proves.length === 0
      ? []
      : [
          [
            "proves",
            proves.map((each) => `<a href="#r-${escaped(each)}">${escaped(each)}</a>`).join(" "),
          ],
        ]),
    ["stands at", `<code>${escaped(`${file}:${line}`)}</code>`],
    ["again", `<code class="line">${escaped(again)}</code>${COPY}`],
  ];
  return `<div class="verdict ${outcome}" data-line="${line}"><p>${badge(outcome)} ${escaped(expectation)}</p><dl class="facts">${facts.map(([name, html]) => `<dt>${name}</dt><dd>${html}</dd>`).join("")}</dl></div>`;
}
