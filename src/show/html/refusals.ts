// The refusals of one variant: one line each, which opens to details.
import { formatDuration, micros } from "../../kit/units.ts";
import type { Report, ScenarioReport, VariantReport } from "../../lab/report/model.ts";
import type {
  BudgetReport,
  FillersReport,
  RefusalReport,
  RefusalsReport,
  RefusedRequest,
} from "../../lab/report/model-refusals.ts";
import { portableLine, shellWord } from "../../kit/command-line.ts";
import type { RefusalFigure } from "../figures/refusal.ts";
import { hashOf, NOWHERE } from "./address.ts";
import { html, join, NOTHING, type Html, type Insertable } from "./html.ts";
import { figureHtml } from "./figure.ts";
import { anchorOf, COPY, formatCount, many } from "./parts.ts";
import { SCOPES } from "./words.ts";

export interface RefusalsAt {
  readonly scenario: number;
  readonly variant: number;
}

const at = (us: number): string => formatDuration(micros(us));

/** Shows only the number of refusals. When it is opened, the script adds the result of `refusalsHtml`. */
export function refusalsClosed({ refusals, refused }: VariantReport, where: RefusalsAt): Html {
  const { entries } = refusals;
  return entries.length === 0
    ? NOTHING
    : html`<details class="refusals" data-refusals="${where.scenario}.${where.variant}"><summary>${many(refused, "refusal")}: flow, limit, and when each would have been admitted</summary></details>`;
}

export const refusalId = ({ scenario, variant }: RefusalsAt, entry: number): string =>
  `refusal-${scenario}-${variant}-${entry}`;

/** Index of the entry that names this row of the history, else of one whose first and last row enclose it. */
export function entryWith({ refusals: { entries } }: VariantReport, row: number): number | null {
  const holds: readonly ((entry: RefusalReport) => boolean)[] = [
    ({ first, last, citedRows }) =>
      first.row === row || last?.row === row || citedRows.includes(row),
    ({ first, last }) => last !== null && first.row < row && row < last.row,
  ];
  for (const isHeld of holds) {
    const entry = entries.findIndex(isHeld);
    if (entry >= 0) return entry;
  }
  return null;
}

/** The address that opens this refusal. */
export const refusalHref = (
  scenario: Pick<ScenarioReport, "id" | "file">,
  { name }: Pick<VariantReport, "name">,
  row: number,
): string => hashOf({ ...NOWHERE, anchor: anchorOf(scenario), variant: name, refusal: row });

/** One line for each entry. When a line is opened, the script adds the result of `refusalHtml`. */
export function refusalsHtml(
  scenario: ScenarioReport,
  variant: VariantReport,
  where: RefusalsAt,
): Html {
  const { refusals } = variant;
  const { entries, leftOut } = refusals;
  const lines = entries.map(
    (entry, index) =>
      html`<details class="refusal" id="${refusalId(where, index)}" data-refusal="${where.scenario}.${where.variant}.${index}"><summary>${lineOf(entry, refusals)}</summary></details>`,
  );
  const more =
    leftOut.entries === 0
      ? null
      : html`<p>${many(leftOut.requests, "more refused request")}, in ${many(leftOut.entries, "more run")}, ${leftOut.requests === 1 ? "is" : "are"} not listed; ${explainLine(scenario, variant, "REQUEST")} explains each of them.</p>`;
  return html`${join(lines, "\n")}${more}`;
}

function lineOf(
  { flow, status, budget, count, first, last }: RefusalReport,
  { budgets }: RefusalsReport,
): Html {
  const when =
    last === null || last.atUs === first.atUs
      ? `at ${at(first.atUs)}`
      : `${at(first.atUs)} to ${at(last.atUs)}`;
  const limit = budget === null ? undefined : budgets[budget];
  const by = limit === undefined ? "" : ` by ${limitText(limit)}`;
  const times = count === 1 ? "" : `${count} × `;
  return html`<span class="status">${times}${status}</span> ${flow}, ${when}${by}`;
}

