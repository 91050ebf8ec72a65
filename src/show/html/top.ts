// The top of the page: the result of the run in a sentence, and the command that repeats the run.
import { WORST_FIRST } from "../result-text.ts";
import { isGood } from "../../lab/check/counts.ts";
import type { Report, ScenarioReport } from "../../lab/report/model.ts";
import { portableCommand } from "../../kit/command-line.ts";
import { runApartHtml } from "./algorithms-apart.ts";
import { differenceOf } from "./difference.ts";
import { html, join, type Html, type Insertable } from "./html.ts";
import { isBad, worstVariant } from "./overview.ts";
import { anchorOf, cell, COPY, formatCount, many, shareOf, signOf } from "./parts.ts";
import { requestsHtml } from "./requests.ts";

/** One sentence, or two if the run fails although no variant does. */
export function verdictOf(report: Report): string {
  const ofVariants = variantsInWords(report);
  // Some readers read only this sentence, so it begins with the failure.
  return report.faults.length === 0 || report.footer.failed > 0
    ? ofVariants
    : `This run fails. ${ofVariants}`;
}

function variantsInWords({ isComplete, footer, scenarios }: Report): string {
  const { variants, passed, failed, skipped } = footer; // skipped: the driver does not support them
  const bad = scenarios.filter(isBad);
  const soFar = isComplete ? "" : " so far";
  if (variants === 0) return "Nothing was run.";
  if (failed > 0)
    return `${formatCount(failed)} of ${many(variants, "variant")} ${failed === 1 ? "does" : "do"} not pass${soFar}, in ${many(bad.length, "scenario")}.`;
  if (skipped === variants) return "Nothing was run: no driver supports these variants.";
  const all = variants === 1 ? "The variant passes" : `All ${formatCount(variants)} variants pass`;
  const some =
    passed === 0
      ? "No variant passes"
      : `${formatCount(passed)} of ${many(variants, "variant")} ${passed === 1 ? "passes" : "pass"}`;
  // The variants that ran in real time with a timing that allows both outcomes.
  const open = variants - passed - failed - skipped;
  return `${passed === variants ? all : some}${soFar}${and(open, "inconclusive")}${and(skipped, "not supported")}.`;
}

const and = (count: number, what: string): string =>
  count === 0 ? "" : `; ${formatCount(count)} ${count === 1 ? "was" : "were"} ${what}`;

/** The notice of a stopped run comes first, because variants that were not run might fail. */
const notices = ({ isComplete, faults, warnings = [] }: Report): Html =>
  join(
    [
      ...(isComplete
        ? []
        : [
            notice(
              html`<strong>This run was stopped before its end.</strong> Missing variants were not run, and their outcomes are unknown.`,
            ),
          ]),
      ...(faults.length === 0 ? [] : [reasonsHtml(faults)]),
      ...(warnings.length === 0 ? [] : [warningsHtml(warnings)]),
    ],
    "\n",
  );

const notice = (content: Html): Html => html`<p class="notice fail">${content}</p>`;

const MOST_REASONS = 3;

/** One banner for all reasons, because the heading and the repeat command must stay on the first screen. */
function reasonsHtml(faults: readonly string[]): Html {
  const [first] = faults;
  if (faults.length === 1) return notice(html`<strong>This run fails:</strong> ${first!}`);
  const which = faults.length > MOST_REASONS ? `; the first ${MOST_REASONS}` : "";
  return html`<div class="notice fail"><p><strong>This run fails for ${formatCount(faults.length)} reasons${which}:</strong></p>
${shortList(faults)}</div>`;
}

/** Each line already has its file and severity. */
const warningsHtml = (warnings: readonly string[]): Html =>
  html`<div class="notice"><p><strong>${many(warnings.length, "warning")} in the scenario files:</strong></p>
${shortList(warnings)}</div>`;

function shortList(lines: readonly string[]): Html {
  const list = (each: readonly string[]): Html =>
    html`<ul>${each.map((line) => html`<li>${line}</li>`)}</ul>`;
  if (lines.length <= MOST_REASONS) return list(lines);
  return html`${list(lines.slice(0, MOST_REASONS))}
<details><summary>All ${formatCount(lines.length)}</summary>${list(lines)}</details>`;
}

