// A run as JUnit XML: a suite is a scenario and a case is a variant, so that the counts agree with the last line of
// output. An error of the whole run is one more case. GitLab shows the class and name of a case and only the text of
// its failure; other tools show the message. The class is the scenario's folder, by which most tools group.
import { isSkipped, isUndecided } from "../../lab/check/counts.ts";
import { fullName, type Result } from "../../lab/scenario/verdict.ts";
import { wrongIn } from "./complaints.ts";
import { escapeXml, escapeXmlAttribute } from "../html/escape.ts";
import { plainPaint } from "../../kit/reading/legible.ts";
import { failureText, lossTexts } from "../result-text.ts";
import type { RunSummary } from "./run-summary.ts";

interface Case {
  readonly name: string;
  readonly file: string | null;
  readonly kind: "passed" | "failure" | "error" | "skipped";
  readonly type: string;
  readonly message: string;
  readonly text: string;
  readonly output: string; // describes the requests without a response, which no other field mentions
  readonly ms: number;
}

export function junitXml({ results, unlisted = [], faults, tookMs = [] }: RunSummary): string {
  const timed = results.map((result, index) => ({ result, ms: tookMs[index] ?? 0 }));
  const suites = [
    ...[...Map.groupBy(timed, ({ result }) => result.scenario)].map(
      ([scenario, variants]) =>
        [
          scenario,
          variants.map(({ result, ms }) => caseOf(result, ms, unlisted.includes(result))),
        ] as const,
    ),
    ...(faults.length === 0 ? [] : [["the run", [caseOfFaults(faults)]] as const]),
  ];
  const all = suites.flatMap(([, cases]) => cases);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="weir"${countsText(all)}>`,
    ...suites.flatMap(([name, cases]) => [
      `  <testsuite${attributes({ name })}${countsText(cases)}>`,
      ...cases.map((one) => caseText(classOf(name), one)),
      "  </testsuite>",
    ]),
    "</testsuites>",
  ];
  return `${lines.join("\n")}\n`;
}

const classOf = (suite: string): string =>
  suite.includes("/") ? suite.slice(0, suite.lastIndexOf("/")).replaceAll("/", ".") : suite;

function caseOf(result: Result, ms: number, isUnlisted: boolean): Case {
  const { scenario, variant, file, outcome, unsupported } = result;
  const [first] = outcome === "pass" ? [] : wrongIn(result);
  const difference =
    first === undefined
      ? ""
      : `${first.expectation}: expected ${first.expected}, observed ${first.observed}`;
  return {
    name: fullName(scenario.slice(scenario.lastIndexOf("/") + 1), variant),
    file,
    kind: isUnlisted ? "failure" : kindOf(result),
    type: outcome,
    message: outcome === "unsupported" ? unsupported.join("; ") : difference,
    text: failureText(result, plainPaint).join("\n"),
    output: lossTexts(result).join("\n"),
    ms,
  };
}

function kindOf(result: Result): Case["kind"] {
  if (result.outcome === "pass") return "passed";
  // JUnit has no result for inconclusive variants.
  if (isSkipped(result) || isUndecided(result)) return "skipped";
  return result.outcome === "error" ? "error" : "failure";
}

const caseOfFaults = (faults: readonly string[]): Case => ({
  name: "as a whole",
  file: null,
  kind: "error",
  type: "error",
  message: faults.join("; "),
  text: faults.join("\n"),
  output: "",
  ms: 0,
});

function countsText(cases: readonly Case[]): string {
  const count = (wanted: Case["kind"]): number =>
    cases.filter(({ kind }) => kind === wanted).length;
  return attributes({
    tests: cases.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
    time: seconds(cases.reduce((sum, { ms }) => sum + ms, 0)),
  });
}

function caseText(classname: string, one: Case): string {
  const { name, file, kind, type, message, text, output, ms } = one;
  const written = output === "" ? "" : `<system-out>${escapeXml(output)}</system-out>`;
  const start = `    <testcase${attributes({ classname, name, ...(file === null ? {} : { file }), time: seconds(ms) })}`;
  switch (kind) {
    case "passed":
      return written === "" ? `${start}/>` : `${start}>${written}</testcase>`;
    case "skipped":
      return `${start}><skipped${attributes({ message })}/>${written}</testcase>`;
    case "failure":
    case "error":
      return `${start}><${kind}${attributes({ type, message })}>${escapeXml(text)}</${kind}>${written}</testcase>`;
  }
}

/** Some tools require a time, and all of them read it as the duration of the test. */
const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXmlAttribute(String(value))}"`)
    .join("");
