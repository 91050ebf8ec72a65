// From a line of a log to a request: its client, and the time at which it arrived.
import { SECOND } from "../core/units.ts";
import { Failure, isFailure } from "../reading/failure.ts";
import type { NameTable } from "./names.ts";
import type { Condition } from "./conditions.ts";
import type { ColumnChoice, LogFormat } from "./columns.ts";
import { narrow, type LineReader, type Part } from "./line-reader.ts";
import { columnFinder, resolveSelector, type Selector } from "./selectors.ts";
import { timestampReader } from "./timestamps.ts";

/** What every file of a replay is read for. */
export interface RequestQuestion {
  readonly key: readonly Selector[];
  readonly conditions: readonly Condition[];
  readonly clients: NameTable;
  /** Of methods and paths, such as `GET /a`; null: no candidate needs them. */
  readonly targets: NameTable | null;
}

/** `without key`: the client is missing, or a dash, so that no limit by client applies to the request. */
export type LineOutcome = "request" | "unreadable" | "without key" | "not selected";

export interface RequestReader {
  atUs: number; // of the last request
  client: number;
  target: number;
  readonly read: (bytes: Uint8Array, from: number, to: number) => LineOutcome;
  /** Timestamps are whole seconds. May be set if those of another file are: then fractions are dropped here too. */
  isWholeSeconds: boolean;
  /** The duration of each request is taken off the time of its end. */
  readonly takesDurationOff: boolean;
}

const DASH = 45;
const SEPARATOR = 31; // between the parts of a key: no field has it
const SPACE = 32;
const ENDPOINT: readonly Selector[] = [
  { kind: "field of every log", name: "method" },
  { kind: "field of every log", name: "path" },
];
const decoder = new TextDecoder();

/** A failure: the lines do not have what is needed. `head` has the first lines. */
export function requestReader(
  format: LogFormat,
  { key, conditions, clients, targets }: RequestQuestion,
  head: readonly Uint8Array[],
): RequestReader | Failure {
  const layout = format.layoutOf(head.map((line) => decoder.decode(line)));
  const finder = columnFinder(layout, head);
  const isJson = layout.columns === null;
  const time = finder.find(format.time);
  if (time === null)
    return new Failure(
      `no column has the time of a request; its columns are ${finder.names.join(", ")}, and expected is one of ${format.time.map(({ column }) => column).join(", ")}`,
    );
  const keyColumns = key.map((selector) => resolveSelector(selector, format, finder, isJson));
  const tested = conditions.map(({ selector }) =>
    resolveSelector(selector, format, finder, isJson),
  );
  const endpoint = (targets === null ? [] : ENDPOINT).map((selector) =>
    resolveSelector(selector, format, finder, isJson),
  );
  const failure = [...keyColumns, ...tested, ...endpoint].find(isFailure);
  if (failure !== undefined) return failure;
  const duration = time.isEnd === true ? finder.find(format.duration) : null;
  const choices = [
    time,
    ...(duration === null ? [] : [duration]),
    ...(keyColumns as readonly ColumnChoice[]),
    ...(tested as readonly ColumnChoice[]),
    ...(endpoint as readonly ColumnChoice[]),
  ];
  const columns = [...new Set(choices.map(({ column }) => column))];
  const lines = layout.readerOf(columns);
  const { span, seek } = fieldSeeker(lines, columns, choices);
  const keyStart = duration === null ? 1 : 2;
  const times = timestampReader();
  const durationUnitUs = duration?.unitUs ?? 0;

  const accepts = (): boolean =>
    conditions.every((condition, index) =>
      condition.accepts(
        seek(keyStart + key.length + index)
          ? decoder.decode(lines.source.subarray(span[0], span[1]))
          : null,
      ),
    );

  let joint = new Uint8Array(256);
  /** The number of several fields together; -1: one is missing. */
  const jointId = (table: NameTable, first: number, count: number, separator: number): number => {
    let used = 0;
    for (let index = 0; index < count; index++) {
      if (!seek(first + index) || isMissing(lines.source, span[0]!, span[1]!)) return -1;
      const length = span[1]! - span[0]!;
      if (used + length + 1 > joint.length) {
        const larger = new Uint8Array(2 * (joint.length + length));
        larger.set(joint);
        joint = larger;
      }
      if (index > 0) joint[used++] = separator;
      joint.set(lines.source.subarray(span[0], span[1]), used);
      used += length;
    }
    return table.idOf(joint, 0, used);
  };
  const clientId = (): number => {
    if (key.length > 1) return jointId(clients, keyStart, key.length, SEPARATOR);
    return !seek(keyStart) || isMissing(lines.source, span[0]!, span[1]!)
      ? -1
      : clients.idOf(lines.source, span[0]!, span[1]!);
  };
  const targetStart = keyStart + key.length + conditions.length;

  // The finest one counts, because some programs drop a fraction of zero. The first line may be one of names.
  const resolutions = head.map((line) =>
    lines.read(line, 0, line.length) &&
    seek(0) &&
    !Number.isNaN(times.read(lines.source, span[0]!, span[1]!))
      ? times.resolutionUs
      : SECOND,
  );
  const reader: RequestReader = {
    atUs: 0,
    client: 0,
    target: 0,
    isWholeSeconds: resolutions.every((resolutionUs) => resolutionUs >= SECOND),
    takesDurationOff: duration !== null,
    read: (bytes, from, to) => {
      if (!lines.read(bytes, from, to) || !seek(0)) return "unreadable";
      let atUs = times.read(lines.source, span[0]!, span[1]!);
      if (!(atUs >= 0)) return "unreadable";
      if (reader.isWholeSeconds) atUs -= atUs % SECOND;
      if (duration !== null && seek(1)) {
        const tookUs = Math.round(numberIn(lines.source, span[0]!, span[1]!) * durationUnitUs);
        // Of an end within a whole second, the middle is the most likely one.
        if (tookUs > 0)
          atUs = reader.isWholeSeconds ? wholeSecond(atUs + SECOND / 2 - tookUs) : atUs - tookUs;
      }
      reader.atUs = Math.max(0, atUs);
      if (conditions.length > 0 && !accepts()) return "not selected";
      if (targets !== null) {
        reader.target = jointId(targets, targetStart, ENDPOINT.length, SPACE);
        if (reader.target < 0) return "unreadable";
      }
      reader.client = clientId();
      return reader.client < 0 ? "without key" : "request";
    },
  };
  return reader;
}

const wholeSecond = (us: number): number => us - (us % SECOND);

interface FieldSeeker {
  readonly span: Int32Array; // start and end of the field that was sought last
  /** False: the line does not have the field of this choice. */
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
      narrow(lines.source, span, 0, parts[choice]!);
      return true;
    },
  };
}

const isMissing = (bytes: Uint8Array, from: number, to: number): boolean =>
  to <= from || (to === from + 1 && bytes[from] === DASH);

/** A decimal number; NaN for anything else, such as a dash. */
function numberIn(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  let place = 0;
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - 48;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      place *= 10;
    } else if (digit === -2 && place === 0) place = 1;
    else return Number(decoder.decode(bytes.subarray(from, to)));
  }
  return place > 1 ? value / place : value;
}
