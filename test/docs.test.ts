import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS } from "#src/cli/commands.ts";
import { EXIT } from "#src/cli/exit.ts";
import { parseArguments } from "#src/cli/parse-arguments.node.ts";
import { DIALECTS, FINDING_CODES, HEADER_VERDICTS } from "#src/limiter/limit-headers/advertised.ts";
import { MARKS, MEANINGS, VERDICTS } from "#src/studies/implementations/verdict.ts";
import { manifestShape } from "#src/lab/implementations/manifest.ts";
import { FIELDS } from "#src/studies/replay/columns.ts";
import { FORMATS } from "#src/studies/replay/formats.ts";
import { METRICS } from "#src/studies/pareto/metrics.ts";
import { TRAFFIC_ABOUT } from "#src/studies/pareto/traffic.ts";
import { root } from "./docs/desk.ts";
import { cellsOf, figuresFile, renew, sessionsOf, tableIn, tablesOf } from "./docs/sessions.ts";
import { typist } from "./docs/typist.ts";
import { messageOf } from "./kit/reading/message-of.ts";
import { hasShape, shape } from "./shape.ts";
import { WINGS } from "./import-table.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const outputsIn = (page: string): readonly (readonly [command: string, output: string])[] =>
  sessionsOf(read(page)).map(({ command, shown }) => [command, shown.join("\n")]);

const typedForResults = typist("docs/answer/reading-results.md");

test.each(outputsIn("docs/answer/reading-results.md"))(
  "%s prints what the page on results shows",
  async (command, output) => {
    expect(await typedForResults(command)).toBe(output);
  },
);

test("the README has an image with a description", () => {
  const [, words = "", file = ""] = /!\[([^\]]*)\]\(([^)]*)\)/.exec(read("README.md")) ?? [];
  expect(words.length).toBeGreaterThan(80);
  const picture = readFileSync(join(root, file));
  expect(picture.subarray(1, 4).toString()).toBe("PNG");
  expect(picture.readUInt32BE(16)).toBeGreaterThan(800); // its width
  expect(picture.length).toBeLessThan(120_000);
});

const typedForLimiters = typist("docs/answer/implementations.md");

test.each(outputsIn("docs/answer/implementations.md"))(
  "%s prints what the page on other people's limiters shows",
  async (command, output) => {
    expect(await typedForLimiters(command)).toBe(output);
  },
);

test("the pages on other people's limiters have every behaviour and every field of a manifest", () => {
  const page =
    read("docs/answer/implementations.md") + read("docs/reference/implementation-manifest.md");
  const behaviours = readdirSync(join(root, "scenarios/behaviours")).map((file) =>
    file.slice(0, -5),
  );
  const fields = Object.keys(manifestShape.fields ?? {});
  expect(fields).toContain("capabilities");
  for (const name of [...behaviours, ...fields]) expect(page).toContain(`\`${name}\``);
  for (const verdict of VERDICTS) {
    expect(page).toContain(`\`${MARKS[verdict]}\``);
    expect(page).toContain(`| ${MEANINGS[verdict].split(",")[0]} `);
  }
});

const typedForBuilds = typist("docs/answer/in-ci.md");

test.each(outputsIn("docs/answer/in-ci.md"))(
  "%s prints what the page on build servers shows, and writes the files that it names",
  async (command, output) => {
    expect(await typedForBuilds(command)).toBe(output);
    for (const [, file] of command.matchAll(/=(\S+)/g))
      expect(await typedForBuilds(`test -s ${file} && echo there`)).toBe("there");
  },
);

test.each([
  ["run", "docs/answer/in-ci.md", 4],
  ["diff", "docs/answer/diff.md", 1],
])("weir %s accepts the commands on %s for build servers", (name, page, atLeast) => {
  const text = read(page).replaceAll(/\\\n\s*/g, "");
  const commands = [...text.matchAll(/(?:npx |^)(weir \w+ .*?)(?: > .*)?$/gm)]
    .map(([, command = ""]) => command.split(" "))
    .filter((words) => words[1] === name);
  expect(commands.length).toBeGreaterThanOrEqual(atLeast);
  const command = COMMANDS.find((each) => each.name === name)!;
  for (const [, , ...args] of commands) expect(messageOf(parseArguments(command, args))).toBeNull();
});

const logPages = [
  "answer/replay",
  "reference/log-formats",
  "answer/recommend",
  "answer/diff",
].flatMap((name) => {
  const page = `docs/${name}.md`;
  const type = typist(page);
  return outputsIn(page).map(([command, output]) => [command, page, output, type] as const);
});

test.each(logPages)("%s prints what %s shows", async (command, _, output, type) => {
  expect(await type(command)).toBe(output);
});

