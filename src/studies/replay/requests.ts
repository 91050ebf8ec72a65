// Turns a line of a log into a request: its client, and the time at which it arrived.
import { SECOND } from "../../kit/units.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { SEPARATOR, type NameTable } from "./names.ts";
import type { Condition } from "./conditions.ts";
import type { ColumnChoice, LogFormat } from "./columns.ts";
import { durationUsIn } from "./durations.ts";
import { narrow, type EndsWithin, type LineReader, type Part } from "./line-reader.ts";
import { numberIn } from "./numbers.ts";
import { ByteBuffer } from "./byte-buffer.ts";
import {
  columnFinder,
  columnNames,
  findSelector,
  resolveSelector,
  selectorText,
  type ColumnFinder,
  type Selector,
} from "./selectors.ts";
import { timestampReader } from "./timestamps.ts";

/** The fields, conditions and tables with which each line of a replay's logs is read. */
export interface RequestQuestion {
  readonly key: readonly Selector[];
  readonly conditions: readonly Condition[];
  /** The target of a request is 1 if all these conditions are true, otherwise 0. Used only if `targets` is null. */
  readonly labels?: readonly Condition[];
  readonly clients: NameTable;
  /** Names of method and path, such as `GET /a`; null: no candidate needs them. */
  readonly targets: NameTable | null;
  /** The fields with method and path; left out: those of the format. */
  readonly endpoint?: Endpoint;
  /** Fields of the sender that worlds read. They follow the path in the name of a target. */
  readonly sender?: readonly Selector[];
  /** The fields whose sum is the cost of a request; left out: it costs 1. */
  readonly cost?: readonly Selector[];
  /** Whether durations are needed, because costs are charged at the end of requests. */
  readonly needsDuration?: boolean;
  /** The offset from UTC of timestamps without a zone; left out: 0. */
  readonly zoneUs?: number;
}

export interface LogQuestion extends RequestQuestion {
  readonly format: LogFormat | null; // null: found for each log
}

interface Endpoint {
  readonly method: Selector;
  readonly path: Selector;
}

/**
 * `without key`: the client is missing or a dash, so no limit by client applies. `without endpoint`: a world needs a
 * method and a path, and one of them is missing.
 */
type LineOutcome = "request" | "unreadable" | "without key" | "without endpoint" | "not selected";

interface NameSpan {
  bytes: Uint8Array;
  from: number;
  to: number;
}

export interface RequestReader {
  atUs: number; // arrival of the last request
  /** Where the name of that request's client is. */
  readonly client: NameSpan;
  target: number;
  units: number; // cost in whole units
  lastsUs: number; // duration of the last request; 0: not known
  /** False if other lines have durations, and this request has none. */
  hasDuration: boolean;
  /** `rounded`: the cost was rounded up; `missing`: it is unknown, and counts as 1. */
  costState: "known" | "rounded" | "missing";
  readonly read: (bytes: Uint8Array, from: number, to: number) => LineOutcome;
  /** Whether timestamps are whole seconds. Set it if those of another log are: fractions are then dropped here too. */
  isWholeSeconds: boolean;
  /** Whether the duration is subtracted from the logged time, because that time is the end of the request. */
  readonly takesDurationOff: boolean;
  readonly endsWithin: EndsWithin | null;
  readonly hasDurations: boolean;
  /** Names of the columns that are read. */
  readonly columns: readonly string[];
  /** Fields of the sender that worlds read and these lines lack. */
  readonly absentFields: readonly string[];
}

const DASH = 45;
const SPACE = 32;
const USUAL_ENDPOINT: Endpoint = {
  method: { kind: "field of every log", name: "method" },
  path: { kind: "field of every log", name: "path" },
};
const decoder = new TextDecoder();
const ALL_REQUESTS = new TextEncoder().encode("all requests"); // the client of `--key none`

