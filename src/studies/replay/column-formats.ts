// Formats whose files name their columns: W3C and related formats, and CSV.
import {
  atEnd,
  first,
  lasting,
  MS_US,
  of,
  partOf,
  plainColumn,
  SECOND_US,
  USUAL,
  type LogFormat,
} from "./columns.ts";
import type { Layout } from "./line-reader.ts";
import { csvNames, DATE_TIME, layoutOfColumns, quotesOf } from "./separated.ts";

const w3cLayout =
  (separator: string) =>
  (head: readonly string[]): Layout => {
    const names = head.findLast((line) => line.startsWith("#Fields:")) ?? "";
    return layoutOfColumns(names.slice("#Fields:".length).match(/\S+/g) ?? [], separator);
  };

const CSV_SEPARATORS = [",", ";", "\t"];

const csvSeparator = (head: readonly string[]): string | undefined => {
  const line = first(head);
  return CSV_SEPARATORS.find(
    (separator) => line.includes(separator) && csvNames(line, separator).length > 1,
  );
};

/** Names of columns with a time. A set is fast to search: a file that is no log may have very many columns. */
const CSV_TIMES: ReadonlySet<string> = new Set(USUAL.time.map(({ column }) => plainColumn(column)));

function csvLayout(head: readonly string[]): Layout {
  const separator = csvSeparator(head) ?? ",";
  const layout = layoutOfColumns(csvNames(first(head), separator), separator);
  return { ...layout, endsWithin: quotesOf(separator) };
}

const isW3c = (head: readonly string[]): boolean =>
  head.some((line) => line.startsWith("#Fields:"));

const W3C_FIELDS = {
  ip: partOf("address", "c-ip"),
  path: partOf("path", "cs-uri-stem", "cs-uri"),
  method: of("cs-method"),
  status: of("sc-status"),
  host: of("cs(Host)", "x-host-header", "cs-host", "s-computername"),
  user: of("cs-username"),
} as const;
const W3C_HEADER = (name: string): readonly string[] => [`cs(${name})`, name.toLowerCase()];

/** More specific formats come first. */
export const W3C_FORMATS: readonly LogFormat[] = [
  {
    name: "cloudfront",
    title: "AWS CloudFront, standard log",
    recognises: (head) =>
      isW3c(head) && head.some((line) => /^#Fields:.* x-edge-location\b/.test(line)),
    layoutOf: w3cLayout("\t"), // although the names in `#Fields:` are separated by spaces
    time: atEnd(DATE_TIME),
    duration: lasting(SECOND_US, "time-taken"),
    fields: W3C_FIELDS,
    header: W3C_HEADER,
    others: "comments",
  },
  {
    name: "iis",
    title: "W3C of Microsoft IIS",
    recognises: (head) =>
      isW3c(head) && head.some((line) => line.startsWith("#Software: Microsoft")),
    layoutOf: w3cLayout(" "),
    time: atEnd(DATE_TIME),
    duration: lasting(MS_US, "time-taken"),
    fields: W3C_FIELDS,
    header: W3C_HEADER,
    others: "comments",
  },
  {
    name: "w3c",
    title: "W3C extended log",
    recognises: isW3c,
    layoutOf: w3cLayout(" "),
    time: atEnd(DATE_TIME),
    duration: lasting(SECOND_US, "time-taken"),
    fields: W3C_FIELDS,
    header: W3C_HEADER,
    others: "comments",
  },
];

export const CSV_FORMAT: LogFormat = {
  name: "csv",
  title: "CSV with names in its first line",
  recognises: (head) => {
    const separator = csvSeparator(head);
    if (separator === undefined) return false;
    return csvNames(first(head), separator).some((name) => CSV_TIMES.has(plainColumn(name)));
  },
  layoutOf: csvLayout,
  others: "names",
  ...USUAL,
};