test("the pages on logs have every format and every field of a key", () => {
  const page = read("docs/reference/log-formats.md") + read("docs/answer/replay.md");
  for (const { name, title } of FORMATS)
    expect(page).toMatch(new RegExp(`\\| \`${name}\` +\\| ${title} +\\|`));
  for (const field of FIELDS) expect(page).toContain(`\`${field}\``);
});

const typedForWorst = typist("docs/answer/worst-case.md");

test.each(outputsIn("docs/answer/worst-case.md"))(
  "%s prints what the page on worst cases shows",
  async (command, output) => {
    expect(await typedForWorst(command)).toBe(output);
  },
);

const typedForPareto = typist("docs/answer/pareto.md");

test.each(outputsIn("docs/answer/pareto.md"))(
  "%s prints what the page on accuracy and cost shows",
  async (command, output) => {
    expect(await typedForPareto(command)).toBe(output);
  },
);

test("the page on accuracy and cost describes metrics and traffic as the program does", () => {
  const rows = [...read("docs/answer/pareto.md").matchAll(/^\| `(\w+)` .*\| (.+?) +\|$/gm)];
  const expected = { ...TRAFFIC_ABOUT, ...descriptionsOf(METRICS) };
  expect(Object.fromEntries(rows.map(([, name, about]) => [name, about]))).toEqual(expected);
});

const descriptionsOf = (metrics: typeof METRICS): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(metrics).map(([name, { about }]) => [name, about]));

// Digits are compared too: `npm run docs:figures` writes them.
const typedInClone = {
  "README.md": typist("README.md"),
  "docs/inside/swarm.md": typist("docs/inside/swarm.md"),
} as const;

const repeated = (["README.md", "docs/inside/swarm.md"] as const).flatMap((page) =>
  sessionsOf(read(page)).flatMap(({ command, shown, isMeasured }) =>
    // suite.test.ts runs the whole suite, once, and compares it there.
    isMeasured || command === "npm start" ? [] : [[page, command, shown] as const],
  ),
);

test.each(repeated)("%s shows what %s prints", async (page, command, shown) => {
  const printed = await typedInClone[page](command);
  expect(shown).toEqual(renew(shown, printed.split("\n")));
});

const measured = pages.flatMap((page) =>
  sessionsOf(read(page)).flatMap(({ command, shown, isMeasured }) =>
    isMeasured ? [[page, command, shown] as const] : [],
  ),
);

test.each(measured)("%s shows what %s printed when it was measured", (_page, command, shown) => {
  const [, ...printed] = read(figuresFile(command)).trimEnd().split("\n");
  expect(shown).toEqual(renew(shown, printed));
});

const tables = pages.flatMap((page) =>
  tablesOf(read(page)).map(({ command, rows }) => [page, command, rows] as const),
);

test.each(tables)(
  "the table on %s is what %s printed when it was measured",
  (_page, command, rows) => {
    const [, ...printed] = read(figuresFile(command)).trimEnd().split("\n");
    expect(cellsOf(rows)).toEqual(cellsOf(tableIn(printed)));
  },
);

test("every saved output is shown on a page", () => {
  const saved = readdirSync(join(root, "docs/figures"))
    .filter((name) => name.endsWith(".txt"))
    .map((name) => `docs/figures/${name}`);
  expect(saved.toSorted()).toEqual(
    [...new Set([...measured, ...tables].map(([, command]) => figuresFile(command)))].toSorted(),
  );
});

// A table or list of times is written by a command (above), or it is attributed.
const OF_A_MACHINE = /\d (?:ms|us|ns|µs)\b|\d(?:\.\d+)? million|answers a second|times as many/;
const ATTRIBUTED = /Measured (?:on )?\d{4}-\d\d-\d\d(?: at [0-9a-f]{7,})?/;

