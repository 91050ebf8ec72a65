import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { countsOf } from "#src/lab/check/counts.ts";
import { annotationLines } from "#src/show/ci/annotations.ts";
import { badgeSvg } from "#src/show/ci/badge.ts";
import { legible, oneLine } from "#src/kit/reading/legible.ts";
import { junitXml } from "#src/show/ci/junit.ts";
import { markdownSummary } from "#src/show/ci/markdown.ts";
import type { RunSummary } from "#src/show/ci/run-summary.ts";
import { EVERY_OUTCOME, HOSTILE, HOSTILE_RESULTS } from "../made-results.ts";
import { result, verdict } from "../../histories/result.ts";

const run = (results: RunSummary["results"], faults: readonly string[] = []): RunSummary => ({
  seed: 1,
  results,
  faults,
});

const every = run(EVERY_OUTCOME);
const hostile = run(HOSTILE_RESULTS, [`it was stopped: ${HOSTILE}`]);
const asIs = (file: string): string => file;

describe.each([
  ["every-outcome", every],
  ["hostile", hostile],
  ["passed", run([result(), result({ variant: "again" })])],
])("a run with %s", (name, results) => {
  test.each([
    [".junit.xml", junitXml(results)],
    [".md", markdownSummary(results)],
    [".annotations.txt", annotationLines(results, asIs).join("\n")],
    [".svg", badgeSvg(results)],
  ])("is rendered as before in %s", async (ending, text) => {
    await expect(text).toMatchFileSnapshot(`golden/${name}${ending}`);
  });
});

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly inside: Element[];
  text: string;
}

/** By a parser that takes nothing that is no XML. */
function parse(xml: string): Element {
  const document: Element = { name: "", attributes: {}, inside: [], text: "" };
  const open = [document];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes, inside: [], text: "" };
    open.at(-1)!.inside.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    open.at(-1)!.text += text;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  return document.inside[0]!;
}

const casesIn = (suites: Element): readonly Element[] => suites.inside.flatMap((s) => s.inside);

test("JUnit counts what the last line of the run counts", () => {
  const suites = parse(junitXml(every));
  const { passed, failed, skipped, inconclusive } = countsOf(EVERY_OUTCOME);
  const { tests, failures, errors, skipped: left } = suites.attributes;
  const without = skipped + inconclusive; // the format has one count for both
  expect([tests, left].map(Number)).toEqual([passed + failed + without, without]);
  expect(Number(failures) + Number(errors)).toBe(failed);
  for (const suite of suites.inside)
    expect(suite.attributes["tests"]).toBe(`${suite.inside.length}`);
});

test("a case of JUnit has its outcome, the expected and the observed, and the command to repeat it", () => {
  const cases = casesIn(parse(junitXml(every))).map(({ attributes, inside }) => [
    `${attributes["classname"]} ${attributes["name"]}`,
    inside.map(({ name, attributes: { type } }) => [name, type]),
  ]);
  expect(cases).toContainEqual(["limits one", []]);
  expect(cases).toContainEqual(["limits two algorithm=gcra", [["failure", "fail"]]]);
  expect(cases).toContainEqual(["limits broken", [["error", "error"]]]);
  expect(cases).toContainEqual(["limits vacuous", [["failure", "vacuous"]]]);
  expect(cases).toContainEqual(["limits open", [["failure", "inconclusive"]]]);
  expect(cases).toContainEqual(["limits late", [["skipped", undefined]]]);
  const [, , failed] = casesIn(parse(junitXml(every)));
  expect(failed!.inside[0]!.text).toMatch(
    /expected {2}5\*200 429\n +observed {2}6\*200\n(.*\n)+ +again +weir run .* --seed 1$/,
  );
});

test("JUnit has how long each variant took, and the sum of them", () => {
  const tookMs = [12, 1_500];
  const suites = parse(junitXml({ ...run([result(), result({ variant: "again" })]), tookMs }));
  expect(suites.attributes["time"]).toBe("1.512");
  expect(casesIn(suites).map(({ attributes }) => attributes["time"])).toEqual(["0.012", "1.500"]);
});

test("names come out of JUnit as they went in, but for what XML cannot hold", () => {
  const [first, second, whole] = casesIn(parse(junitXml(hostile)));
  expect(first!.attributes["name"]).toBe(`hostile name=${legible(HOSTILE)}`);
  expect(first!.inside[0]!.text).toContain(`expected  ${oneLine(HOSTILE)}\n`);
  expect(second!.inside[0]!.attributes["message"]).toBe(legible(HOSTILE));
  expect(whole!.inside[0]!.text).toBe(`it was stopped: ${legible(HOSTILE)}`);
});

test("a character that is not legible has its number", () => {
  expect(legible("a\u0000\u001B[1m\u009B\uD800\uFFFF\tb\u{1F600}")).toBe(
    String.raw`a\u0000\u001b[1m\u009b\ud800\uffff` + "\tb\u{1F600}",
  );
});

