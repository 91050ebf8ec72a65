// The codes of problems that any kind of file can have. Each kind has additional codes.
import { report, type Path, type Problem } from "./problems.ts";

export const READING_CODES = {
  "SCN-YAML": "The file is not YAML 1.2, so nothing after this place was read.",
  "SCN-YAML-FEATURE":
    "The file uses a part of YAML that scenarios leave out: anchors, aliases, tags, merge keys, directives, several documents.",
  "SCN-DUPLICATE-FIELD": "The same name is given twice in one map.",
  "SCN-UNKNOWN-FIELD":
    "The name is not a field here, or it does not go with the word chosen in this map.",
  "SCN-MISSING-FIELD": "A required field is missing.",
  "SCN-ONE-OF": "The map has several words of which exactly one may be chosen.",
  "SCN-VALUE": "The value is of the wrong type, or outside what the field can hold.",
} as const satisfies Readonly<Record<string, string>>;

export type ReadingCode = keyof typeof READING_CODES;

export const reportReading: (
  problems: Problem[],
  code: ReadingCode,
  path: Path,
  message: string,
  fix?: string,
) => undefined = report;
