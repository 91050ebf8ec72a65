// The way back from text to a history. Whatever is wrong is told with its line, and a history that does
// not come to its footer was cut off: nothing is judged by half a history.
import { fault, type Problem } from "../../reading/problems.ts";
import {
  asRequests,
  COLUMNS,
  emptyTable,
  fits,
  resized,
  type Column,
  type Table,
} from "./columns.ts";
import {
  callShape,
  deliveryShape,
  eventShape,
  footerShape,
  gaugeShape,
  headerShape,
  spanShape,
} from "./records.ts";
import {
  HISTORY_FORMAT,
  REASONS,
  type CallMade,
  type DeliveryMade,
  type GaugeSample,
  type Header,
  type History,
  type HistoryEvent,
  type Span,
} from "../history.ts";
import { isMembers, shown, type Members, type Shape, type Json } from "../../reading/shape.ts";
import type { PositionedProblem } from "../../reading/source.ts";

export interface ReadHistory {
  /** Null where anything is wrong. */
  readonly history: History | null;
  readonly problems: readonly PositionedProblem[];
}

interface Reader {
  header: Header | null;
  table: Table;
  rows: number;
  readonly events: HistoryEvent[];
  readonly gauges: GaugeSample[];
  readonly spans: Span[];
  readonly calls: CallMade[];
  readonly deliveries: DeliveryMade[];
  footer: { readonly store: History["store"]; readonly unanswered: number } | null;
}

/** A program wrote it, so the first thing that is wrong says all there is to know. */
export function readHistory(file: string, lines: Iterable<string>): ReadHistory {
  const reader: Reader = {
    header: null,
    table: emptyTable(1024),
    rows: 0,
    events: [],
    gauges: [],
    spans: [],
    calls: [],
    deliveries: [],
    footer: null,
  };
  let line = 0;
  const told = (problems: readonly Problem[]): ReadHistory => ({
    history: null,
    problems: problems.map((problem) => ({ ...problem, file, line: Math.max(line, 1), column: 1 })),
  });
  for (const text of lines) {
    line += 1;
    const problems = text === "" ? [] : readLine(reader, text);
    if (problems.length > 0) return told(problems);
  }
  const { header, footer, events, gauges, spans, calls, deliveries } = reader;
  if (header === null || footer === null)
    return told([fault("HIST-CUT-OFF", [], "the history ends without a footer: it was cut off")]);
  return {
    history: {
      header,
      requests: asRequests(reader.table, reader.rows),
      events,
      gauges,
      spans,
      calls,
      deliveries,
      ...footer,
    },
    problems: [],
  };
}

const wrong = (
  code: "HIST-FORMAT" | "HIST-JSON" | "HIST-RECORD" | "HIST-ORDER" | "HIST-COUNT",
  message: string,
): readonly Problem[] => [fault(code, [], message)];

function readLine(reader: Reader, text: string): readonly Problem[] {
  const value = parsed(text);
  if (value === undefined || !isMembers(value))
    return wrong("HIST-JSON", `${shown(text)} is not a JSON object`);
  const { header } = reader;
  if (header === null) return readHeader(reader, value);
  if (reader.footer !== null) return wrong("HIST-ORDER", "there is a record behind the footer");
  if (Object.hasOwn(value, "request")) return readRequest(reader, header, value);
  // Told before events: a delivery says which event it brings.
  if (Object.hasOwn(value, "delivery"))
    return readRecord(deliveryShape, value, (read) => void reader.deliveries.push(read));
  if (Object.hasOwn(value, "event"))
    return readRecord(eventShape, value, (read) => void reader.events.push(read));
  if (Object.hasOwn(value, "gauge"))
    return readRecord(gaugeShape, value, (read) => void reader.gauges.push(read));
  if (Object.hasOwn(value, "span"))
    return readRecord(
      spanShape,
      value,
      ({ span, ...read }) => void reader.spans.push({ what: span, ...read }),
    );
  if (Object.hasOwn(value, "call"))
    return readRecord(callShape, value, (read) => void reader.calls.push(read));
  return readFooter(reader, value);
}

/** Of a history in another format nothing else is said: all of it may be as it should. */
function readHeader(reader: Reader, value: Members): readonly Problem[] {
  const { format } = value;
  return typeof format === "string" && format !== HISTORY_FORMAT
    ? wrong(
        "HIST-FORMAT",
        `this history is ${shown(format)}, and ${shown(HISTORY_FORMAT)} is what is read here: play its scenario again`,
      )
    : readRecord(
        headerShape,
        value,
        ({ addresses, ...read }) =>
          void (reader.header = addresses === null ? read : { ...read, addresses }),
      );
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readRecord<T>(
  shape: Shape<T>,
  value: Members,
  keep: (read: T) => void,
): readonly Problem[] {
  const problems: Problem[] = [];
  const read = shape.read(value, [], problems);
  if (read !== undefined) keep(read);
  return problems.map(({ path, message }) =>
    fault("HIST-RECORD", path, path.length === 0 ? message : `${path.join(".")}: ${message}`),
  );
}

function readRequest(reader: Reader, header: Header, value: Members): readonly Problem[] {
  const row = reader.rows;
  if (value["request"] !== row)
    return wrong(
      "HIST-ORDER",
      `this is request ${shown(value["request"] ?? null)}, and request ${row} should come now`,
    );
  if (row === reader.table.status.length) reader.table = resized(reader.table, row * 2);
  const { table } = reader;
  for (const column of COLUMNS) {
    const { name, usual } = column;
    const cell = Object.hasOwn(value, name)
      ? (value[name] ?? Number.NaN)
      : typeof usual === "number"
        ? usual
        : table[usual][row]!;
    if (!holds(column, cell, header))
      return wrong("HIST-RECORD", `${name}: ${shown(cell)} does not fit`);
    table[name][row] = cell;
  }
  const unknown = Object.keys(value).find((name) => name !== "request" && !NAMES.has(name));
  if (unknown !== undefined)
    return wrong("HIST-RECORD", `"${unknown}" is not a field of a request`);
  reader.rows += 1;
  return [];
}

const NAMES: ReadonlySet<string> = new Set(COLUMNS.map(({ name }) => name));

/** Null in the text is a number that is not there; only measured values may lack one. */
function holds(column: Column, cell: Json, header: Header): cell is number {
  if (Number.isNaN(cell)) return column.kind === "number" || column.kind === "time";
  if (!fits(column, cell)) return false;
  if (column.within === null) return true;
  return (
    cell < (column.within === "reasons" ? REASONS.length : (header[column.within] ?? []).length)
  );
}

function readFooter(reader: Reader, value: Members): readonly Problem[] {
  const problems = readRecord(
    footerShape,
    value,
    ({ store, unanswered }) => void (reader.footer = { store, unanswered }),
  );
  if (problems.length > 0) return problems;
  const counted = {
    requests: reader.rows,
    events: reader.events.length,
    gauges: reader.gauges.length,
    spans: reader.spans.length,
    calls: reader.calls.length,
    deliveries: reader.deliveries.length,
  };
  const missing = Object.entries(counted).find(([name, count]) => value[name] !== count);
  return missing === undefined
    ? []
    : wrong(
        "HIST-COUNT",
        `the footer counts ${shown(value[missing[0]] ?? null)} ${missing[0]}, and there are ${missing[1]}`,
      );
}
