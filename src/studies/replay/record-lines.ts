// Lines of CSV as records: a value in quotes may have line breaks. A quote that is never closed damages one line, not
// the rest of the log.
import type { EndsWithin } from "./line-reader.ts";

const NEWLINE = 10;
const QUOTE = 34;
/** Most lines of a record that is read as a request. */
export const MOST_LINES = 100;
const MOST_BYTES = 1 << 16;

interface NumberedLine {
  readonly bytes: Uint8Array;
  readonly number: number; // in the log, from 1
}

interface RecordReader {
  /** Reads a record of one or more lines. Returns false if it is no record. */
  readonly read: (bytes: Uint8Array, from: number, to: number) => boolean;
  readonly noteUnreadable: (line: Uint8Array, number: number) => void;
}

export class RecordLines {
  readonly #endsWithin: EndsWithin;
  readonly #reader: RecordReader;
  #lines: NumberedLine[] = [];
  #bytes = 0;
  #block: Uint8Array | null = null;
  #nextQuote = 0; // position of the next quote in the block
  /** Whether any record had several lines. */
  hasLongRecord = false;

  constructor(endsWithin: EndsWithin, reader: RecordReader) {
    this.#endsWithin = endsWithin;
    this.#reader = reader;
  }

  /** Adds the next line. If a record does not end in this line, it is read when it is complete. */
  add(bytes: Uint8Array, from: number, to: number, number: number): void {
    if (this.#lines.length > 0) {
      this.#continue({ bytes: copyOf(bytes, from, to), number });
      return;
    }
    if (this.#hasQuote(bytes, from, to) && this.#endsWithin(bytes, from, to, false)) {
      this.#lines = [{ bytes: copyOf(bytes, from, to), number }];
      this.#bytes = to - from;
      this.hasLongRecord = true;
    } else this.#readLine(bytes, from, to, number);
  }

  /** Call after the last line of the log. */
  end(): void {
    while (this.#lines.length > 0) this.#giveUp();
  }

  #continue(line: NumberedLine): void {
    this.#lines.push(line);
    this.#bytes += line.bytes.length;
    const isOpen = this.#endsWithin(line.bytes, 0, line.bytes.length, true);
    if (isOpen && this.#lines.length < MOST_LINES && this.#bytes < MOST_BYTES) return;
    const record = joinLines(this.#lines.map(({ bytes }) => bytes));
    if (isOpen || !this.#reader.read(record, 0, record.length)) this.#giveUp();
    else this.#lines = [];
  }

  /** Gives up joining: reads the first line as a record, and starts again with the others. */
  #giveUp(): void {
    const [first, ...others] = this.#lines;
    this.#lines = [];
    this.#readLine(first!.bytes, 0, first!.bytes.length, first!.number);
    for (const { bytes, number } of others) this.add(bytes, 0, bytes.length, number);
  }

  #readLine(bytes: Uint8Array, from: number, to: number, number: number): void {
    if (!this.#reader.read(bytes, from, to))
      this.#reader.noteUnreadable(bytes.subarray(from, to), number);
  }

  /** Whether a line has a quote. Looks at each byte of a block only once. */
  #hasQuote(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.#block !== bytes) {
      this.#block = bytes;
      this.#nextQuote = -1;
    }
    if (this.#nextQuote < from) {
      const next = bytes.indexOf(QUOTE, from);
      this.#nextQuote = next < 0 ? Number.POSITIVE_INFINITY : next;
    }
    return this.#nextQuote < to;
  }
}

/** A true copy: blocks are reused, and `slice` of Node's Buffer does not copy. */
const copyOf = (bytes: Uint8Array, from: number, to: number): Uint8Array =>
  new Uint8Array(bytes.subarray(from, to));

function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  const size = lines.reduce((sum, { length }) => sum + length + 1, -1);
  const joined = new Uint8Array(size).fill(NEWLINE);
  let at = 0;
  for (const line of lines) {
    joined.set(line, at);
    at += line.length + 1;
  }
  return joined;
}

/** Joins the first lines of a log to records. */
export function recordsOf(
  lines: readonly Uint8Array[],
  endsWithin: EndsWithin,
): readonly Uint8Array[] {
  const records: Uint8Array[] = [];
  const reading = new RecordLines(endsWithin, {
    read: (bytes, from, to) => records.push(bytes.subarray(from, to)) > 0,
    noteUnreadable: () => {},
  });
  for (const [index, line] of lines.entries()) reading.add(line, 0, line.length, index + 1);
  reading.end();
  return records;
}