/** Creates a reader. A failure if the lines lack a needed field. `head` has the first lines. */
export function requestReader(
  format: LogFormat,
  question: RequestQuestion,
  head: readonly Uint8Array[],
): RequestReader | Failure {
  const { key, conditions, targets, labels = [] } = question;
  const layout = format.layoutOf(head.map((line) => decoder.decode(line)));
  const isAnyRead = head.some((line) => layout.readerOf([]).read(line, 0, line.length));
  if (!isAnyRead) return noLineRead(head.length, format);
  const finder = columnFinder(layout, head);
  const isJson = layout.columns === null;
  const time = finder.find(format.time);
  if (time === null)
    return new Failure(
      `no column has the time of a request; the columns of the log are ${columnNames(finder)}, and one of these is needed: ${format.time.map(({ column }) => column).join(", ")}`,
    );
  const keyColumns = key.map((selector) => resolveSelector(selector, format, finder, isJson));
  const tested = [...conditions, ...labels].map(({ selector }) =>
    resolveSelector(selector, format, finder, isJson),
  );
  const endpoint =
    targets === null ? [] : endpointColumns(question.endpoint, format, finder, isJson);
  const costs = (question.cost ?? []).map((selector) =>
    resolveSelector(selector, format, finder, isJson),
  );
  const failure = [...keyColumns, ...tested, ...endpoint, ...costs].find(isFailure);
  if (failure !== undefined) return failure;
  const choices: ColumnChoice[] = [];
  const want = (choice: ColumnChoice): number => choices.push(choice) - 1;
  const timeField = want(time);
  const duration =
    time.isEnd === true || question.needsDuration === true ? finder.find(format.duration) : null;
  const durationField = duration === null ? -1 : want(duration);
  const keyFields = (keyColumns as readonly ColumnChoice[]).map(want);
  const testedFields = (tested as readonly ColumnChoice[]).map(want);
  const endpointFields = (endpoint as readonly ColumnChoice[]).map(want);
  const costFields = (costs as readonly ColumnChoice[]).map(want);
  const sender = (targets === null ? [] : (question.sender ?? [])).map((selector) => ({
    name: selectorText(selector),
    column: findSelector(selector, format, finder),
  }));
  const senderFields = sender.map(({ column }) => (column === null ? -1 : want(column)));
  const columns = [...new Set(choices.map(({ column }) => column))];
  const lines = layout.readerOf(columns);
  const { span, seek } = fieldSeeker(lines, columns, choices);
  const times = timestampReader(question.zoneUs);
  const durationUnitUs = duration?.unitUs ?? 0;

  const accepts = (tests: readonly Condition[], first: number): boolean =>
    tests.every((condition, index) =>
      condition.accepts(
        seek(testedFields[first + index]!)
          ? decoder.decode(lines.source.subarray(span[0], span[1]))
          : null,
      ),
    );

  const joined = new ByteBuffer();
  const seekValue = (field: number): boolean =>
    field >= 0 && seek(field) && !isMissing(lines.source, span[0]!, span[1]!);
  /** Returns false if one of the fields is missing. */
  const join = (fields: readonly number[], separator: number): boolean => {
    joined.clear();
    for (const [index, field] of fields.entries()) {
      if (!seekValue(field)) return false;
      if (index > 0) joined.addByte(separator);
      joined.add(lines.source, span[0]!, span[1]!);
    }
    return true;
  };
  const client: NameSpan = { bytes: ALL_REQUESTS, from: 0, to: ALL_REQUESTS.length };
  /** Returns false if a field of the client is missing. */
  const findClient = (): boolean => {
    if (keyFields.length === 1) {
      if (!seekValue(keyFields[0]!)) return false;
      client.bytes = lines.source;
      client.from = span[0]!;
      client.to = span[1]!;
    } else if (keyFields.length > 1) {
      if (!join(keyFields, SEPARATOR)) return false;
      client.bytes = joined.bytes;
      client.to = joined.length;
    }
    return true;
  };
  const targetId = (table: NameTable): number => {
    if (!join(endpointFields, SPACE)) return -1;
    for (const field of senderFields) {
      joined.addByte(SEPARATOR);
      if (seekValue(field)) joined.add(lines.source, span[0]!, span[1]!);
    }
    return table.idOf(joined.bytes, 0, joined.length);
  };

  /** The cost; null: one of its fields is missing, or is no number of at least 0. */
  const costOfLine = (): number | null => {
    let cost = 0;
    for (const field of costFields) {
      if (!seekValue(field)) return null;
      cost += numberIn(lines.source, span[0]!, span[1]!);
    }
    return cost >= 0 && cost <= Number.MAX_SAFE_INTEGER ? cost : null;
  };

  // The finest resolution of the first lines applies to all lines, because some programs omit a fraction of zero.
  const resolutions = head.map((line) =>
    lines.read(line, 0, line.length) &&
    seek(timeField) &&
    !Number.isNaN(times.read(lines.source, span[0]!, span[1]!))
      ? times.resolutionUs
      : SECOND,
  );
  const reader: RequestReader = {
    atUs: 0,
    client,
    target: 0,
    units: 1,
    lastsUs: 0,
    hasDuration: true,
    costState: "known",
    isWholeSeconds: resolutions.every((resolutionUs) => resolutionUs >= SECOND),
    takesDurationOff: duration !== null && time.isEnd === true,
    endsWithin: layout.endsWithin ?? null,
    hasDurations: duration !== null,
    columns,
    absentFields: sender.filter(({ column }) => column === null).map(({ name }) => name),
    read: (bytes, from, to) => {
      if (!lines.read(bytes, from, to) || !seek(timeField)) return "unreadable";
      let atUs = times.read(lines.source, span[0]!, span[1]!);
      if (!(atUs >= 0)) return "unreadable";
      if (reader.isWholeSeconds) atUs -= atUs % SECOND;
      if (durationField >= 0) {
        const tookUs = seek(durationField)
          ? durationUsIn(lines.source, span[0]!, span[1]!, durationUnitUs)
          : Number.NaN;
        reader.hasDuration = tookUs >= 0 && tookUs <= Number.MAX_SAFE_INTEGER;
        reader.lastsUs = reader.hasDuration ? tookUs : 0;
        // The exact end within its second is unknown; the middle is the best estimate.
        if (reader.lastsUs > 0 && time.isEnd === true)
          atUs = reader.isWholeSeconds ? wholeSecond(atUs + SECOND / 2 - tookUs) : atUs - tookUs;
      }
      reader.atUs = Math.max(0, atUs);
      if (conditions.length > 0 && !accepts(conditions, 0)) return "not selected";
      if (labels.length > 0) reader.target = accepts(labels, conditions.length) ? 1 : 0;
      if (targets !== null) {
        reader.target = targetId(targets);
        if (reader.target < 0) return "without endpoint";
      }
      if (costFields.length > 0) {
        const cost = costOfLine();
        reader.units = Math.ceil(cost ?? 1);
        reader.costState = cost === null ? "missing" : reader.units === cost ? "known" : "rounded";
      }
      return findClient() ? "request" : "without key";
    },
  };
  return reader;
}