test.each([
  "docs/serve/benchmarking.md",
  "docs/inside/single-parts.md",
  "docs/inside/performance.md",
  "docs/reference/store-costs.md",
  "docs/serve/reliability.md",
  "docs/serve/wire.md",
])(
  "each section of %s with a table of times has the date and command of the measurement",
  (page) => {
    const sections = read(page).split(/^#{2,3} /m);
    const without = sections
      .filter((section) =>
        section.split("\n").some((line) => line.startsWith("| ") && OF_A_MACHINE.test(line)),
      )
      .filter((section) => !ATTRIBUTED.test(section))
      .map((section) => section.split("\n")[0]);
    expect(without).toEqual([]);
  },
);

test("figures are taken from the printed lines in order, and a missing line is named", () => {
  const printed = [
    "seed 1",
    "pass a 12 requests",
    "",
    "pass LIM-1  3",
    "pass LIM-2  4",
    "9 passed",
  ];
  const renewLines = (shown: string) => renew(shown.split("\n"), printed);
  expect(renewLines("seed 7\n...\npass LIM-2 40\n8 passed")).toEqual([
    "seed 1",
    "...",
    "pass LIM-2  4",
    "9 passed",
  ]);
  expect(renewLines("seed 7\n...\npass LIM-3 40\n...")).toBe("pass LIM-3 40");
  expect(renewLines("...\n9 passed\n...\nseed 7")).toBe("seed 7");
  expect(renewLines("pass a 1 requests\n...")).toBe("pass a 1 requests");
  expect(renewLines("seed 7\n...\npass LIM-1 40")).toBe("pass LIM-2  4");
  expect(renew(["1 passed"], ["2 passed"])).toEqual(["2 passed"]);
});

const typedForDrivers = typist("docs/answer/drivers.md");

test.each(outputsIn("docs/answer/drivers.md"))(
  "%s prints what the page on drivers shows, except for figures",
  async (command, output) => {
    const printed = await typedForDrivers(command);
    expect(printed).toSatisfy((text: string) => hasShape(shape(text), shape(output)));
  },
);

const typedForIdentifying = typist("docs/answer/identify.md");

test.each(outputsIn("docs/answer/identify.md"))(
  "%s prints what the page on identifying a limit shows",
  async (command, output) => {
    expect(await typedForIdentifying(command)).toBe(output);
  },
);

const pagesOfTry = [
  "docs/answer/try.md",
  "docs/answer/clients.md",
  "docs/start/tutorial.md",
].flatMap((page) => {
  const typed = typist(page);
  return outputsIn(page).map(([command, output]) => [command, page, output, typed] as const);
});

test.each(pagesOfTry)("%s prints what %s shows", async (command, _page, output, typed) => {
  expect(await typed(command)).toBe(output);
});

const typedForHeaders = typist("docs/answer/lint.md");

test.each(outputsIn("docs/answer/lint.md"))(
  "%s prints what the page on headers shows",
  async (command, output) => {
    expect(await typedForHeaders(command)).toBe(output);
  },
);

test("the page on headers has every code and every dialect", () => {
  const rows = [...read("docs/answer/lint.md").matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)];
  const table = new Map(rows.map(([, name = "", about]) => [name, about]));
  for (const [code, { verdict, about }] of Object.entries(FINDING_CODES))
    expect(table.get(`\`${code}\``)).toBe(`${verdict}: ${about}`);
  for (const title of [...Object.values(DIALECTS), ...HEADER_VERDICTS.map((each) => `\`${each}\``)])
    expect(table.has(title)).toBe(true);
});

const typedForComparing = typist("docs/serve/comparing.md");

test.each(outputsIn("docs/serve/comparing.md"))(
  "%s prints what the page on comparisons shows",
  async (command, output) => {
    expect(await typedForComparing(command)).toBe(output);
  },
);

test("a shape is lines in their order, without figures and omitted lines", () => {
  const printed = ["seed 1", "pass a 12 requests", "", "pass LIM-1  3", "1 passed"].join("\n");
  const fits = (wanted: string): boolean => hasShape(shape(printed), shape(wanted));
  expect(fits("seed 7\n...\npass LIM-2 40\n9 passed")).toBe(true);
  expect(fits("seed 7\n...\nfail LIM-2 40\n9 passed")).toBe(false);
  expect(fits("seed 7\n...\npass LIM-2 40")).toBe(false);
  expect(fits("...\n9 passed\n...\nseed 7")).toBe(false);
});

test("the page on results names every exit code", () => {
  const codes = [...read("docs/answer/reading-results.md").matchAll(/^\| +(\d+) \|/gm)].map(
    ([, code]) => Number(code),
  );
  expect(codes).toEqual(Object.values(EXIT));
});

test.each(pages)("%s points at files that are there", (page) => {
  const text = read(page);
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`\n]+`/g, "code");
  const links = [...prose.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, to = ""]) =>
    join(dirname(page), to),
  );
  // A module may be named from the root, from src or from its wing, in prose as in a drawing.
  const folders = ["", "src/", ...Object.keys(WINGS).map((wing) => `src/${wing}/`)];
  const modules = [...text.matchAll(/\b[a-z][\w-]*(?:\/[\w-]+)+(?:\.[a-z]+)*\.ts\b/g)].map(
    ([file]) =>
      folders.map((folder) => `${folder}${file}`).find((path) => existsSync(join(root, path))) ??
      file,
  );
  expect([...links, ...modules].filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test.each(pages)("%s names npm scripts that are there", (page) => {
  const { scripts } = JSON.parse(read("package.json")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const named = [...read(page).matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(
    ([, name = ""]) => name,
  );
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
