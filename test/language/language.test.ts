// The language of the project (docs/inside/language.md): each rule finds what it forbids, and no file breaks one.
import { describe, expect, test } from "vitest";
import { findingsOfProject, readFile } from "./language.ts";

const rulesBrokenBy = (path: string, text: string): readonly string[] =>
  readFile(path, text).findings.map(({ rule, line }) => `${line} ${rule}`);

describe("a rule finds what it forbids", () => {
  test.each([
    ["a comment over two lines", "src/a.ts", "// The store\n// tells it.", ["2 speech"]],
    ["a doc comment", "src/a.ts", "/**\n * Whoever calls.\n */\nconst a = 1;", ["2 persons"]],
    ["a message", "src/a.ts", 'const a = "it is told a name";', ["1 speech"]],
    ["a table of texts", "src/a.json", '{\n"a": "it is told a name" }', ["2 speech"]],
    ["a template", "src/a.ts", "const a = `${b} lies at ${c}`;", ["1 posture"]],
    ["a word for a type", "src/a.ts", 'const a = "has to be a text";', ["1 word for a type"]],
    ["a local name", "src/a.ts", "const { a: toldOf } = b;", ["1 identifier of the dialect"]],
    [
      "a parameter",
      "src/a.ts",
      "const a = (whoever: string) => 1;",
      ["1 identifier of the dialect"],
    ],
    ["a field", "src/a.ts", "interface A { readonly asked: 1 }", ["1 identifier of the dialect"]],
    ["a function", "src/a.ts", "function made() {}", ["1 function named by a participle"]],
    ["an arrow", "src/a.ts", "const mergedRights = () => 1;", ["1 function named by a participle"]],
    ["a type", "src/a.ts", "export type Shown = 1;", ["1 type named by a participle"]],
    [
      "a test's title",
      "test/a.test.ts",
      'test.each([1])("nobody waits", () => {});',
      ["1 persons"],
    ],
    ["a title", "scenarios/a/b.yaml", "id: a/b\ntitle: the limit judges", ["2 style"]],
    ["an about over lines", "scenarios/a/b.yaml", "about: >\n  It stands\n  here.", ["1 posture"]],
    ["a page", "docs/a.md", "# A\n\nIt is so many requests.", ["3 style"]],
    ["a clause as a subject", "docs/a.md", "It ends. What is refused spends nothing.", ["1 style"]],
    ["a long line", "docs/a.md", "word ".repeat(25).trim(), ["1 long line"]],
    [
      "a long sentence",
      "docs/a.md",
      "a word ".repeat(8).concat("\n").repeat(2),
      ["1 long sentence"],
    ],
  ])("%s", (_, path, text, broken) => {
    expect(rulesBrokenBy(path, text)).toEqual(broken);
  });

  test.each([
    [
      "code in a sentence",
      "docs/a.md",
      "`told` is a field, and [a page](told.md) of https://told.example.",
    ],
    ["a path", "docs/a.md", "The row src/lab/oracle/evaluate-history.ts and test/told/a.test.ts."],
    ["a block of code", "docs/a.md", "```\nhe said\n```"],
    ["a chart", "docs/a.md", "![nobody, from 0s: 10 × 401](figures/a.svg)"],
    ["a question", "docs/a.md", "What is a limit?"],
    ["a table's line", "docs/a.md", `| ${"word ".repeat(40)} |`],
    ["injected faults", "docs/a.md", "Two injected faults."],
    ["faults of the simulator", "src/lab/sim/a.ts", "// A fault begins."],
    ["what the specification says", "src/a.ts", "// As the specification says."],
    ["the user, who has a browser", "src/a.ts", "// A user who has no browser."],
    ["did you mean", "src/a.ts", 'const a = "did you mean b?";'],
    [
      "names that only contain a word",
      "src/a.ts",
      "const task = 1; const need = () => mask; const seedOf = () => 1;",
    ],
    ["a field that somebody else declares", "src/a.ts", "const { told } = b;"],
    ["a test's data", "test/a.test.ts", 'test("a", () => expect(b).toBe("he told it"));'],
    ["a value that was admitted", "src/a.ts", "const admitted = 3;"],
    ["a column of history files", "src/a.ts", "interface A { readonly standing: 1 }"],
  ])("but not %s", (_, path, text) => {
    expect(rulesBrokenBy(path, text)).toEqual([]);
  });
});

test("no file of the project breaks a rule", () => {
  const broken = [...findingsOfProject()].flatMap(([path, findings]) =>
    findings.map(({ line, rule, text }) => `${path}:${line} ${rule}: ${text}`),
  );
  expect(broken).toEqual([]);
});
