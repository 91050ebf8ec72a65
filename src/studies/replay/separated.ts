// Lines of columns with one separator: CSV, and the W3C format of IIS and CloudFront. Packages for CSV create a string
// for each value and do not report lines: papaparse, csv-parse and uDSV took 5 to 25 times as long for the same 300,000
// lines.
import { ByteBuffer } from "./byte-buffer.ts";
import { indexIn, type EndsWithin, type Layout, type LineReader } from "./line-reader.ts";

const QUOTE = 34;

/** W3C has date and time in two columns. They are read as one column with this name. */
export const DATE_TIME = "date time";

export function layoutOfColumns(columns: readonly string[], separator: string): Layout {
  const byte = separator.charCodeAt(0);
  const date = columns.indexOf("date");
  const isJoined = date >= 0 && columns[date + 1] === "time";
  return {
    columns: isJoined ? [...columns, DATE_TIME] : columns,
    readerOf: (wanted) => {
      const joined = isJoined ? wanted.indexOf(DATE_TIME) : -1;
      const all = joined < 0 ? wanted : [...wanted, "date", "time"];
      const slots = columns.map((column) => all.lastIndexOf(column));
      const count = slots.findLastIndex((slot) => slot >= 0) + 1;
      const reader = columnReader(byte, slots.slice(0, count), all.length);
      return joined < 0 ? reader : readerWithDate(reader, wanted, joined);
    },
  };
}

/** Adds the joined column. `wanted` may also have the columns date and time themselves. */
function readerWithDate(inner: LineReader, wanted: readonly string[], joined: number): LineReader {
  const { spans } = inner;
  const [dateSlot, timeSlot] = [wanted.length, wanted.length + 1];
  const copies = wanted.flatMap((column, slot) =>
    column === "date" ? [[slot, dateSlot]] : column === "time" ? [[slot, timeSlot]] : [],
  );
  const reader: LineReader = {
    source: inner.source,
    spans,
    read: (bytes, from, to) => {
      const isRead = inner.read(bytes, from, to);
      reader.source = inner.source;
      spans[2 * joined] = spans[2 * dateSlot]!;
      spans[2 * joined + 1] = spans[2 * timeSlot + 1]!;
      for (const [slot, copied] of copies) {
        spans[2 * slot!] = spans[2 * copied!]!;
        spans[2 * slot! + 1] = spans[2 * copied! + 1]!;
      }
      return isRead;
    },
  };
  return reader;
}

function columnReader(separator: number, slots: readonly number[], wanted: number): LineReader {
  const spans = new Int32Array(2 * wanted).fill(-1);
  const unquoted = new ByteBuffer();
  /** Copies all values of a line, because a quoted value differs from its bytes. */
  const copyValues = (bytes: Uint8Array): void => {
    unquoted.clear();
    for (let slot = 0; slot < 2 * wanted; slot += 2) {
      const [from, to] = [spans[slot]!, spans[slot + 1]!];
      if (from < 0) continue;
      spans[slot] = unquoted.length;
      const isQuoted = from > 0 && bytes[from - 1] === QUOTE;
      for (let at = from; at < to; at++) {
        unquoted.addByte(bytes[at]!);
        if (isQuoted && bytes[at] === QUOTE) at++;
      }
      spans[slot + 1] = unquoted.length;
      unquoted.addByte(separator); // so that date and time can be read as one value
    }
    reader.source = unquoted.bytes;
  };
  const reader: LineReader = {
    source: new Uint8Array(0),
    spans,
    read: (bytes, from, to) => {
      reader.source = bytes;
      let hasQuotes = false;
      let at = from;
      for (let index = 0; index < slots.length; index++) {
        if (at > to) return false; // fewer columns than the header has
        const isQuoted = bytes[at] === QUOTE;
        const start = isQuoted ? at + 1 : at;
        const end = isQuoted ? endOfQuoted(bytes, start, to) : indexIn(bytes, separator, at, to);
        if (end < 0) return false;
        const slot = slots[index]!;
        if (slot >= 0) {
          hasQuotes ||= isQuoted && indexIn(bytes, QUOTE, start, end) < end;
          spans[2 * slot] = start;
          spans[2 * slot + 1] = end;
        }
        at = (isQuoted ? indexIn(bytes, separator, end, to) : end) + 1;
      }
      if (hasQuotes) copyValues(bytes);
      return true;
    },
  };
  return reader;
}

/** The end of a quoted value, in which a quote is doubled. */
function endOfQuoted(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    if (bytes[at] !== QUOTE) continue;
    if (bytes[at + 1] !== QUOTE || at + 1 >= to) return at;
    at++;
  }
  return -1;
}

/** Finds whether a line of CSV ends within quotes: a quoted value may have line breaks. */
export function quotesOf(separator: string): EndsWithin {
  const byte = separator.charCodeAt(0);
  return (bytes, from, to, isWithin) => {
    let at = from;
    let isQuoted = isWithin;
    while (at < to) {
      if (!isQuoted && bytes[at] === QUOTE) {
        isQuoted = true;
        at++;
      }
      const end = isQuoted ? endOfQuoted(bytes, at, to) : at;
      if (end < 0) return true;
      at = indexIn(bytes, byte, end, to) + 1;
      isQuoted = false;
    }
    return isQuoted;
  };
}

export function csvNames(line: string, separator: string): readonly string[] {
  const field = new RegExp(
    String.raw`(?:"((?:[^"]|"")*)"|([^${separator}]*))(?:${separator}|$)`,
    "gy",
  );
  const names: string[] = [];
  while (field.lastIndex < line.length) {
    const match = field.exec(line);
    if (match === null) break;
    names.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? "").trim());
  }
  return names;
}
