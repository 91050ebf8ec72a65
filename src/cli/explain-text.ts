// Explains in text why a request was refused.
import type { RetryOrigin } from "../lab/check/retry-origin.ts";
import type { Explanation, FilledBy } from "../lab/check/explain.ts";
import { formatDuration, micros, SECOND } from "../kit/units.ts";
import { many, oneLine } from "../kit/reading/legible.ts";
import { formatStatus } from "../lab/scenario/expectation.ts";
import { NO_GATEWAY, isLost, type History } from "../lab/scenario/history.ts";
import { REQUIREMENTS } from "../limiter/spec/requirements.ts";
import { requestName } from "./requests-of-flow.ts";
import { wrap } from "../kit/reading/table.ts";
import type { Terminal } from "./terminal.ts";

type Paint = Terminal["paint"];

const WIDTH = 88;
const INDENT = " ".repeat(13);

export function explanationText(
  explanation: Explanation,
  origin: RetryOrigin | null,
  history: History,
  paint: Paint,
): readonly string[] {
  const { row, stampUs, status, reason, budget, since, because, filledBy } = explanation;
  const flow = history.header.flows[history.requests.flow[row]!]!;
  const refused = reason !== "none";
  return [
    `${paint("strong", `request ${row}`)} (${requestName(history, row)}), ${oneLine(`${flow.method} ${flow.path} ${flow.as === null ? "without a key" : `as ${flow.as}`}${fromText(history, row)}${gatewayText(history, row)}`)} at ${formatDuration(stampUs)}: ${paint(refused ? "bad" : "good", formatStatus(status))}`,
    ...(origin === null ? [] : part("attempt", [originText(origin, history)], paint)),
    ...(budget === null ? [] : part("budget", [budget.name], paint)),
    ...(since === null ? [] : part("since", [sinceText(since)], paint)),
    ...part("because", because.map(ruleText), paint),
    ...(budget === null ? [] : part("filled by", fillers(filledBy, history), paint)),
    ...(isLost(status) ? [] : part("admitted", [passesText(explanation, history)], paint)),
    ...(isLost(status) ? [] : part("spec", [AGREES[explanation.agrees]], paint)),
  ];
}

const ORDINALS = ["", "first", "second", "third", "fourth", "fifth"];

/** Writes "second attempt of request 17 (herd:7), 3 s after the response to request 17, because Retry-After was 3". */
function originText(origin: RetryOrigin, history: History): string {
  const { attempt, first, previous, waitedUs } = origin;
  const nth = ORDINALS[attempt] === undefined ? `${attempt}th` : ORDINALS[attempt];
  const of =
    first === null
      ? "one of several requests that its client had at the same instant"
      : `request ${first} (${requestName(history, first)})`;
  if (waitedUs === null)
    return `${nth} attempt of ${of}; the attempt before is request ${previous.join(" or ")}`;
  const before =
    previous.length === 1 && previous[0] !== first ? ` after request ${previous[0]}` : "";
  return `${nth} attempt of ${of}, waited ${formatDuration(waitedUs)}${before}${whyText(origin)}`;
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
    ? `a change of the configuration at ${formatDuration(atUs)}`
    : `the management request \`${call.name}\` at ${formatDuration(atUs)}: ${call.method} ${call.path}`;

function part(name: string, paragraphs: readonly string[], paint: Paint): readonly string[] {
  const lines = paragraphs.flatMap((paragraph) => wrap(oneLine(paragraph), WIDTH - INDENT.length));
  return lines.map(
    (line, index) =>
      `  ${paint("faint", (index === 0 ? name : "").padEnd(INDENT.length - 2))}${line}`,
  );
}

const ruleText = (id: string): string =>
  `${id}: ${REQUIREMENTS.find((requirement) => requirement.id === id)?.text ?? "no such rule"}`;

const MOST_SHOWN = 12;

function fillers(filledBy: readonly FilledBy[], history: History): readonly string[] {
  if (filledBy.length === 0) return ["nothing"];
  const groups = groupFillers(filledBy);
  const shown = groups.slice(0, MOST_SHOWN);
  const lines = shown.map((rows) => {
    const [{ row, stampUs, status, refused, certain }] = rows;
    const marks = [...(refused ? ["refused and counted"] : []), ...(certain ? [] : ["perhaps"])];
    const first = `request ${row} (${requestName(history, row)})`;
    const which = rows.length === 1 ? first : `${many(rows.length, "request")} from ${first} on`;
    return `${which} at ${formatDuration(stampUs)}: ${[formatStatus(status), ...marks].join(", ")}`;
  });
  const more = groups.slice(MOST_SHOWN).reduce((sum, rows) => sum + rows.length, 0);
  return more === 0 ? lines : [...lines, `and ${more} more; --json prints all`];
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
    return waitedUs === 0
      ? "at once"
      : `after it waited ${formatDuration(micros(waitedUs))} in the queue`;
  if (reason !== "rate" && reason !== "quota") return "no limit refused it";
  if (passesAtUs === null || missedByUs === null) return "never, however long the client waits";
  return `at ${formatDuration(passesAtUs)}: it was sent ${formatDuration(missedByUs)} too early`;
}