const sizeText = ({ rate, perUs, algorithm }: BudgetReport): string =>
  `${rate} ${perUs === null ? "for ever" : `per ${at(perUs)}`}, ${algorithm}`;

const limitText = (budget: BudgetReport): string =>
  `the ${SCOPES[budget.scope] ?? budget.scope} (${sizeText(budget)})`;

const AGREES = {
  yes: "requires this response",
  no: "does not allow this response",
  open: "allows this response and the opposite",
} as const;

const REASONS: Readonly<Record<RefusalReport["reason"], string>> = {
  rate: "A rate limit refused it.",
  quota: "A quota refused it.",
};

/** The details of an entry. Its figure is named `S.V.rE`, by the indexes of scenario, variant and entry. */
export function refusalHtml(
  { requirements }: Pick<Report, "requirements">,
  scenario: ScenarioReport,
  where: RefusalsAt,
  index: number,
): Html {
  const variant = scenario.variants[where.variant]!;
  const entry = variant.refusals.entries[index]!;
  const budget = entry.budget === null ? null : (variant.refusals.budgets[entry.budget] ?? null);
  const textOf = (id: string): string =>
    requirements.find((requirement) => requirement.id === id)?.text ?? "";
  const facts: readonly (readonly [name: string, value: Insertable])[] = [
    ["why", sentenceOf(entry, budget)],
    ...(budget === null
      ? []
      : ([["limit", `${SCOPES[budget.scope] ?? budget.scope}: ${sizeText(budget)}`]] as const)),
    ...(entry.since === null ? [] : ([["since", sinceText(entry.since)]] as const)),
    ...(budget?.because ?? []).map(
      (id) => ["rule", html`<a href="#r-${id}">${id}</a>: ${textOf(id)}`] as const,
    ),
    ...(entry.filledBy.length === 0
      ? []
      : ([["filled by", fillersHtml(entry.filledBy, entry.unlisted)]] as const)),
    ...(budget === null ? [] : passes(entry)),
    ...(entry.first.explained === null
      ? []
      : ([["the specification", AGREES[entry.first.explained.agrees]]] as const)),
    [
      "explain",
      // A run in real time has no copy button: only the user knows the path of its history.
      html`${explainLine(scenario, variant, entry.first.request ?? String(entry.first.row))}${variant.driver === "virtual" && COPY}`,
    ],
    [
      "address",
      html`<a href="${refusalHref(scenario, variant, entry.first.row)}">link to this refusal</a>`,
    ],
  ];
  const figure = refusalFigure(variant, index);
  const name = `${where.scenario}.${where.variant}.r${index}`;
  return html`${figure === null ? null : figureHtml({ name, figure }, new Map())}
<dl class="facts">${facts.map(([fact, value]) => html`<dt>${fact}</dt><dd>${value}</dd>`)}</dl>`;
}

/** The request that an address names, if it is not the first of its entry. */
export function requestInEntryHtml(
  scenario: ScenarioReport,
  variant: VariantReport,
  entry: number,
  row: number,
): Html {
  const { first, last, cited, count } = variant.refusals.entries[entry]!;
  if (row === first.row) return NOTHING;
  const known = [...(last === null ? [] : [last]), ...cited].find((each) => each.row === row);
  const command = explainLine(scenario, variant, known?.request ?? String(row));
  const words =
    known === undefined
      ? `This address names request ${row}, between the first and the last of these ${formatCount(count)}. To explain it:`
      : `${nameOf(known)} at ${at(known.atUs)} of these ${formatCount(count)} is the request of this address${explanationText(known)}. To explain it:`;
  return html`<p class="addressed">${words} ${command}${variant.driver === "virtual" && COPY}</p>`;
}

