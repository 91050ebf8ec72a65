import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { COMMANDS } from "../src/cli/commands.ts";
import { EXIT } from "../src/cli/exit.ts";
import { parseArguments } from "../src/cli/parse-arguments.node.ts";
import { catalogue } from "../src/mutants/catalogue.node.ts";
import { METRICS } from "../src/pareto/metrics.ts";
import { TRAFFIC_ABOUT } from "../src/pareto/traffic.ts";
import { runsToCompare } from "./bench/runs-to-compare.ts";
import { hasShape, shape } from "./shape.ts";
import { importTable } from "./tidy.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

interface Session {
  readonly command: string;
  readonly output: string;
}

/** What stands behind "$ " in the console blocks of a page, and what follows it. */
function sessionsOf(page: string): readonly Session[] {
  return [...read(page).matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = "", ...output] = part.split("\n");
        return { command, output: output.join("\n").trim() };
      }),
  );
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder with a copy of the suite and these files, where `weir` is the source, and a hand that types there. */
function desk(files: Readonly<Record<string, string>> = {}): (command: string) => string {
  const folder = mkdtempSync(join(tmpdir(), "weir-docs-"));
  folders.push(folder);
  cpSync(join(root, "scenarios"), join(folder, "scenarios"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "bin"));
  writeFileSync(
    join(folder, "bin/weir"),
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, "src/cli/weir.node.ts")}" "$@"\n`,
    { mode: 0o755 },
  );
  const path = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, PATH: path, NO_COLOR: "1" };
  return (command) => {
    // What an exit code means is said in words by the page; a failing example has one.
    const shell = `(${command}) 2>errors || true; grep -v ' of traffic in ' errors || true`;
    return execFileSync("bash", ["-c", shell], { cwd: folder, encoding: "utf8", env }).trim();
  };
}

const typedForResults = desk();

test.each(sessionsOf("docs/reading-results.md").map(({ command, output }) => [command, output]))(
  "%s says what the page on results shows",
  (command, output) => {
    expect(typedForResults(command)).toBe(output);
  },
);

test("the README has a picture, which says in words what is seen", () => {
  const [, words = "", file = ""] = /!\[([^\]]*)\]\(([^)]*)\)/.exec(read("README.md")) ?? [];
  expect(words.length).toBeGreaterThan(80);
  const picture = readFileSync(join(root, file));
  expect(picture.subarray(1, 4).toString()).toBe("PNG");
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1280, 760]);
  expect(picture.length).toBeLessThan(150_000);
});

const typedForBuilds = desk();

test.each(sessionsOf("docs/in-ci.md").map(({ command, output }) => [command, output]))(
  "%s says what the page on build servers shows, and leaves what it names",
  (command, output) => {
    expect(typedForBuilds(`(${command}) 2>&1 | grep -v ' of traffic in '`)).toBe(output);
    for (const [, file] of command.matchAll(/=(\S+)/g))
      expect(typedForBuilds(`test -s ${file} && echo there`)).toBe("there");
  },
);

test("what the page on build servers has them run is what weir takes", () => {
  const commands = [...read("docs/in-ci.md").matchAll(/(?:npx |^)(weir run .*)$/gm)].map(
    ([, command = ""]) => command.split(" ").slice(2),
  );
  expect(commands.length).toBeGreaterThan(3);
  const run = COMMANDS.find(({ name }) => name === "run")!;
  for (const args of commands) expect(parseArguments(run, args)).toBeTypeOf("object");
});

const typedForWorst = desk();

test.each(sessionsOf("docs/worst-case.md").map(({ command, output }) => [command, output]))(
  "%s says what the page on worst cases shows",
  (command, output) => {
    expect(typedForWorst(command)).toBe(output);
  },
);

const typedForPareto = desk();

test.each(sessionsOf("docs/pareto.md").map(({ command, output }) => [command, output]))(
  "%s says what the page on accuracy and cost shows",
  (command, output) => {
    const said = typedForPareto(`(${command}) 2>/dev/null`);
    expect(said.replaceAll(/commit .*/g, "commit ...")).toBe(output);
  },
);

test("the page on accuracy and cost says of figures and traffic what the program says", () => {
  const rows = [...read("docs/pareto.md").matchAll(/^\| `(\w+)` .*\| (.+?) +\|$/gm)];
  const told = { ...TRAFFIC_ABOUT, ...mapped(METRICS) };
  expect(Object.fromEntries(rows.map(([, name, about]) => [name, about]))).toEqual(told);
});

const mapped = (metrics: typeof METRICS): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(metrics).map(([name, { about }]) => [name, about]));