export function topHtml(report: Report, summary: Insertable): Html {
  const { seed, argv, commit, startedAt, tookSeconds, versions, footer, scenarios } = report;
  const drivers = [
    ...new Set(scenarios.flatMap(({ variants }) => variants.map(({ driver }) => driver))),
  ];
  const tone =
    footer.failed > 0 || report.faults.length > 0
      ? "fail"
      : footer.passed > 0 && report.isComplete
        ? "pass"
        : "vacuous";
  const command = portableCommand(argv);
  const facts: readonly (readonly [string, Insertable])[] = [
    ["Seed", html`<code>${seed}</code>`],
    ["Commit", commit === null ? "" : html`<code title="${commit}">${shortCommit(commit)}</code>`],
    [drivers.length === 1 ? "Driver" : "Drivers", drivers.join(", ")],
    ["Started", html`<time datetime="${startedAt}">${minuteOf(startedAt)}</time>`],
    ["Took", `${formatCount(tookSeconds)} s`],
    [
      "Versions",
      Object.entries(versions)
        .map((each) => each.join(" "))
        .join(", "),
    ],
  ];
  return html`<header class="top">
${notices(report)}
<h1 class="${tone}">${verdictOf(report)}</h1>
${scenarios.length === 1 && runApartHtml(report)}
${footer.variants === 0 ? null : html`<p class="counts">${countsOf(report)} <span class="soft">in ${many(footer.scenarios, "scenario")}</span></p>`}
${requestsHtml(report)}
${worstHtml(report)}
<div class="about-run">${scenarios.length !== 1 && runApartHtml(report)}
${summary}
<dl>${facts.flatMap(([name, value]) => (value === "" ? [] : [html`<div><dt>${name}</dt><dd>${value}</dd></div>`]))}</dl>
<p class="again"><span class="soft">Run it again</span> <code>${command}</code>${COPY}</p></div>
<noscript><p class="notice">The script of this page does not run here. Charts are shown only of variants that do not pass, and each scenario shows one variant; of many scenarios, those that pass show their verdicts and totals.</p></noscript>
</header>`;
}

const MOST_NAMED = 6;

/** The scenarios that do not pass, each with a link. */
function worstHtml({ scenarios }: Report): Html | null {
  const bad = scenarios.filter(isBad);
  const items = bad.slice(0, MOST_NAMED).map((scenario) => {
    const { title, variants } = scenario;
    const failed = variants.filter((variant) => !isGood(variant));
    return html`<li><a href="#${anchorOf(scenario)}">${cell(title)}</a> <span>${formatCount(failed.length)} of ${many(variants.length, "variant")}</span>${firstDifference(scenario)}</li>`;
  });
  const rest = bad.length - items.length;
  return items.length === 0
    ? null
    : html`<ul class="worst">${items}${rest === 0 ? null : html`<li><a href="#scenarios">and ${many(rest, "more scenario")}</a></li>`}</ul>`;
}

/** The difference of the first failed expectation, in the variant that the page shows. */
function firstDifference(scenario: ScenarioReport): Html | null {
  const verdict = scenario.variants[worstVariant(scenario)]?.verdicts.find(
    ({ outcome }) => outcome !== "pass",
  );
  if (verdict === undefined) return null;
  const { expected, observed, place } = differenceOf(
    verdict.expected,
    verdict.observed,
    verdict.outcome,
  );
  return html`<p>${cell(verdict.expectation)}: expected <code>${expected}</code>, observed <code>${observed}</code>${place === null ? null : html`, first difference at ${place}`}</p>`;
}

function countsOf({ scenarios, footer: { variants } }: Report): Html {
  const byOutcome = Map.groupBy(
    scenarios.flatMap(({ variants }) => variants),
    ({ outcome }) => outcome,
  );
  return join(
    WORST_FIRST.flatMap((outcome) => {
      const count = byOutcome.get(outcome)?.length ?? 0;
      return count === 0
        ? []
        : [
            html`<span class="${outcome}"><i aria-hidden="true">${signOf(outcome)}</i> <b>${formatCount(count)}</b> ${outcome}${count === variants ? null : html` <span class="soft">(${shareOf(count, variants)})</span>`}</span>`,
          ];
    }),
    " ",
  );
}

/** The first 10 characters. A commit that ends with "+" had changed files when the run started. */
const shortCommit = (commit: string): string =>
  `${commit.slice(0, 10)}${commit.endsWith("+") ? "+ changes" : ""}`;

const minuteOf = (time: string): string => time.replace(/^(\S+)T(\d\d:\d\d).*$/, "$1 $2 UTC");
