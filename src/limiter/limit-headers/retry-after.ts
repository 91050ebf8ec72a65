// Retry-After: seconds or a date (RFC 9110, 10.2.3).
import type {
  AdvertisedTime,
  DialectReading,
  ReceivedHeader,
  HeaderFinding,
} from "./advertised.ts";
import {
  addFinding,
  findField,
  parseHttpDate,
  readCount,
  show,
  type FieldSource,
} from "./values.ts";

export function readRetryAfter(headers: readonly ReceivedHeader[]): DialectReading | null {
  const findings: HeaderFinding[] = [];
  const source = findField(headers, "retry-after", findings);
  if (source === null) return null;
  return {
    dialect: "retry-after",
    headers: [source.header],
    budgets: [],
    retryAfter: readTime(source),
    findings,
  };
}

/** The longest wait in seconds. A larger number is taken for a Unix time that the server sends by mistake. */
const LONGEST_S = 10 * 365 * 86_400;

function readTime(source: FieldSource): AdvertisedTime | null {
  const { header, value } = source;
  const date = parseHttpDate(value);
  if (date !== null) {
    if (date.isObsolete)
      addFinding(source, "LINT-SYNTAX", 1, [
        `${header} is ${show(value)}, an obsolete form of date that RFC 9110 forbids servers to send`,
        "send a date such as Sun, 06 Nov 1994 08:49:37 GMT, or send seconds",
      ]);
    return { form: "HTTP date", isAbsolute: true, seconds: date.unixS };
  }
  if (/^\d*\.\d+$/.test(value))
    return addFinding(source, "LINT-SYNTAX", value.indexOf(".") + 1, [
      `${header} is ${show(value)}, a fraction, and clients that follow RFC 9110 ignore it`,
      `round up: ${header}: ${Math.ceil(Number(value))}`,
    ]);
  if (!/^[\d\s-]/.test(value) && value !== "")
    return addFinding(source, "LINT-SYNTAX", 1, [
      `${header} is ${show(value)}, which is neither seconds nor a date of RFC 9110`,
      `send ${header}: 5, or a date such as Sun, 06 Nov 1994 08:49:37 GMT`,
    ]);
  const seconds = readCount(source);
  if (seconds === null) return null;
  if (seconds <= LONGEST_S) return { form: "seconds", isAbsolute: false, seconds };
  return addFinding(source, "LINT-FORM", 1, [
    `${header} is ${seconds}, a Unix time, and clients would wait ${Math.round(seconds / 31_536_000)} years`,
    "send the seconds until then",
  ]);
}
