// An object while it is read: its own fields, its path, and the list for its problems. Inherited fields are ignored,
// so `__proto__` or `constructor` in a document have no special meaning.
import {
  errorAt,
  nearest,
  warningAt,
  type Path,
  type Problem,
} from "../../kit/reading/problems.ts";
import { CODES, type Code } from "./codes.ts";
import { MARKS_OF_A_RECORD, type FieldType, type MemberTable } from "./members.ts";

/** Everything that is found while one record is read. */
export interface Findings {
  readonly problems: Problem[];
  /** Names of a pasted record's fields without effect. Null for a short form, in which such fields are errors. */
  readonly unused: string[] | null;
  /** The path of the record, to which the names of unused fields are relative. */
  readonly root: Path;
  /** Number of fields for which a similar name was looked up. */
  looked: number;
  /** Unusual methods of the record, each with the most similar usual one; null: none is similar. */
  readonly methods: Map<string, string | null>;
}

export interface PlacedObject {
  /** A misspelt field is present under its intended name too, so that its value is also checked. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly path: Path;
  readonly findings: Findings;
  readonly misspelt?: ReadonlyMap<string, string>; // the intended name -> the name in the file
}

/** Findings of a short form, in which unknown fields are errors. */
export const strictFindings = (problems: Problem[], root: Path): Findings => ({
  problems,
  unused: null,
  root,
  looked: 0,
  methods: new Map(),
});

/** Findings of a policy or key: pasted if it has an id, an organisation or access rights, else a short form. */
export const findingsOfRecord = (raw: unknown, root: Path, problems: Problem[]): Findings =>
  isObject(raw) && MARKS_OF_A_RECORD.some((mark) => Object.hasOwn(raw, mark))
    ? findingsOfPasted(problems, root)
    : strictFindings(problems, root);

export const findingsOfPasted = (problems: Problem[], root: Path): Findings => ({
  problems,
  unused: [],
  root,
  looked: 0,
  methods: new Map(),
});

/** Adds a problem. Its severity follows from its code, so that callers cannot choose a wrong one. */
export function note(problems: Problem[], code: Code, path: Path, message: string, fix = ""): void {
  problems.push(
    CODES[code].severity === "error"
      ? errorAt(code, path, message, fix)
      : warningAt(code, path, message, fix),
  );
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const LONGEST_SHOWN = 60;

/** A value in a message: short, on one line, without nested data. */
export function show(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(
      value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}...` : value,
    );
  }
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "number" || typeof value === "boolean" || value == null) {
    return String(value);
  }
  return `a ${typeof value}`;
}

const LONGEST_NAME = 64;

/** The nearest known name; null if none is near. A text longer than `LONGEST_NAME` is not a misspelt name. */
export const nearestName = (name: string, known: Iterable<string>, share?: number): string | null =>
  name.length > LONGEST_NAME ? null : nearest(name, known, share);

/** The value of an own field. Null equals absent, because an explicit null resets a field to its default (MGT-C5). */
export function member(place: PlacedObject, name: string): unknown {
  const value = Object.hasOwn(place.raw, name) ? place.raw[name] : null;
  return value ?? null;
}

export const has = (place: PlacedObject, name: string): boolean => member(place, name) !== null;
export const at = (place: PlacedObject, name: string): Path => [
  ...place.path,
  place.misspelt?.get(name) ?? name,
];

export function noteAt(
  place: PlacedObject,
  name: string | null,
  code: Code,
  message: string,
  fix = "",
): void {
  note(place.findings.problems, code, name === null ? place.path : at(place, name), message, fix);
}

/** Opens an object and checks its fields by the table. For any other value, reports an error and returns null. */
export function open(
  value: unknown,
  path: Path,
  findings: Findings,
  table: MemberTable,
): PlacedObject | null {
  if (!isObject(value)) {
    note(
      findings.problems,
      "CFG-TYPE",
      path,
      `${table.what} must be an object; got ${show(value)}`,
    );
    return null;
  }
  const misspelt = new Map<string, string>();
  const place: PlacedObject = { raw: value, path, findings };
  for (const name of Object.keys(value)) {
    const intended = checkMember(place, name, table);
    if (intended !== null && !Object.hasOwn(value, intended)) misspelt.set(intended, name);
  }
  if (misspelt.size === 0) return place;
  const corrected = [...misspelt].map(([intended, name]) => [intended, value[name]] as const);
  return { ...place, raw: { ...value, ...Object.fromEntries(corrected) }, misspelt };
}

/** Opens an optional field; null without an error if it is absent. */
export function openMember(
  place: PlacedObject,
  name: string,
  table: MemberTable,
): PlacedObject | null {
  const value = member(place, name);
  return value === null ? null : open(value, at(place, name), place.findings, table);
}

/** The number of unknown fields for which similar names are looked up. More unknown fields are not misspellings. */
const MOST_LOOKED = 100;

/** Checks a field. If its name is misspelt, returns the intended name; else null. */
function checkMember(place: PlacedObject, name: string, table: MemberTable): string | null {
  if (table.read.includes(name)) return null;
  const type = Object.hasOwn(table.stored, name) ? table.stored[name] : undefined;
  if (type !== undefined) {
    checkStored(place, name, type);
    return null;
  }
  const isLooked = place.findings.looked++ < MOST_LOOKED;
  const known = isLooked ? [...table.read, ...Object.keys(table.stored)] : [];
  const similar = nearestName(name, known);
  const message = `${show(name)} is not a field of ${table.what}`;
  if (similar !== null) {
    const question = `${message}; did you mean "${similar}"?`;
    noteAt(place, name, "CFG-UNKNOWN-FIELD", question, `write "${similar}"`);
  } else if (place.findings.unused === null) {
    noteAt(
      place,
      name,
      "CFG-UNKNOWN-FIELD",
      message,
      isLooked ? `known here: ${table.read.join(", ")}` : "",
    );
  } else {
    place.findings.unused.push([...place.path.slice(place.findings.root.length), name].join("."));
  }
  return similar;
}

const FITS: Readonly<
  Record<FieldType, { readonly words: string; readonly test: (value: unknown) => boolean }>
> = {
  any: { words: "anything", test: () => true },
  string: { words: "a string", test: (value) => typeof value === "string" },
  integer: { words: "an integer", test: (value) => Number.isInteger(value) },
  boolean: { words: "true or false", test: (value) => typeof value === "boolean" },
  object: { words: "an object", test: isObject },
  strings: {
    words: "a list of strings",
    test: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
  },
};

function checkStored(place: PlacedObject, name: string, type: FieldType): void {
  const value = member(place, name);
  if (value === null || FITS[type].test(value)) return;
  noteAt(place, name, "CFG-TYPE", `${name} must be ${FITS[type].words}; got ${show(value)}`);
}

const MOST_LISTED = 20;

/** Joins names for a message. A long list is cut, because it would hide the rest of the message. */
export function listNames(names: readonly string[]): string {
  const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : "";
  return names.slice(0, MOST_LISTED).join(", ") + more;
}

/** Adds one warning with all unused fields of a pasted record. */
export function reportUnused(findings: Findings): void {
  const names = findings.unused ?? [];
  if (names.length === 0) return;
  const shown = names.map((name) => show(name).slice(1, -1));
  const message = `stored, but without effect here: ${listNames(shown)}`;
  note(findings.problems, "CFG-UNUSED-FIELDS", findings.root, message);
}
