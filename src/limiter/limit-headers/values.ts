// Strict readers of single values: integers, fractions and times. An invalid value adds a finding and is null.
import type { AdvertisedTime, FindingCode, ReceivedHeader, HeaderFinding } from "./advertised.ts";

/** A header of a response, and the list for its findings. */
export interface FieldSource {
  readonly header: string; // as the server spells it
  readonly value: string;
  readonly findings: HeaderFinding[];
}

export function addFinding(
  { header, findings }: Pick<FieldSource, "header" | "findings">,
  code: FindingCode,
  column: number | null,
  [message, fix]: readonly [message: string, fix: string],
  severity: HeaderFinding["severity"] = "error",
): null {
  findings.push({ code, severity, header, column, message, fix });
  return null;
}

/** The first header with that name, or null. A second one is a finding: some clients join both, some choose one. */
export function findField(
  headers: readonly ReceivedHeader[],
  name: string,
  findings: HeaderFinding[],
): FieldSource | null {
  const same = headers.filter(([each]) => each.toLowerCase() === name);
  const [first] = same;
  if (first === undefined) return null;
  const source = { header: first[0], value: first[1].trim(), findings };
  if (same.length > 1) {
    const values = same.map(([, value]) => show(value)).join(" and ");
    addFinding(source, "LINT-DUPLICATE", null, [
      `${source.header} is present ${same.length} times: ${values}`,
      "send it once",
    ]);
  }
  return source;
}

/** Several headers with the name of a list or dictionary are joined to one value. */
export function findListField(
  headers: readonly ReceivedHeader[],
  name: string,
  findings: HeaderFinding[],
): FieldSource | null {
  const same = headers.filter(([each]) => each.toLowerCase() === name);
  if (same.length === 0) return null;
  return { header: same[0]![0], value: same.map(([, value]) => value).join(", "), findings };
}

const LONGEST_SHOWN = 60;

/** A value in a message: quoted, and cut if it is long. */
export const show = (value: string): string =>
  value.length > LONGEST_SHOWN ? `"${value.slice(0, LONGEST_SHOWN)}..."` : `"${value}"`;

/** The most digits of a number: larger numbers are not exact in every client. */
const MOST_DIGITS = 15;

/** Reads a text of digits only. */
export function readCount(source: FieldSource): number | null {
  const text = source.value;
  if (/^\d+$/.test(text) && text.length <= MOST_DIGITS) return Number(text);
  return addFinding(source, "LINT-SYNTAX", columnOfFault(text), [
    `${source.header} is ${show(text)}: ${whyNoCount(text)}`,
    `send digits only, such as ${source.header}: ${suggestCount(text)}`,
  ]);
}

const columnOfFault = (text: string): number => 1 + (/^\d*/.exec(text)?.[0].length ?? 0);

function whyNoCount(text: string): string {
  if (text === "") return "the value is empty";
  if (/^\d+$/.test(text)) return `an integer has at most ${MOST_DIGITS} digits`;
  if (/^\d*\.\d+$/.test(text)) return "a fraction is no integer";
  if (/^-\d/.test(text)) return "a number below 0 is invalid";
  if (/^\d+\s*[a-z]+$/i.test(text)) return "a unit does not belong here";
  if (/^\d+\s*,/.test(text)) return "this is a list, which only the drafts 03 to 06 and Envoy have";
  return "this is no integer";
}

const suggestCount = (text: string): string => {
  const [digits = "5"] = /\d{1,15}/.exec(text) ?? [];
  return String(Number(digits));
};

const seconds = (value: number): AdvertisedTime => ({
  form: "seconds",
  isAbsolute: false,
  seconds: value,
});

/** The smallest number that is read as a Unix time, because no server advertises a wait of three years. */
const FIRST_UNIX_S = 100_000_000;
const FIRST_UNIX_MS = 100_000_000_000;

/** A number of seconds, as standards require. */
export function readSeconds(source: FieldSource): AdvertisedTime | null {
  const value = readCount(source);
  if (value === null) return null;
  if (value < FIRST_UNIX_S) return seconds(value);
  return addFinding(source, "LINT-FORM", 1, [
    `${source.header} is ${value}: that is a Unix time, and this dialect has seconds from now`,
    "send the seconds until then",
  ]);
}

