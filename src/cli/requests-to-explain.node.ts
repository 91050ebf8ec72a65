// What weir explain answers if nothing can be explained yet: the refused requests to choose from, or the way to a log.
import { closeSync, openSync, readSync } from "node:fs";
import { isIP } from "node:net";
import { answerTo } from "../lab/check/rejections.ts";
import { requestNames } from "../lab/check/request-names.ts";
import type { History } from "../lab/scenario/history.ts";
import { formatStatus } from "../lab/scenario/expectation.ts";
import { commandOf } from "../kit/command-line.ts";
import { countText, oneLine, plural, thousands } from "../kit/reading/legible.ts";
import { momentWords } from "../kit/reading/periods.ts";
import { whyUnreadable } from "../kit/reading/text-file.node.ts";

const MOST_LISTED = 10;

export const JSON_NEEDS_REQUEST =
  "--json explains one request; name it, or leave out --json to list the refused ones";

/** Names the first refused requests of a history; `options` are those that its user typed. */
export function listRefused(
  file: string,
  history: History,
  options: readonly string[],
): readonly string[] {
  const { header, requests } = history;
  if (requests.length === 0) return [`${file}: it has no request to explain`];
  const labelOf = requestNames(history);
  const nameOf = (row: number): string => labelOf(row) ?? `${row}`;
  const all = countText(requests.length, "request");
  const rows = Array.from({ length: requests.length }, (_, row) => row);
  const refused = rows.filter((row) => answerTo(requests, row) === "refused");
  const command = commandOf(["explain", file, nameOf(refused[0] ?? 0), ...options]);
  const next = `Explain one of them: ${oneLine(command)}`;
  if (refused.length === 0)
    return [`${file}: none of its ${all} was refused.`, next.replace("one of them", "one request")];
  const shown = refused.slice(0, MOST_LISTED);
  const first = shown.length < refused.length ? ` The first ${MOST_LISTED}:` : "";
  const width = Math.max(...shown.map((row) => oneLine(nameOf(row)).length));
  return [
    `${file}: ${thousands(refused.length)} of its ${all} ${plural(refused.length, "was", "were")} refused.${first}`,
    ...shown.map((row) => {
      const { method, path, as } = header.flows[requests.flow[row]!]!;
      const sent = `${method} ${path} ${as === null ? "without a key" : `as ${as}`}`;
      const at = momentWords(requests.sentUs[row]!);
      return `  ${oneLine(nameOf(row)).padEnd(width)}  ${formatStatus(requests.status[row]!)} at ${at}, ${oneLine(sent)}`;
    }),
    next,
  ];
}

/** Why a file is no history, with the command that answers the question for an access log; null: it may be a history. */
export function whyNoHistory(file: string, request: string | undefined): string | null {
  const first = Buffer.alloc(1);
  try {
    const handle = openSync(file, "r");
    try {
      if (readSync(handle, first) === 0) return null;
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    return `${file}: ${whyUnreadable(error)}`;
  }
  if (first.toString("latin1") === "{") return null;
  const client = request?.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1") ?? "";
  const ofClient = isIP(client) === 0 ? [] : ["--where", `ip = ${client}`];
  const command = commandOf(["replay", file, "--limit", "N/TIME", ...ofClient]);
  return `${file}: this is no history and no scenario; if it is an access log, this command decides its requests by a limit: ${command}`;
}
