// Limits of the size of records, and of the data about them.
import { writeJson, type JsonObject, type JsonValue } from "../json.ts";
import { Rejection } from "../rejection.ts";
import type { RecordTypeName } from "./record-types.ts";

export interface RecordBounds {
  readonly recordBytes: number; // of one encoded record
  readonly auditBytes: number; // of the audit log
  readonly auditEntries: Readonly<Record<AuditKind, AuditEntries>>;
  readonly deliveriesBytes: number; // of the queue of webhook deliveries
}

/** `uses`: uses of tokens, which change only their time of last use. `changes`: all other changes of records. */
export const AUDIT_KINDS = ["changes", "uses"] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** Prefixes of operations in the audit log: a token was used or rejected, and only its time of last use has changed. */
export const USE = "use ";
export const REFUSAL = "refuse ";

/** The kind of an audit entry. */
export const kindOf = (family: RecordTypeName, what: string): AuditKind =>
  family === "tokens" && [USE, REFUSAL].some((each) => what.startsWith(each)) ? "uses" : "changes";

export interface AuditEntries {
  readonly fewest: number; // the newest entries up to this number stay, even if they are old
  readonly most: number; // more entries than this never stay, even if they are new
}

const MEBIBYTE = 1_048_576;

export const USUAL_BOUNDS: RecordBounds = {
  recordBytes: 65_536,
  auditBytes: 256 * MEBIBYTE,
  auditEntries: {
    changes: { fewest: 100_000, most: 1_000_000 },
    uses: { fewest: 10_000, most: 100_000 },
  },
  deliveriesBytes: 64 * MEBIBYTE,
};

/** A usual record of strings and numbers has more than this number of bytes for each field or item. */
const BYTES_OF_A_VALUE = 8;
const FEWEST_VALUES = 1_000;

/** The largest number of fields and items of a body, because other clients wait while it is decoded and validated. */
export const mostValues = ({ recordBytes }: RecordBounds): number =>
  Math.max(FEWEST_VALUES, Math.ceil(recordBytes / BYTES_OF_A_VALUE));

/** The bytes of a text in UTF-8. */
export function bytesOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) bytes += unit >= 0x8_00 && (unit < 0xd8_00 || unit > 0xdf_ff) ? 2 : 1; // a surrogate: 2 bytes
  }
  return bytes;
}

/** The most UTF-8 bytes of one UTF-16 unit. */
const MOST_BYTES_OF_A_LETTER = 3;

const isWithin = (text: string, most: number): boolean =>
  text.length * MOST_BYTES_OF_A_LETTER <= most || bytesOf(text) <= most;

/** Fields that deactivate a record or set its expiry. They can be set even if the record is too large. */
const SWITCHES: ReadonlySet<string> = new Set(["active", "is_inactive", "expires"]);

/** The smallest integer that is too large for a switch: no key expires that late. */
const LARGEST = 10n ** 20n;

const isSwitch = (name: string, value: JsonValue): boolean =>
  SWITCHES.has(name) && (value === null || isShort(value));

const isShort = (value: JsonValue): boolean =>
  typeof value === "bigint"
    ? value > -LARGEST && value < LARGEST
    : typeof value === "number" || typeof value === "boolean";

/** The bytes of the fields that can grow. Switches are left out, and `true` has the same length as `false`. */
function weightOf(document: JsonObject): number {
  const long = Object.entries(document).filter(([name, value]) => !isSwitch(name, value));
  return bytesOf(JSON.stringify(long, weigh));
}

const weigh = (_: string, value: unknown): unknown =>
  typeof value === "boolean" ? 0 : typeof value === "bigint" ? String(value) : value;

/**
 * Why a record is too large, with its size and the fix; null: it fits. A record that was stored under a higher limit
 * may change as long as it does not grow.
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
    ? [`has ${bytesOf(old)} bytes already, and would grow`, "remove something from it"]
    : [`would have ${bytesOf(text)} bytes`, "make it smaller"];
  return `the record ${size}, and at most ${most} are stored: ${fix}, or raise limits.record_bytes`;
}

export function rejectTooLarge(
  family: RecordTypeName,
  id: string,
  { document, text }: { readonly document: JsonObject; readonly text: string },
  bounds: RecordBounds,
  before: JsonObject | null,
): void {
  const wrong = tooLarge(document, bounds, before, text);
  if (wrong !== null) throw new Rejection(400, `${family} ${id}: ${wrong}`);
}

type BoundSettings = "limits.record_bytes" | "limits.audit_bytes" | "limits.deliveries_bytes";

/** The bounds in the settings of a process. */
export const boundsIn = (settings: Readonly<Record<BoundSettings, number>>): RecordBounds => ({
  ...USUAL_BOUNDS,
  recordBytes: settings["limits.record_bytes"],
  auditBytes: settings["limits.audit_bytes"],
  deliveriesBytes: settings["limits.deliveries_bytes"],
});