/** For dialects without a standard: accepts any form of time, which is later compared with the server's clock. */
export function readAnyTime(source: FieldSource): AdvertisedTime | null {
  const { value } = source;
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(value)) return timeOfNumber(value);
  const date = parseHttpDate(value)?.unixS ?? parseIsoDate(value);
  if (date !== null) {
    const form = /^\d/.test(value) ? "ISO date" : "HTTP date";
    return { form, isAbsolute: true, seconds: date };
  }
  const withUnits = parseUnits(value);
  if (withUnits !== null)
    return { form: "duration with units", isAbsolute: false, seconds: withUnits };
  return addFinding(source, "LINT-SYNTAX", columnOfFault(value), [
    `${source.header} is ${show(value)}, which is no number of seconds, no Unix time and no date`,
    "send whole seconds until the reset",
  ]);
}

function timeOfNumber(text: string): AdvertisedTime {
  const value = Number(text);
  const hasFraction = text.includes(".");
  if (value >= FIRST_UNIX_MS)
    return { form: "Unix milliseconds", isAbsolute: true, seconds: value / 1000 };
  if (value >= FIRST_UNIX_S) {
    const form = hasFraction ? "Unix seconds with a fraction" : "Unix seconds";
    return { form, isAbsolute: true, seconds: value };
  }
  return {
    form: hasFraction ? "seconds with a fraction" : "seconds",
    isAbsolute: false,
    seconds: value,
  };
}

const UNITS = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** Durations as OpenAI and Go write them: "6m0s", "1.5s", "20ms"; null: it is no duration. */
function parseUnits(text: string): number | null {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h|d))+$/.test(text)) return null;
  let sum = 0;
  for (const [, number, unit] of text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h|d)/g))
    sum += Number(number) * UNITS[unit as keyof typeof UNITS];
  return sum;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const IMF =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
const RFC_850 =
  /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
const ASCTIME =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/;

interface HttpDate {
  readonly unixS: number;
  readonly isObsolete: boolean; // clients accept two older forms that servers must not send
}

/** A date of RFC 9110, read strictly: the day of the week must be correct. */
export function parseHttpDate(text: string): HttpDate | null {
  const imf = IMF.exec(text);
  if (imf !== null) {
    const [, weekday, day, month, year, ...time] = imf;
    return dateOf(weekday!, [year!, month!, day!], time, false);
  }
  const old = RFC_850.exec(text);
  if (old !== null) {
    const [, weekday, day, month, year, ...time] = old;
    // Two digits mean the latest year that ends in them and is at most 50 years in the future.
    const century = Number(year) < 76 ? "20" : "19";
    return dateOf(weekday!.slice(0, 3), [century + year!, month!, day!], time, true);
  }
  const [, weekday, month, day, hour, minute, second, year] = ASCTIME.exec(text) ?? [];
  return weekday === undefined
    ? null
    : dateOf(weekday, [year!, month!, day!.trim()], [hour!, minute!, second!], true);
}

function dateOf(
  weekday: string,
  [year, monthName, day]: readonly [string, string, string],
  time: readonly string[],
  isObsolete: boolean,
): HttpDate | null {
  const month = MONTHS.indexOf(monthName);
  const [hour = 0, minute = 0, second = 0] = time.map(Number);
  if (month === -1 || hour > 23 || minute > 59 || second > 60) return null;
  const date = new Date(Date.UTC(Number(year), month, Number(day)));
  const isReal = date.getUTCDate() === Number(day) && DAYS[date.getUTCDay()] === weekday;
  const unixS = date.getTime() / 1000 + hour * 3600 + minute * 60 + second;
  return isReal ? { unixS, isObsolete } : null;
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** The Unix time of an RFC 3339 text with a time zone; null for any other text. */
export function parseIsoDate(text: string): number | null {
  const milliseconds = ISO.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) ? null : milliseconds / 1000;
}
