// Reads a saved report, or returns its problem and the field that has it. A report that contradicts itself was edited
// by hand, and is rejected.
import { Failure } from "../kit/reading/failure.ts";
import { footerOf, outcomeOf } from "../lab/report/build/report-of.ts";
import { REPORT_FORMAT } from "../lab/report/format.ts";
import { reportSchema, type Report } from "../lab/report/model.ts";
import { digest } from "../lab/scenario/history/digest.node.ts";

export function readReport(text: string): Report | Failure {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return new Failure(`this is not JSON, or it was cut off: ${(error as Error).message}`);
  }
  const { format, footer } = (document ?? {}) as Record<string, unknown>;
  if (format !== REPORT_FORMAT)
    return new Failure(
      `${describeFormat(format)}, and this version of Weir renders ${REPORT_FORMAT}`,
    );
  if (footer === undefined) return new Failure("it has no footer: it was cut off");
  const parsed = reportSchema.safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return new Failure(`${issue!.path.join(".") || "at its top"}: ${issue!.message}`);
  }
  // The digest depends on the order of fields. Parsing changes that order, so the original document is returned.
  const report = document as Report;
  const problem = findContradiction(report);
  return problem === null ? report : new Failure(problem);
}

export const describeFormat = (format: unknown): string =>
  format === undefined ? 'it has no "format"' : `its format is ${JSON.stringify(format)}`;

function findContradiction({ footer, ...written }: Report): string | null {
  const computed = footerOf(written, (text) => digest([text]));
  for (const name of ["scenarios", "variants", "passed", "failed", "skipped"] as const)
    if (footer[name] !== computed[name])
      return `footer.${name}: ${footer[name]} is given, but there are ${computed[name]}`;
  if (footer.head !== computed.head)
    return "footer.head: something other than the scenarios was changed after it was saved";
  for (const [index, { id, outcome, variants }] of written.scenarios.entries()) {
    if (outcome !== outcomeOf(variants))
      return `scenarios.${index}.outcome: ${id} is given as ${outcome}, but its variants give ${outcomeOf(variants)}`;
    if (footer.digests[index] !== computed.digests[index])
      return `scenarios.${index}: something in ${id} was changed after it was saved`;
  }
  return null;
}