/** A file without any line of the format. A folder may contain such files for another purpose. */
export class OtherFile extends Failure {}

export const noLineRead = (lines: number, { name }: LogFormat): OtherFile =>
  new OtherFile(
    lines === 1
      ? `its first line cannot be read as ${name}`
      : `none of its first ${lines} lines can be read as ${name}`,
  );

/** The columns of method and path. If a column has a whole request line, they are parts of it. */
const endpointColumns = (
  { method, path }: Endpoint = USUAL_ENDPOINT,
  format: LogFormat,
  finder: ColumnFinder,
  isJson: boolean,
): readonly (ColumnChoice | Failure)[] =>
  (["method", "path"] as const).map((part) => {
    const selector = part === "method" ? method : path;
    const choice = resolveSelector(selector, format, finder, isJson, `--${part} field:NAME`);
    return isFailure(choice) ? choice : { ...choice, part };
  });

const wholeSecond = (us: number): number => us - (us % SECOND);

interface FieldSeeker {
  readonly span: Int32Array; // start and end of the field that `seek` found
  /** Returns false if the line lacks the field. */
  readonly seek: (choice: number) => boolean;
}

function fieldSeeker(
  lines: LineReader,
  columns: readonly string[],
  choices: readonly ColumnChoice[],
): FieldSeeker {
  const slots = choices.map(({ column }) => 2 * columns.indexOf(column));
  const parts = choices.map(({ part }): Part => part ?? "whole");
  const span = new Int32Array(2);
  return {
    span,
    seek: (choice) => {
      const slot = slots[choice]!;
      const from = lines.spans[slot]!;
      if (from < 0) return false;
      span[0] = from;
      span[1] = lines.spans[slot + 1]!;
      if (parts[choice] !== "whole") narrow(lines.source, span, 0, parts[choice]!);
      return true;
    },
  };
}

const isMissing = (bytes: Uint8Array, from: number, to: number): boolean =>
  to <= from || (to === from + 1 && bytes[from] === DASH);