/** What a command of the README comes to here; null: it takes too long for a test of the page. */
function cheaply(command: string): string | null {
  if (command === "npm start") return "weir run scenarios 2>&1";
  return command.startsWith("npm run --silent weir -- ")
    ? command.replace("npm run --silent weir --", "weir")
    : null;
}

const typedForReadme = desk();

const tried = sessionsOf("README.md").flatMap(({ command, output }) => {
  const here = cheaply(command);
  return here === null ? [] : [[command, here, output] as const];
});

/** What it comes to is the same on every machine; how long it took is not. */
const apartFromTime = (text: string): readonly string[] =>
  text.split("\n").map((line) => (line.includes(" of traffic in ") ? shape(line)[0]! : line));

test.each(tried)("%s says what the README shows, times apart", (_command, here, output) => {
  const [said, shown] = [apartFromTime(typedForReadme(here)), apartFromTime(output)];
  expect(shown.filter((line) => line !== "..." && !said.includes(line))).toEqual([]);
  expect(hasShape(said, shown)).toBe(true);
});

test("the README says how many mutants there are", async () => {
  const { length } = (await catalogue())!;
  expect(read("README.md")).toContain(
    `${length} of ${length} mutants killed, 0 faults\n${length} passed`,
  );
});

const typedForSwarm = desk();

test.each(sessionsOf("docs/swarm.md").map(({ command, output }) => [command, output]))(
  "%s says what the page on the swarm shows, figures apart",
  (command, output) => {
    const plain = (text: string): readonly string[] =>
      shape(text.replaceAll(/(?<=histories )[0-9a-f]{16}/g, "0")).toSorted();
    expect(plain(typedForSwarm(`${command} 2>/dev/null`))).toEqual(plain(output));
  },
);

const typedForDrivers = desk();

test.each(sessionsOf("docs/drivers.md").map(({ command, output }) => [command, output]))(
  "%s says what the page on drivers shows, figures apart",
  (command, output) => {
    const said = typedForDrivers(`(${command}) 2>/dev/null`);
    expect(said).toSatisfy((text: string) => hasShape(shape(text), shape(output)));
  },
);

const typedForComparing = desk(runsToCompare);

test.each(sessionsOf("docs/comparing.md").map(({ command, output }) => [command, output]))(
  "%s says what the page on comparisons shows",
  (command, output) => {
    expect(typedForComparing(command)).toBe(output);
  },
);

test("a shape is lines in their order, figures and left out lines apart", () => {
  const said = ["seed 1", "pass a 12 requests", "", "pass LIM-1  3", "1 passed"].join("\n");
  const fits = (wanted: string): boolean => hasShape(shape(said), shape(wanted));
  expect(fits("seed 7\n...\npass LIM-2 40\n9 passed")).toBe(true);
  expect(fits("seed 7\n...\nfail LIM-2 40\n9 passed")).toBe(false);
  expect(fits("seed 7\n...\npass LIM-2 40")).toBe(false);
  expect(fits("...\n9 passed\n...\nseed 7")).toBe(false);
});

test("the page on results names every exit code", () => {
  const codes = [...read("docs/reading-results.md").matchAll(/^\| +(\d+) \|/gm)].map(([, code]) =>
    Number(code),
  );
  expect(codes).toEqual(Object.values(EXIT));
});

test("the table of imports in ARCHITECTURE.md is the one that is enforced", () => {
  const [, table = ""] = read("ARCHITECTURE.md").split("## Who may import whom");
  const rows = [...table.matchAll(/^\| `(\w+)` +\| ([^|]+?) +\| ([^|]+?) +\|$/gm)];
  const listed = (names: readonly string[] | "anything"): string =>
    names === "anything" ? names : names.join(", ") || "nothing";
  expect(rows.map(([, name, ours, packages]) => [name, ours, packages])).toEqual(
    Object.entries(importTable).map(([name, { ours, packages }]) => [
      name,
      listed(ours),
      listed(packages),
    ]),
  );
});

test.each(pages)("%s points at files that are there", (page) => {
  const text = read(page);
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`\n]+`/g, "code");
  const links = [...prose.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, to = ""]) =>
    join(dirname(page), to),
  );
  // A module may be named from the root or from src, in prose as in a drawing.
  const modules = [...text.matchAll(/\b[a-z][\w-]*(?:\/[\w-]+)+(?:\.[a-z]+)*\.ts\b/g)].map(
    ([file]) => (existsSync(join(root, file)) ? file : `src/${file}`),
  );
  expect([...links, ...modules].filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test.each(pages)("%s names npm scripts that are there", (page) => {
  const { scripts } = JSON.parse(read("package.json")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const named = [...read(page).matchAll(/npm run (?:--silent )?([a-z:]+)/g)].map(
    ([, name = ""]) => name,
  );
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