function explanationText({ explained }: RefusedRequest): string {
  if (explained === null) return "";
  const { text, passesAtUs, missedByUs } = explained;
  if (isSentence(text)) return `: ${text.slice(0, -1)}`;
  const state = text === "" ? "" : `${text}; `; // the page has the sentence of the first request only
  const when =
    passesAtUs === null || missedByUs === null
      ? "it would never have been admitted"
      : `it would have been admitted at ${at(passesAtUs)}, ${at(missedByUs)} later`;
  return `: ${state}${when}`;
}

/** The figure of an entry; null if no budget decided, because there is nothing to draw. */
export function refusalFigure(
  { refusals: { budgets, entries } }: VariantReport,
  index: number,
): RefusalFigure | null {
  const entry = entries[index];
  const budget = budgets[entry?.budget ?? -1];
  return entry === undefined || budget === undefined || entry.first.explained === null
    ? null
    : {
        kind: "refusal",
        title: `${nameOf(entry.first)}: requests that filled the budget`,
        entry,
        budget,
      };
}

const nameOf = ({ request, row }: RefusedRequest): string => request ?? `request ${row}`;

/** Older reports have the state of the budget in place of the answer. */
const isSentence = (text: string): boolean => text.endsWith(".");

function sentenceOf({ first, reason }: RefusalReport, budget: BudgetReport | null): string {
  const { explained } = first;
  if (explained !== null && isSentence(explained.text)) return explained.text;
  if (budget === null)
    return `${REASONS[reason]}${explained === null ? "" : ` ${nameOf(first)}: ${explained.text}.`}`;
  const met = explained === null ? "." : `: ${explained.text}.`;
  return `${nameOf(first)} at ${at(first.atUs)} was refused by ${limitText(budget)}${met}`;
}

const sinceText = ({ atUs, call, request }: NonNullable<RefusalReport["since"]>): string =>
  call === null
    ? `a change of the configuration at ${at(atUs)}`
    : `the call \`${call}\` at ${at(atUs)}: ${request}`;

const MOST_LISTED = 12;
const WHAT: Readonly<Record<FillersReport["what"], string>> = {
  admitted: "admitted",
  refused: "refused, and counted",
  perhaps: "perhaps counted",
};

function fillersHtml(all: readonly FillersReport[], unlisted: number): Html {
  const shown = all.slice(0, MOST_LISTED);
  const rest = all.slice(MOST_LISTED).reduce((sum, { count }) => sum + count, unlisted);
  const items = shown.map(({ flow, fromUs, toUs, count, what }) => {
    const when = fromUs === toUs ? `at ${at(fromUs)}` : `${at(fromUs)} to ${at(toUs)}`;
    return html`<li>${count} of ${flow}, ${when}: ${WHAT[what]}</li>`;
  });
  if (rest > 0) items.push(html`<li>and ${many(rest, "more request")}</li>`);
  return html`<ul>${items}</ul>`;
}

function passes({ first, last }: RefusalReport): readonly (readonly [string, Html])[] {
  const texts = [first, ...(last === null ? [] : [last])].flatMap((one) => {
    if (one.explained === null) return [];
    const { passesAtUs, missedByUs } = one.explained;
    const when =
      passesAtUs === null || missedByUs === null
        ? "never"
        : `at ${at(passesAtUs)}: it was sent ${at(missedByUs)} too early`;
    return [`${nameOf(one)} ${when}`];
  });
  return texts.length === 0 ? [] : [["would have been admitted", join(texts, html`<br>`)]];
}

/** The command that explains one request. For a run in real time it needs the saved history. */
export function explainLine(
  { file }: Pick<ScenarioReport, "file">,
  { name, seed, driver }: Pick<VariantReport, "name" | "seed" | "driver">,
  request: string,
): Html {
  const variant = name === "" ? "" : ` --variant ${shellWord(name)}`;
  return driver === "virtual"
    ? html`<code class="line">${portableLine(`explain ${shellWord(file)} ${shellWord(request)}${variant} --seed ${seed}`)}</code>`
    : html`<code class="line">${portableLine(`explain HISTORY ${shellWord(request)}`)}</code>, where the run keeps its histories (--history)`;
}