/** As the runner of GitHub reads a line. */
function commandIn(line: string): Readonly<Record<string, string>> {
  const [, level = "", typed = "", data = ""] = /^::(\w+) (.*?)::(.*)$/.exec(line) ?? [];
  const plain = (text: string): string =>
    text.replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%0D", "\r");
  const decode = (text: string): string =>
    plain(text).replaceAll("%0A", "\n").replaceAll("%25", "%");
  const properties = typed.split(",").map((each) => {
    const at = each.indexOf("=");
    return [each.slice(0, at), decode(each.slice(at + 1))] as const;
  });
  return { level, message: decode(data), ...Object.fromEntries(properties) };
}

test("an annotation is at the line of its expectation once, with any number of failing variants", () => {
  const annotations = annotationLines(every, (file) => `sub/${file}`).map(commandIn);
  expect(annotations[0]).toEqual({
    level: "error",
    file: "sub/scenarios/limits/two.yaml",
    line: "12",
    title: "limits/two: fail: five pass, one does not",
    message:
      "expected 5*200 429\nobserved 6*200\nin 2 variants, here algorithm=sliding_log\nagain weir run scenarios/limits/two.yaml --only 'limits/two algorithm=sliding_log' --seed 1",
  });
  expect(annotations.map(({ level, title }) => [level, title?.split(": ")[1]])).toEqual([
    ["error", "fail"],
    ["error", "error"],
    ["warning", "vacuous"],
    ["warning", "vacuous"],
    ["warning", "inconclusive"],
  ]);
});

test("an annotation of a problem in a file has its severity and its place", () => {
  const warning =
    'a.yaml:8:35 warning CFG-UNKNOWN-POLICY there is no policy "payed", so it is skipped';
  const summary = { ...run([], ["b.yaml:1:1 error SCN-NOTHING it is empty"]), warnings: [warning] };
  expect(annotationLines(summary, (file) => `sub/${file}`)).toEqual([
    "::error file=sub/b.yaml,line=1,col=1,title=weir::SCN-NOTHING it is empty",
    '::warning file=sub/a.yaml,line=8,col=35,title=weir::CFG-UNKNOWN-POLICY there is no policy "payed", so it is skipped',
  ]);
  expect(markdownSummary(summary)).toContain(`\n${warning}\n`);
});

test("no name ends an annotation or begins another one", () => {
  const lines = annotationLines(hostile, asIs);
  expect(lines.join("\n").split(/\r|\n/)).toHaveLength(2);
  const [whole, first] = lines.map(commandIn);
  expect(whole).toMatchObject({ level: "error", message: `it was stopped: ${legible(HOSTILE)}` });
  expect(first).toMatchObject({
    file: `scenarios/${legible(HOSTILE)}.yaml`,
    line: "12",
    title: `limits/hostile: fail: ${legible(HOSTILE)}`,
  });
});

test("in Markdown a name never leaves the backticks around it", () => {
  const lines = markdownSummary(hostile).split("\n");
  const outside: string[] = [];
  let fence = "";
  for (const line of lines) {
    const [, ticks = ""] = /^(`{3,})(text)?$/.exec(line) ?? [];
    if (fence === "" && ticks !== "") fence = ticks;
    else if (fence === "") outside.push(line.replaceAll(/(`+)(?!`).*?[^`]\1(?!`)/g, ""));
    else if (ticks.length >= fence.length) fence = "";
  }
  expect(fence).toBe("");
  expect(outside.join("\n")).not.toMatch(/script|alert|@all|\*\*|\$x/);
});

test.each([
  ["nothing ran, 2 errors", [], ["a.yaml:1:1 A-B c", "b.yaml:2:1 A-B d"]],
  ["nothing ran, 1 error", [], ["a.yaml:1:1 A-B c"]],
  ["1 passed, 0 failed, 0 skipped; the run failed", [result()], ["1 difference from kept.json"]],
])("the heading of a summary is %s, with the reasons below it", (heading, results, faults) => {
  const text = markdownSummary(run(results, faults));
  expect(text.split("\n")[0]).toBe(`## Weir: ${heading}`);
  for (const fault of faults) expect(text).toContain(`\n${fault}\n`);
  expect(text).not.toContain("0 scenarios");
});

test("a summary of very many failures stays short, and counts those that it leaves out", () => {
  const long = "5*200 429 ".repeat(2_000);
  const results = Array.from({ length: 500 }, (_, line) =>
    result({
      variant: `n=${line}`,
      outcome: "fail",
      verdicts: [verdict({ line, outcome: "fail", observed: long })],
    }),
  );
  const text = markdownSummary(run(results));
  expect(text.length).toBeLessThan(100_000);
  expect(text).toContain("And 460 more expectations.");
});

const GREEN = "#1d7a3e";

test.each([
  ["weir: 2,103 passed", true, run(Array.from({ length: 2_103 }, () => result()))],
  ["weir: 6 failed, 2 passed", false, every],
  ["weir: 1 passed, run failed", false, run([result()], ["stopped"])],
  ["weir: nothing ran", false, run([])],
  ["weir: nothing ran, run failed", false, run([], ["a.yaml:1:1 error SCN-NOTHING it is empty"])],
])("a badge shows %s", (label, isGreen, results) => {
  const svg = parse(badgeSvg(results));
  expect(svg.attributes["aria-label"]).toBe(label);
  expect(badgeSvg(results).includes(GREEN)).toBe(isGreen);
});
