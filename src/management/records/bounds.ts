// How large what is kept may become: each record, and what gathers beside the records.
import { writeJson, type JsonObject, type JsonValue } from "../json.ts";
import { Refusal } from "../refusal.ts";
import type { Family } from "./family.ts";

export interface RecordBounds {
  readonly recordBytes: number; // of one record, as it is kept
  readonly auditBytes: number; // of the log of changes
  readonly auditEntries: Readonly<Record<AuditKind, AuditEntries>>;
  readonly deliveriesBytes: number; // of what is queued for webhooks, and of what was
}

/** Changes of records, and uses of tokens, which change nothing but when one was last used. */
export const AUDIT_KINDS = ["changes", "uses"] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

export interface AuditEntries {
  readonly fewest: number; // stay however old
  readonly most: number; // stay however new
}

export const MEBIBYTE = 1_048_576;

export const USUAL_BOUNDS: RecordBounds = {
  recordBytes: 65_536,
  auditBytes: 256 * MEBIBYTE,
  auditEntries: {
    changes: { fewest: 100_000, most: 1_000_000 },
    uses: { fewest: 10_000, most: 100_000 },
  },
  deliveriesBytes: 64 * MEBIBYTE,
};

/** A record of ordinary texts and numbers has fewer members and items than one in so many bytes. */
const BYTES_OF_A_VALUE = 8;
const FEWEST_VALUES = 1_000;

/** How many members and items a body may have: reading and judging them takes time that clients wait for. */
export const mostValues = ({ recordBytes }: RecordBounds): number =>
  Math.max(FEWEST_VALUES, Math.ceil(recordBytes / BYTES_OF_A_VALUE));

/** In UTF-8. */
export function bytesOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) bytes += unit >= 0x8_00 && (unit < 0xd8_00 || unit > 0xdf_ff) ? 2 : 1; // half of a pair: 2 of its 4
  }
  return bytes;
}

/** No letter of a text takes more. */
const MOST_BYTES_OF_A_LETTER = 3;

const isWithin = (text: string, most: number): boolean =>
  text.length * MOST_BYTES_OF_A_LETTER <= most || bytesOf(text) <= most;

/** By which a record is switched off, or ends: of one that is too large this can always be said. */
const SWITCHES: ReadonlySet<string> = new Set(["active", "is_inactive", "expires"]);

/** No end of a key is further away: a longer number is no switch. */
const LARGEST = 10n ** 20n;

const isSwitch = (name: string, value: JsonValue): boolean =>
  SWITCHES.has(name) && (value === null || isShort(value));

const isShort = (value: JsonValue): boolean =>
  typeof value === "bigint"
    ? value > -LARGEST && value < LARGEST
    : typeof value === "number" || typeof value === "boolean";

/** What can be made long: a switch weighs nothing, and true as much as false. */
function weightOf(document: JsonObject): number {
  const long = Object.entries(document).filter(([name, value]) => !isSwitch(name, value));
  return bytesOf(JSON.stringify(long, weighed));
}

const weighed = (_: string, value: unknown): unknown =>
  typeof value === "boolean" ? 0 : typeof value === "bigint" ? String(value) : value;

/**
 * What is wrong with the size of a record, as it is kept: what, how large, and what to do. Null: nothing. One that was kept
 * when the bound was higher, or by a version without one, may be changed as long as it does not grow.
 */
export function tooLarge(
  document: JsonObject,
  { recordBytes: most }: RecordBounds,
  before: JsonObject | null,
  text = writeJson(document),
): string | null {
  if (isWithin(text, most)) return null;
  const old = before === null ? "" : writeJson(before);
  const wasTooLarge = before !== null && !isWithin(old, most);
  if (wasTooLarge && weightOf(document) <= weightOf(before)) return null;
  const [size, fix] = wasTooLarge
    ? [`has ${bytesOf(old)} bytes already, and would grow`, "take something away from it"]
    : [`would have ${bytesOf(text)} bytes`, "make it smaller"];
  return `the record ${size}, and at most ${most} are kept: ${fix}, or raise limits.record_bytes`;
}

export function refuseTooLarge(
  family: Family,
  id: string,
  { document, text }: { readonly document: JsonObject; readonly text: string },
  bounds: RecordBounds,
  before: JsonObject | null,
): void {
  const wrong = tooLarge(document, bounds, before, text);
  if (wrong !== null) throw new Refusal(400, `${family} ${id}: ${wrong}`);
}
