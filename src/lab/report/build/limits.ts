// The limit line that bars are compared with: what the deciding limits admit together, if that is a single number.
import { formatDuration, SECOND } from "../../../kit/units.ts";
import { answerTo } from "../../check/rejections.ts";
import { resultUs } from "../../check/series.ts";
import type { BudgetText, History } from "../../scenario/history.ts";
import type { StepLine } from "../model-figures.ts";
import { roundDigits, type Bins } from "./bins.ts";

/**
 * Bars show all traffic, so readers take a line for the limit of all traffic. A line is drawn in two cases: one limit
 * over everything, or several among which all traffic is divided, such as one for each key. If limits overlap (an API's
 * and its keys'), differ in period, change, or leave traffic out, no single number is right at all times, and a wrong
 * number makes admitted traffic look excessive. The page also describes the configuration in words. A line far above
 * all bars would flatten them, so it is omitted too.
 */
export function limitLines(history: History, bins: Bins, highest: number): readonly StepLine[] {
  const { untilS } = bins;
  const line = leavesOut(history) ? null : lineOfAll(inForce(history), untilS);
  if (line === null || Math.max(...line.values) > highest * 3) return [];
  return [isAverage(history, bins) ? { ...line, what: `${line.what}${AVERAGE}` } : line];
}

const AVERAGE = " (line: average per second; a bar covers less than the window and may exceed it)";

/** Whether the line is an average: a bar shorter than the window of a limit cannot be compared with the limit. */
const isAverage = ({ header }: History, { binS }: Bins): boolean =>
  header.budgets.some((budget) => isRate(budget) && budget.perUs > Math.max(binS, 1) * SECOND);

/** True if some clients were admitted without ever meeting a limit: the bars contain requests without a limit. */
function leavesOut({ requests, header }: History): boolean {
  const { key, flow, budget, length } = requests;
  const met = new Map<number, boolean>();
  const areRates = header.budgets.map(isRate);
  for (let row = 0; row < length; row++) {
    const isMet = areRates[budget[row]!] === true;
    const client = (key[row]! + 1) * header.flows.length + flow[row]!;
    if (isMet || answerTo(requests, row) === "admitted")
      met.set(client, isMet || met.get(client) === true);
  }
  return [...met.values()].includes(false);
}

interface InForce {
  readonly text: BudgetText;
  readonly fromS: number;
}

interface Limit {
  readonly key: number; // key of the limit's first request
  readonly what: string;
  readonly texts: readonly InForce[];
}

/**
 * The limits of a history, each with its rates in order of time; a rate that returns is listed again. A budget with
 * another window has another name, but is the same limit to a reader. If keys with different rates share a
 * budget, each key has its own limit.
 */
function inForce(history: History): readonly Limit[] {
  const { requests, header } = history;
  const limits = new Map<number, Limit & { readonly texts: InForce[] }>();
  const places = new Map<string, number>();
  const budgets = header.budgets.map((text) => {
    const what = whatOf(text);
    if (!places.has(what)) places.set(what, places.size);
    const isOfApi = text.scope.startsWith("api");
    return { text, what, place: places.get(what)!, isRate: isRate(text), isOfApi };
  });
  for (let row = 0; row < requests.length; row++) {
    const budget = budgets[requests.budget[row]!];
    if (budget === undefined || !budget.isRate) continue;
    const { text, what } = budget;
    const key = budget.isOfApi ? -1 : requests.key[row]!;
    const place = (key + 1) * places.size + budget.place;
    const known = limits.get(place);
    const last = known?.texts.at(-1);
    if (last?.text.rate === text.rate && last.text.perUs === text.perUs) continue;
    // Rows are in the order of decisions, which may differ from the planned order.
    const fromS = Math.max(last?.fromS ?? 0, roundDigits(resultUs(history.requests, row) / SECOND));
    if (known === undefined) limits.set(place, { key, what, texts: [{ text, fromS }] });
    else known.texts.push({ text, fromS });
  }
  return [...limits.values()];
}

const isRate = ({ scope, rate, perUs }: BudgetText): boolean =>
  scope !== "quota" && rate > 0 && Number.isFinite(perUs);

/** What identifies a limit: the name of its budget without the window and without the mark of an outage. */
const whatOf = ({ name, scope, perUs }: BudgetText): string =>
  JSON.stringify([scope, name.replace(/^fallback\//, "").replace(`/${perUs}us`, "")]);

/** The line of what all limits admit together; null if that is not a single number. */
function lineOfAll(all: readonly Limit[], untilS: number): StepLine | null {
  // Keys that share a budget at one rate count as one limit.
  const limits = [
    ...new Map(
      all.map((limit) => [JSON.stringify([limit.what, lineOf(limit.texts, untilS)]), limit]),
    ).values(),
  ];
  const first = limits[0]?.texts[0]?.text;
  if (first === undefined) return null;
  if (limits.length === 1) return lineOf(limits[0]!.texts, untilS);
  const areApart =
    new Set(limits.map(({ what }) => what)).size === limits.length &&
    limits.every(({ texts }) => texts.length === 1 && dividesWith(texts[0]!.text, first));
  return areApart ? sumOf(limits, untilS) : null;
}

/** Whether a request meets at most one of two limits, which then divide the requests between them. */
const dividesWith = (one: BudgetText, other: BudgetText): boolean =>
  one.perUs === other.perUs && one.scope.startsWith("api") === other.scope.startsWith("api");

function sumOf(limits: readonly Limit[], untilS: number): StepLine {
  const texts = limits.flatMap((limit) => limit.texts.map(({ text }) => text));
  const [{ rate, perUs }] = texts as [BudgetText];
  const sum = roundDigits(texts.reduce((total, text) => total + text.rate, 0));
  const areOfKeys =
    texts.every(({ scope }) => scope === "key") &&
    new Set(limits.map(({ key }) => key)).size === limits.length;
  const sharers = `${limits.length} ${areOfKeys ? "keys" : "budgets"}`;
  const per = formatDuration(perUs);
  const perSecond = roundDigits((sum * SECOND) / perUs);
  return {
    what: texts.every((text) => text.rate === rate)
      ? `limit: ${sharers} × ${rate} per ${per}`
      : `limit: ${sum} per ${per}, of ${sharers} together`,
    at: [0, untilS],
    values: [perSecond, perSecond],
  };
}

const MOST_WORDS = 4;

function lineOf(texts: readonly InForce[], untilS: number): StepLine {
  const words = texts.map(({ text }) => `${text.rate} per ${formatDuration(text.perUs)}`);
  const values = texts.map(({ text }) => roundDigits((text.rate * SECOND) / text.perUs));
  const untold = words.length - MOST_WORDS;
  return {
    what: `limit: ${words.slice(0, MOST_WORDS).join(", then ")}${untold > 0 ? `, and ${untold} more` : ""}`,
    at: [0, ...texts.slice(1).map(({ fromS }) => fromS), untilS],
    values: [...values, values.at(-1)!],
  };
}
