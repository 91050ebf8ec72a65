// Finds the format of a log from its first lines.
import { isFailure, type Failure } from "../../kit/reading/failure.ts";
import {
  OtherFile,
  noLineRead,
  requestReader,
  type LogQuestion,
  type RequestReader,
} from "./requests.ts";
import type { LogFormat } from "./columns.ts";
import { recordsOf } from "./record-lines.ts";
import { formatIn } from "./formats.ts";

export interface FoundReader {
  readonly format: LogFormat;
  readonly reader: RequestReader;
}

const EMPTY = new OtherFile("it is empty");
const BINARY = new OtherFile("this is a binary file");
const NAMES_ONLY = new OtherFile("it has the names of columns and no request");
const UNKNOWN = new OtherFile(
  "its first lines have no known format; name it with --format NAME, or give the server's own: --format '$remote_addr [$time_local] ...'",
);

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Removes a byte order mark from the start of a log. */
export const withoutMark = <Bytes extends Uint8Array>(bytes: Bytes): Bytes =>
  BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte)
    ? (bytes.subarray(BYTE_ORDER_MARK.length) as Bytes)
    : bytes;

/** The size of a log's start, in which its format is found. */
export const HEAD_BYTES = 1 << 16;
const HEAD_LINES = 20;
const [NEWLINE, RETURN] = [10, 13];

export function headLines(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let from = 0; from < bytes.length && lines.length < HEAD_LINES;) {
    const newline = bytes.indexOf(NEWLINE, from);
    const end = newline < 0 ? bytes.length : newline;
    const line = bytes.subarray(from, end);
    if (line.length > 0) lines.push(line.at(-1) === RETURN ? line.subarray(0, -1) : line);
    from = end + 1;
  }
  return lines;
}

export function readerFor(
  head: readonly Uint8Array[],
  question: LogQuestion,
): FoundReader | Failure {
  if (head.length === 0) return EMPTY;
  const decoder = new TextDecoder();
  const text = head.map((line) => decoder.decode(line));
  const format = question.format ?? formatIn(text);
  if (format === null) return text.some((line) => line.includes("\0")) ? BINARY : UNKNOWN;
  // The first line with column names or a request: a server may write other lines before.
  const start = text.findIndex((line) => format.recognises([line]));
  const reader = requestReader(format, question, recordsIn(format, head.slice(Math.max(0, start))));
  if (isFailure(reader)) return reader;
  if (format.others === "names" && head.length === 1) return NAMES_ONLY;
  return readFirst(reader, recordsIn(format, head), question)
    ? { format, reader }
    : noLineRead(head.length, format);
}

function recordsIn(format: LogFormat, head: readonly Uint8Array[]): readonly Uint8Array[] {
  if (format.others !== "names") return head;
  const decoder = new TextDecoder();
  const { endsWithin } = format.layoutOf(head.map((line) => decoder.decode(line)));
  return endsWithin === undefined ? head : recordsOf(head, endsWithin);
}

/** Reads a first request, so that clients are numbered in the order of logs. Returns false if no line can be read. */
export function readFirst(
  reader: RequestReader,
  head: readonly Uint8Array[],
  { clients }: LogQuestion,
): boolean {
  for (const line of head) {
    const outcome = reader.read(line, 0, line.length);
    if (outcome === "unreadable") continue;
    const { bytes, from, to } = reader.client;
    if (outcome === "request") clients.idOf(bytes, from, to);
    return true;
  }
  return false;
}
