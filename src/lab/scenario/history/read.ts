// Decodes the text of a history, and reports problems with their lines. A history without its footer was cut off and is
// rejected: no check may pass on half a history.
import { errorAt, type Problem } from "../../../kit/reading/problems.ts";
import {
  asRequests,
  COLUMNS,
  emptyTable,
  fits,
  resizeTable,
  type Column,
  type HistoryTable,
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
  type HistoryCall,
  type HistoryDelivery,
  type GaugeSample,
  type HistoryHeader,
  type History,
  type HistoryEvent,
  type HistorySpan,
} from "../history.ts";
import {
  isJsonMap,
  formatValue,
  type JsonMap,
  type Shape,
  type Json,
} from "../../../kit/reading/shape.ts";
import type { PositionedProblem } from "../../../kit/reading/source.ts";

interface ReadHistory {
  /** Null if there is any problem. */
  readonly history: History | null;
  readonly problems: readonly PositionedProblem[];
}

interface Reader {
  header: HistoryHeader | null;
  table: HistoryTable;
  rows: number;
  readonly events: HistoryEvent[];
  readonly gauges: GaugeSample[];
  readonly spans: HistorySpan[];
  readonly calls: HistoryCall[];
  readonly deliveries: HistoryDelivery[];
  store: History["store"] | null; // from the footer
}

/** Reads a history. Reports only the first problem, because programs write histories and people do not edit them. */
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
    store: null,
  };
  let line = 0;
  const withProblems = (problems: readonly Problem[]): ReadHistory => ({
    history: null,
    problems: problems.map((problem) => ({ ...problem, file, line: Math.max(line, 1), column: 1 })),
  });
  for (const text of lines) {
    line += 1;
    const problems = text === "" ? [] : readLine(reader, text);
    if (problems.length > 0) return withProblems(problems);
  }
  const { header, store, events, gauges, spans, calls, deliveries } = reader;
  if (header === null || store === null)
    return withProblems([
      errorAt("HIST-CUT-OFF", [], "the history ends without a footer, so it was cut off"),
    ]);
  return {
    history: {
      header,
      requests: asRequests(reader.table, reader.rows),
      events,
      gauges,
      spans,
      calls,
      deliveries,
      store,
    },
    problems: [],
  };
}

const problemList = (
  code: "HIST-FORMAT" | "HIST-JSON" | "HIST-RECORD" | "HIST-ORDER" | "HIST-COUNT",
  message: string,
): readonly Problem[] => [errorAt(code, [], message)];

/** Whether a message would show bytes that are no text, such as those of an archive. */
const isBinary = (text: string): boolean => /[^\P{Cc}\t]|\uFFFD/u.test(text);

function readLine(reader: Reader, text: string): readonly Problem[] {
  const value = parseJson(text);
  if (value === undefined || !isJsonMap(value))
    return problemList(
      "HIST-JSON",
      `${isBinary(text) ? "this line" : formatValue(text)} is not a JSON object; the file is cut off, or is no history`,
    );
  const { header } = reader;
  if (header === null) return readHeader(reader, value);
  if (reader.store !== null) return problemList("HIST-ORDER", "there is a record after the footer");
  if (Object.hasOwn(value, "request")) return readRequest(reader, header, value);
  // Deliveries are recognised first, because they also have the field `event`.
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

/** If the format differs, reports only this problem: other fields may be valid in that format. */
function readHeader(reader: Reader, value: JsonMap): readonly Problem[] {
  const { format } = value;
  return typeof format === "string" && format !== HISTORY_FORMAT
    ? problemList(
        "HIST-FORMAT",
        `this history has the format ${formatValue(format)}, and Weir reads ${formatValue(HISTORY_FORMAT)}: run its scenario again`,
      )
    : readRecord(
        headerShape,
        value,
        ({ addresses, ...read }) =>
          void (reader.header = addresses === null ? read : { ...read, addresses }),
      );
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readRecord<T>(
  shape: Shape<T>,
  value: JsonMap,
  keep: (read: T) => void,
): readonly Problem[] {
  const problems: Problem[] = [];
  const read = shape.read(value, [], problems);
  if (read !== undefined) keep(read);
  return problems.map(({ path, message }) =>
    errorAt("HIST-RECORD", path, path.length === 0 ? message : `${path.join(".")}: ${message}`),
  );
}

function readRequest(reader: Reader, header: HistoryHeader, value: JsonMap): readonly Problem[] {
  const row = reader.rows;
  if (value["request"] !== row)
    return problemList(
      "HIST-ORDER",
      `this is request ${formatValue(value["request"] ?? null)}, and request ${row} is expected here`,
    );
  if (row === reader.table.status.length) reader.table = resizeTable(reader.table, row * 2);
  const { table } = reader;
  for (const column of COLUMNS) {
    const { name, usual } = column;
    const cell = Object.hasOwn(value, name)
      ? (value[name] ?? Number.NaN)
      : typeof usual === "number"
        ? usual
        : table[usual][row]!;
    if (!holds(column, cell, header))
      return problemList("HIST-RECORD", `${name}: ${formatValue(cell)} is not a valid value`);
    table[name][row] = cell;
  }
  const unknown = Object.keys(value).find((name) => name !== "request" && !NAMES.has(name));
  if (unknown !== undefined)
    return problemList("HIST-RECORD", `"${unknown}" is not a field of a request`);
  reader.rows += 1;
  return [];
}

const NAMES: ReadonlySet<string> = new Set(COLUMNS.map(({ name }) => name));

/** Whether the column allows the value. Null (here NaN) means missing: only measured values and `stampUs` may be. */
function holds(column: Column, cell: Json, header: HistoryHeader): cell is number {
  if (Number.isNaN(cell)) return column.kind === "number" || column.name === "stampUs";
  if (!fits(column, cell)) return false;
  if (column.within === null) return true;
  return (
    cell < (column.within === "reasons" ? REASONS.length : (header[column.within] ?? []).length)
  );
}

function readFooter(reader: Reader, value: JsonMap): readonly Problem[] {
  const problems = readRecord(footerShape, value, ({ store }) => void (reader.store = store));
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
    : problemList(
        "HIST-COUNT",
        `the footer counts ${formatValue(value[missing[0]] ?? null)} ${missing[0]}, and there are ${missing[1]}`,
      );
}
