// Damaged records, whose documents another program or a disk has changed to invalid JSON. Weir reports and skips them.
import { isObject, readJson, type JsonObject } from "../json.ts";

/** Reports to the operator. `about` is set if only one record has the problem, unset for an outage. */
export type ReportRecords = (message: string, about?: "a record") => void;

/** Reports a damaged record, or a damaged entry of the audit log. */
export type ReportDamage = (what: string) => void;

/** The object that a text encodes; null if the text is no JSON object. */
export function objectOf(text: string): JsonObject | null {
  const { value } = readJson(text);
  return isObject(value) ? value : null;
}

const MOST_REPORTED = 10_000;

/** Reports each problem of a record once. */
export function reportOnce(report: ReportRecords): ReportRecords {
  const reported = new Set<string>();
  return (message, about) => {
    if (about === undefined) return report(message);
    if (reported.has(message)) return;
    if (reported.size >= MOST_REPORTED) reported.clear();
    reported.add(message);
    report(message, about);
  };
}

export function damageReporter(reportEach: ReportRecords): ReportDamage {
  const report = reportOnce(reportEach);
  return (what) => {
    const fix = "restore it from a backup, or delete it";
    report(`records: ${what} is damaged and ignored: it is not valid JSON; ${fix}`, "a record");
  };
}
