// Writes a history as text, one JSON record per line: the header, the requests in order, then events, gauges, spans,
// calls and deliveries, and a footer with their numbers. Row n of the requests is in line n + 2.
import { COLUMNS, type HistoryTable } from "./columns.ts";
import type { GaugeSample, History, HistoryEvent } from "../history.ts";

const CHUNK = 65_536;

/** Yields chunks of whole lines, because a long run does not fit into one string. */
export function* writeHistory(history: History): Generator<string, void> {
  let chunk = "";
  for (const line of linesOf(history)) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}

function* linesOf({
  header,
  requests,
  events,
  gauges,
  spans,
  calls,
  deliveries,
  store,
}: History): Generator<string, void> {
  yield jsonText(header);
  const { length, ...table } = requests;
  for (let row = 0; row < length; row++) yield requestText(table, row);
  for (const event of events) yield eventText(event);
  for (const gauge of gauges) yield gaugeText(gauge);
  for (const { what, ...span } of spans) yield jsonText({ span: what, ...span });
  for (const call of calls) yield jsonText(call);
  for (const delivery of deliveries) yield jsonText(delivery);
  yield jsonText({
    footer: true,
    requests: length,
    events: events.length,
    gauges: gauges.length,
    spans: spans.length,
    calls: calls.length,
    deliveries: deliveries.length,
    store,
  });
}

/** The line of a request. Usual values are omitted, so that people can read the line. */
function requestText(table: Readonly<HistoryTable>, row: number): string {
  let text = `{"request":${row}`;
  for (const { name, usual } of COLUMNS) {
    const value = table[name][row]!;
    const expected = typeof usual === "number" ? usual : table[usual][row]!;
    if (value !== expected && !(Number.isNaN(value) && Number.isNaN(expected)))
      text += `,"${name}":${numberText(value)}`;
  }
  return `${text}}`;
}

/** The line of a sample, built field by field for speed: even a short run has hundreds of samples. */
const gaugeText = ({ gauge, atUs, key, budget, gateway, value }: GaugeSample): string =>
  `{"gauge":"${gauge}","atUs":${numberText(atUs)},"key":${JSON.stringify(key)},"budget":${JSON.stringify(budget)},"gateway":${gateway},"value":${numberText(value)}}`;

/** Looks for an infinity only in `value`: no other field can be infinite. */
const eventText = (event: HistoryEvent): string =>
  Number.isFinite(event.value ?? 0) ? JSON.stringify(event) : textByParts(event);

/** JSON has no infinity, so it is written as a number too large for a double. */
function numberText(value: number): string {
  if (value === Infinity) return "1e999";
  if (value === -Infinity) return "-1e999";
  return Number.isNaN(value) ? "null" : String(value);
}

/** Uses JSON.stringify, which is several times faster, unless it would write an infinite number as null. */
function jsonText(value: object): string {
  const text = JSON.stringify(value);
  return text.includes("null") && hasInfinity(value) ? textByParts(value) : text;
}

function hasInfinity(value: unknown): boolean {
  if (typeof value === "number") return Math.abs(value) === Infinity;
  if (typeof value !== "object" || value === null) return false;
  for (const name in value)
    if (hasInfinity((value as Readonly<Record<string, unknown>>)[name])) return true;
  return false;
}

function textByParts(value: unknown): string {
  if (typeof value === "number") return numberText(value);
  if (Array.isArray(value)) return `[${value.map(textByParts).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}:${textByParts(inner)}`)
    .join(",")}}`;
}
