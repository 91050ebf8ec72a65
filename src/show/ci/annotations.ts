// Reports a run as lines that GitHub shows in the scenario files, the worst first: GitHub keeps ten of each type.
import { complaintsOf, type Complaint } from "./complaints.ts";
import { clip, legible } from "../../kit/reading/legible.ts";
import { parseProblemLine } from "../../kit/reading/problem-line.ts";
import type { RunSummary } from "./run-summary.ts";

/** `placeOf` returns the path of a file in the repository, which may differ from the path seen by the command. */
export const annotationLines = (
  { results, faults, warnings = [] }: RunSummary,
  placeOf: (file: string) => string,
): readonly string[] => [
  ...[...faults, ...warnings].map((line) => problemAnnotation(line, placeOf)),
  ...complaintsOf(results).map((complaint) => annotation(complaint, placeOf)),
];

/** A problem in a file starts with its position; a problem that keeps the run from starting has none. */
function problemAnnotation(text: string, placeOf: (file: string) => string): string {
  const { severity, code, at, message } = parseProblemLine(text);
  if (at === undefined) return annotationLine(severity, { title: "weir" }, message);
  const { file, line, column } = at;
  return annotationLine(
    severity,
    { file: placeOf(file), line: String(line), col: String(column), title: "weir" },
    `${code} ${message}`,
  );
}

function annotation(
  { scenario, file, line, outcome, expectation, expected, observed, again, ...of }: Complaint,
  placeOf: (file: string) => string,
): string {
  const level = outcome === "fail" || outcome === "error" ? "error" : "warning";
  const title = `${scenario}: ${outcome}: ${expectation}`;
  const lines = [
    `expected ${clip(expected)}`,
    `observed ${clip(observed)}`,
    ...(of.variants > 1 ? [`in ${of.variants} variants, here ${of.variant}`] : []),
    `again ${again}`,
  ];
  return annotationLine(
    level,
    { file: placeOf(file), line: String(line), title },
    lines.join("\n"),
  );
}

/** One line that GitHub shows at a place of a file. */
export const annotationLine = (
  level: "error" | "warning",
  properties: Readonly<Record<string, string>>,
  message: string,
): string =>
  `::${level} ${Object.entries(properties)
    .map(([name, value]) => `${name}=${property(value)}`)
    .join(",")}::${data(message)}`;

const data = (text: string): string =>
  legible(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
