// The steps of action.yml, carried out as a runner of GitHub does, in the workflow that the page on build servers shows.
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { entry } from "./built.ts";
import { folderWith, quietEnvironment } from "./cli/weir.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
  readonly "working-directory"?: string;
}
const action = parse(read("action.yml")) as {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
};
const WORKFLOW = "deploy/action/pull-request.yaml";
const workflow = parse(read(WORKFLOW)) as {
  readonly jobs: { readonly limits: { readonly steps: readonly Step[] } };
};
const uses = workflow.jobs.limits.steps.filter((step) => step.uses?.startsWith("OWNER/") === true);

interface Result {
  readonly status: number | null;
  readonly output: string;
  readonly summary: string;
  readonly uploaded: { readonly name: string; readonly path: string } | null;
}

/** Replaces inputs and outputs, as ${{ }} does. The condition of the second step is the only one with operators. */
function runAction(project: string, given: Readonly<Record<string, string>>): Result {
  const temporary = folderWith({ output: "", summary: "" });
  const outputs = new Map<string, string>();
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, one]) => [name, one.default]),
  );
  const values: Record<string, string> = { ...inputs, ...given };
  const unknown = Object.keys(given).filter((name) => !(name in inputs));
  if (unknown.length > 0) throw new Error(`action.yml has no input ${unknown.join(", ")}`);
  const fill = (text: string): string =>
    text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) =>
      expression.startsWith("inputs.")
        ? (values[expression.slice("inputs.".length)] ?? "")
        : (outputs.get(expression) ?? ""),
    );
  const [run, upload] = action.runs.steps;
  const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", run!.run!], {
    cwd: join(project, fill(run!["working-directory"]!)),
    encoding: "utf8",
    env: {
      ...quietEnvironment,
      ...Object.fromEntries(Object.entries(run!.env!).map(([name, text]) => [name, fill(text)])),
      PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
      GITHUB_ACTIONS: "true",
      GITHUB_ACTION_PATH: root,
      GITHUB_WORKSPACE: project,
      GITHUB_OUTPUT: join(temporary, "output"),
      GITHUB_STEP_SUMMARY: join(temporary, "summary"),
      RUNNER_TEMP: temporary,
    },
  });
  for (const line of readFileSync(join(temporary, "output"), "utf8").split("\n")) {
    const [name = "", ...value] = line.split("=");
    outputs.set(`steps.${run!.id!}.outputs.${name}`, value.join("="));
  }
  const { name = "", path = "" } = upload!.with!;
  const file = fill(path);
  return {
    status,
    output: stdout + stderr,
    summary: readFileSync(join(temporary, "summary"), "utf8"),
    uploaded: file === "" || fill(name) === "" ? null : { name: fill(name), path: file },
  };
}

const CONF = (rate: number): string => `events {}
http {
  limit_req_zone $binary_remote_addr zone=clients:10m rate=${rate}r/m;
  server { location / { limit_req zone=clients; } }
}
`;

let project = "";

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "weir-action-"));
  writeFileSync(join(project, "nginx.conf"), CONF(600));
  const log = execFileSync("gunzip", ["--stdout", join(root, "samples/access.log.gz")]);
  writeFileSync(join(project, "access.log"), log);
  mkdirSync(join(project, "scenarios"));
  mkdirSync(join(project, "node_modules/.bin"), { recursive: true });
  const program = join(project, "node_modules/.bin/weir");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${entry()}" "$@"\n`);
  chmodSync(program, 0o755);
  execFileSync(program, ["new", "limits/first"], { cwd: project });
  const git = (...args: readonly string[]): unknown =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: project });
  git("init", "--quiet");
  git("add", "nginx.conf");
  git("commit", "--quiet", "-m", "limits");
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  writeFileSync(join(project, "nginx.conf"), CONF(60));
});

afterAll(() => rmSync(project, { recursive: true }));

const withOf = (command: string): Readonly<Record<string, string>> =>
  uses.map((step) => step.with!).find((given) => given["command"] === command)!;

test("the page on build servers shows the workflow", () => {
  expect(read("docs/answer/in-ci.md")).toContain(`\`\`\`yaml\n${read(WORKFLOW)}\`\`\``);
  expect(uses).toHaveLength(3);
  expect(action.runs.using).toBe("composite");
  expect(action.runs.steps[1]!.if).toBe(
    "always() && inputs.artifact != '' && steps.weir.outputs.page != ''",
  );
});

test("run passes with a summary and a page, and notes at its line what fails", () => {
  const file = join(project, "scenarios/limits/first.yaml");
  const text = readFileSync(file, "utf8");
  const passed = runAction(project, withOf("run"));
  expect([passed.status, passed.uploaded?.name]).toEqual([0, "weir-run"]);
  expect(passed.summary).toContain("1 passed");
  expect(existsSync(passed.uploaded!.path)).toBe(true);
  writeFileSync(file, text.replace("rate: 5", "rate: 4"));
  const failed = runAction(project, withOf("run"));
  writeFileSync(file, text);
  expect([failed.status, failed.uploaded?.name]).toEqual([1, "weir-run"]);
  expect(failed.output).toMatch(/^::error file=scenarios\/limits\/first\.yaml,line=\d+/m);
  expect(failed.summary).toContain("1 failed");
});

test("diff notes the changed line of the pull request, and fails above its bound", () => {
  const { status, output, summary, uploaded } = runAction(project, withOf("diff"));
  expect([status, uploaded?.name]).toEqual([4, "weir-diff"]);
  expect(output).toMatch(/^::(?:error|warning) file=nginx\.conf,line=3/m);
  expect(summary).toContain("192.0.2.10");
  expect(readFileSync(uploaded!.path, "utf8")).toContain("</html>");
});

test("recommend writes its answer into the summary", () => {
  const { status, summary, uploaded } = runAction(project, withOf("recommend"));
  expect([status, uploaded?.name]).toEqual([0, "weir-recommend"]);
  expect(summary).toMatch(/^### weir recommend\n\n```text\nLimit each client to \d+ per minute/);
});

test("one sentence names each thing that is missing, and nothing is uploaded", () => {
  const empty = folderWith({
    "old.tgz": "no tarball",
    weir: '#!/bin/sh\necho "version \\`GLIBC_2.28\' not found" >&2; exit 1\n',
  });
  writeFileSync(join(empty, "arm"), Buffer.from("7f454c4602010100", "hex"));
  appendFileSync(join(empty, "arm"), Buffer.alloc(64));
  const sentenceOf = (given: Readonly<Record<string, string>>): string => {
    const { status, output, uploaded } = runAction(empty, given);
    expect([status, uploaded]).toEqual([2, null]);
    return output.trim().split("\n").at(-1)!;
  };
  expect(sentenceOf({ command: "serve" })).toBe(
    '::error title=Weir::there is no command "serve" for pull requests; choose run, recommend or diff',
  );
  expect(sentenceOf({})).toContain(
    `Weir is not installed in ${empty}: run npm ci before this step`,
  );
  expect(sentenceOf({ file: "none.tgz" })).toContain("there is no file none.tgz");
  expect(sentenceOf({ file: "old.tgz" })).toContain("npm cannot install old.tgz");
  expect(sentenceOf({ file: "weir" })).toContain("weir needs glibc 2.28 or newer");
  expect(sentenceOf({ file: "arm" })).toMatch(/::arm is not for \S+; take the file for it$/);
});
