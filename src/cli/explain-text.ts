// Explains in text why a request was refused.
import type { RetryOrigin } from "../lab/check/retry-origin.ts";
import type { Explanation, FilledBy } from "../lab/check/explain.ts";
import type { Usage } from "../lab/oracle/level-answer.ts";
import { durationWords, SECOND } from "../kit/units.ts";
import { countText, oneLine, thousands } from "../kit/reading/legible.ts";
import { formatStatus } from "../lab/scenario/expectation.ts";
import { NO_GATEWAY, isLost, type History } from "../lab/scenario/history.ts";
import { REQUIREMENTS } from "../limiter/spec/requirements.ts";
import { requestName } from "./requests-of-flow.ts";
import { momentWords } from "../kit/reading/periods.ts";
import { limiterWords } from "../show/answers/words.ts";
import { wrap } from "../kit/reading/table.ts";
import type { Terminal } from "./terminal.ts";

const INDENT = " ".repeat(13);

export function explanationText(
  explanation: Explanation,
  origin: RetryOrigin | null,
  history: History,
  { paint, columns }: Pick<Terminal, "paint" | "columns">,
): readonly string[] {
  const { row, stampUs, status, reason, budget, since, because, filledBy } = explanation;
  const flow = history.header.flows[history.requests.flow[row]!]!;
  const name = requestName(history, row);
  const sent = `${flow.method} ${flow.path} ${flow.as === null ? "without a key" : `as ${flow.as}`}${fromText(history, row)}${gatewayText(history, row)}`;
  const part = (what: string, ...paragraphs: readonly string[]): readonly string[] =>
    partLines(paint("faint", what.padEnd(INDENT.length - 2)), paragraphs, columns);
  return [
    `${paint("strong", oneLine(name))}, ${oneLine(sent)} at ${momentWords(stampUs)}: ${paint(reason === "none" ? "good" : "bad", formatStatus(status))}`,
    ...(origin === null ? [] : part("attempt", originText(origin, history))),
    ...(budget === null ? [] : part("limit", limitText(budget))),
    ...(since === null ? [] : part("since", sinceText(since))),
    ...part("because", ...because.filter((id) => id !== LIMITS_EXIST).map(ruleText)),
    ...(budget === null ? [] : part("filled by", ...fillers(filledBy, budget.usage, history))),
    ...(isLost(status) ? [] : part("admitted", passesText(explanation, history))),
    ...(isLost(status) ? [] : part("spec", AGREES[explanation.agrees])),
  ];
}

/** Such as "5 per second for this key, a sliding log". A quota has no algorithm to choose. */
const limitText = ({ limit, algorithm }: NonNullable<Explanation["budget"]>): string =>
  algorithm === "quota" ? limit : `${limit}, ${limiterWords({ algorithm, profile: null })}`;

const ORDINALS = ["", "first", "second", "third", "fourth", "fifth"];

/** Writes "third attempt of herd:7, waited 3 s after herd:7.2 because Retry-After was 3". */
function originText(origin: RetryOrigin, history: History): string {
  const { attempt, first, previous, waitedUs } = origin;
  const nth = ORDINALS[attempt] === undefined ? `${attempt}th` : ORDINALS[attempt];
  const of =
    first === null
      ? "one of several requests that its client had at the same instant"
      : requestName(history, first);
  if (waitedUs === null)
    return `${nth} attempt of ${of}; the attempt before is request ${previous.join(" or ")}`;
  const [last, ...others] = previous;
  const before =
    last === undefined || others.length > 0 || last === first
      ? ""
      : ` after ${requestName(history, last)}`;
  return `${nth} attempt of ${of}, waited ${durationWords(waitedUs)}${before}${whyText(origin)}`;
}

function whyText({ behaviour, retryAfterS, waitedUs }: RetryOrigin): string {
  switch (behaviour) {
    case "honour_retry_after":
      return retryAfterS === null || waitedUs! < retryAfterS * SECOND
        ? ""
        : ` because Retry-After was ${retryAfterS}`;
    case "backoff":
      return retryAfterS === null
        ? " as its backoff"
        : ` as its backoff, whereas Retry-After was ${retryAfterS}`;
    case "atb":
    case "aatb":
      return " for a token of its own";
    case "ignore":
    case null:
      return "";
  }
}

/** Returns text such as " on gateway 2"; empty if no gateway decided the request, or the run has only one. */
function gatewayText({ requests }: History, row: number): string {
  const gateway = requests.gateway[row]!;
  const isOnly = requests.gateway.every((each) => each === gateway || each === NO_GATEWAY);
  return gateway === NO_GATEWAY || isOnly ? "" : ` on gateway ${gateway}`;
}

