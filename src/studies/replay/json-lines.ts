// Lines of JSON. A column is a path: `status`, `request.remote_ip`, `headers.user-agent`.
import { isJsonMap, type Json } from "../../kit/reading/shape.ts";
import type { Layout, LineReader } from "./line-reader.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const FIRST_SIZE = 4096;

export const JSON_LAYOUT: Layout = { columns: null, readerOf: jsonReader };

function jsonReader(wanted: readonly string[]): LineReader {
  const finders = wanted.map(finderOf);
  const spans = new Int32Array(2 * wanted.length);
  let scratch = new Uint8Array(FIRST_SIZE);
  let used = 0;

  /** Values are copied as bytes, because the text of a JSON string may have escapes. */
  const write = (text: string, slot: number): void => {
    if (used + 3 * text.length > scratch.length) {
      const larger = new Uint8Array(2 * scratch.length + 3 * text.length);
      larger.set(scratch);
      scratch = larger;
    }
    spans[2 * slot] = used;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code < 128) scratch[used++] = code;
      else {
        used += encoder.encodeInto(text.slice(i), scratch.subarray(used)).written;
        break;
      }
    }
    spans[2 * slot + 1] = used;
  };

  const reader: LineReader = {
    source: scratch,
    spans,
    read: (bytes, from, to) => {
      const value = parseJson(decoder.decode(bytes.subarray(from, to)));
      if (value === undefined || !isJsonMap(value)) return false;
      used = 0;
      spans.fill(-1);
      for (let slot = 0; slot < finders.length; slot++) {
        const text = scalarText(finders[slot]!(value));
        if (text !== null) write(text, slot);
      }
      reader.source = scratch;
      return true;
    },
  };
  return reader;
}

/** Returns undefined for anything but JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The text of a value; null: it is missing or a map. From a list it is the first value. */
function scalarText(value: Json | undefined): string | null {
  const one = Array.isArray(value) ? (value as readonly Json[])[0] : value;
  if (typeof one === "string") return one;
  return typeof one === "number" || typeof one === "boolean" ? String(one) : null;
}

type Finder = (record: Json) => Json | undefined;

/** Finds a column. A name with dots is either one key (`"log.level"`), or a path into maps. */
function finderOf(column: string): Finder {
  const parts = column.split(".");
  const ways = parts.map((_, i) => [
    memberFinder(parts.slice(0, i + 1).join(".")),
    i + 1 === parts.length ? null : finderOf(parts.slice(i + 1).join(".")),
  ]) as readonly (readonly [Finder, Finder | null])[];
  return (record) => {
    for (const [member, rest] of ways) {
      const value = member(record);
      const found = rest === null || value === undefined ? value : rest(value);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Finds a field in any letter case, because header names have any. In HAR, headers are lists of names and values. */
function memberFinder(name: string): Finder {
  const lower = name.toLowerCase();
  return (record) => {
    if (Array.isArray(record))
      return (record as readonly Json[]).filter(isJsonMap).find(({ name: own }) => {
        return typeof own === "string" && own.toLowerCase() === lower;
      })?.["value"];
    if (!isJsonMap(record)) return undefined;
    if (Object.hasOwn(record, name)) return record[name];
    for (const key of Object.keys(record)) if (key.toLowerCase() === lower) return record[key];
    return undefined;
  };
}