function fromText({ header, requests }: History, row: number): string {
  const place = requests.address[row]!;
  return place < 0 ? "" : ` from ${header.addresses![place]!}`;
}

const AGREES = {
  yes: "the specification requires this decision",
  no: "the specification does NOT allow this decision",
  open: "the specification allows this decision and the opposite one",
} as const;

const sinceText = ({ atUs, call }: NonNullable<Explanation["since"]>): string =>
  call === null
    ? `a change of the configuration at ${momentWords(atUs)}`
    : `the management request \`${call.name}\` at ${momentWords(atUs)}: ${call.method} ${call.path}`;

function partLines(
  name: string,
  paragraphs: readonly string[],
  columns: number,
): readonly string[] {
  const lines = paragraphs.flatMap((each) => wrap(oneLine(each), columns - INDENT.length));
  return lines.map((line, index) => (index === 0 ? `  ${name}${line}` : `${INDENT}${line}`));
}

/** That there are limits is the cause of none; `limit` has where this one is. */
const LIMITS_EXIST = "LIM-13";

const ruleText = (id: string): string =>
  `${id}: ${REQUIREMENTS.find((requirement) => requirement.id === id)?.text ?? "no such rule"}`;

const MOST_SHOWN = 12;

function fillers(
  filledBy: readonly FilledBy[],
  usage: Usage | null,
  history: History,
): readonly string[] {
  if (filledBy.length === 0) return ["nothing"];
  const groups = groupFillers(filledBy);
  const refilled = countRefilled(filledBy, usage, history);
  // Of a bucket that refilled meanwhile, the last requests are those that are still owed.
  const most = refilled > 0 ? Math.min(MOST_SHOWN, Math.ceil(usage!.to)) : MOST_SHOWN;
  const shown = refilled > 0 ? groups.slice(-most) : groups.slice(0, most);
  const lines = shown.map((rows) => {
    const [{ row, stampUs, status, refused, certain }] = rows;
    const marks = [...(refused ? ["refused and counted"] : []), ...(certain ? [] : ["perhaps"])];
    const first = requestName(history, row);
    const which =
      rows.length === 1 ? first : `${countText(rows.length, "request")} from ${first} on`;
    return `${which} at ${momentWords(stampUs)}: ${[formatStatus(status), ...marks].join(", ")}`;
  });
  const more = filledBy.length - shown.reduce((sum, rows) => sum + rows.length, 0);
  if (refilled > 0) {
    const all = countText(filledBy.length, "request");
    const since = `${all} since ${momentWords(filledBy[0]!.stampUs)}, and ${countText(refilled, "token")} came back meanwhile`;
    return [more === 0 ? `${since}:` : `${since}; the last ${filledBy.length - more}:`, ...lines];
  }
  return more === 0 ? lines : [...lines, `and ${thousands(more)} more; --json prints all`];
}

/** The tokens that came back since the first of these requests: those that were spent, less those that are used now. */
function countRefilled(
  filledBy: readonly FilledBy[],
  usage: Usage | null,
  { requests }: History,
): number {
  if (usage?.of !== "owed") return 0;
  const spent = filledBy.reduce((sum, { row }) => sum + requests.cost[row]!, 0);
  return Math.max(0, Math.round(1_000 * (spent - usage.to)) / 1_000);
}

type Group = readonly [FilledBy, ...FilledBy[]];

/** Groups consecutive requests with the same time, status, refusal and certainty. */
function groupFillers(filledBy: readonly FilledBy[]): readonly Group[] {
  const groups: [FilledBy, ...FilledBy[]][] = [];
  for (const one of filledBy) {
    const last = groups.at(-1);
    if (last !== undefined && isAlike(last[0], one)) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

const isAlike = (one: FilledBy, other: FilledBy): boolean =>
  one.stampUs === other.stampUs &&
  one.status === other.status &&
  one.refused === other.refused &&
  one.certain === other.certain;

function passesText(
  { row, reason, passesAtUs, missedByUs }: Explanation,
  { requests }: History,
): string {
  const waitedUs = requests.delayUs[row]!;
  if (reason === "none")
    return waitedUs === 0 ? "at once" : `after it waited ${durationWords(waitedUs)} in the queue`;
  if (reason !== "rate" && reason !== "quota") return "no limit refused it";
  if (passesAtUs === null || missedByUs === null) return "never, however long the client waits";
  return `at ${momentWords(passesAtUs)}: it was sent ${durationWords(missedByUs)} too early`;
}
