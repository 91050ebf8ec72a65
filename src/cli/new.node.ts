import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { commandLine, commandOf } from "../kit/command-line.ts";
import { createFolders } from "../kit/reading/folder.node.ts";
import { whyUnreadable } from "../kit/reading/text-file.node.ts";
import { nearest } from "../kit/reading/problems.ts";
import { DEFAULT_FOLDER, EXAMPLES } from "../lab/run/scenario-files.node.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { wrap } from "../kit/reading/table.ts";
import type { Terminal } from "./terminal.ts";

const SMALLEST = "first";
const ENDING = /\.yaml$/;

export const newScenario: Action = ({ operands: [name], switches, values }, terminal, refuse) => {
  const { out, err } = terminal;
  const example = values.get("from") ?? SMALLEST;
  if (switches.has("list")) {
    if (name !== undefined || values.has("from"))
      return refuse("--list writes no file; remove the name and --from");
    listExamples(terminal);
    return EXIT.passed;
  }
  if (name === undefined)
    return refuse(
      `name the scenario that is copied from an example: ${commandLine("new limits/first")} makes one; ${commandLine("new --list")} lists the ${exampleNames().length} examples, such as --from ${exampleNames().at(-1)!}`,
    );
  const names = exampleNames();
  if (!names.includes(example)) {
    const similar = nearest(example, names);
    const hint =
      similar === null ? `${commandLine("new --list")} lists them` : `did you mean "${similar}"?`;
    return refuse(`there is no example "${example}"; ${hint}`);
  }
  const id = name.replace(/^scenarios\//, "").replace(/\.ya?ml$/, "");
  if (!/^[a-z0-9][a-z0-9.-]*\/[a-z0-9][a-z0-9.-]*$/.test(id))
    return refuse(
      `a scenario id must be FOLDER/NAME in lower case, such as limits/first; got "${name}"`,
    );
  const file = join(DEFAULT_FOLDER, `${id}.yaml`);
  if (existsSync(file)) {
    err(`${file} already exists; choose another name`);
    return EXIT.usage;
  }
  try {
    createFolders(dirname(file));
    writeFileSync(file, copyOf(example), { flag: "wx" });
  } catch (error) {
    err(`${file}: ${whyUnreadable(error)}`);
    return EXIT.usage;
  }
  out(`wrote ${file}`);
  out(`run it: ${commandOf(["run", file])}`);
  return EXIT.passed;
};

const exampleNames = (): readonly string[] =>
  readdirSync(EXAMPLES)
    .filter((file) => ENDING.test(file))
    .map((file) => file.replace(ENDING, ""))
    .toSorted();

const readExample = (name: string): string => readFileSync(join(EXAMPLES, `${name}.yaml`), "utf8");

/** The copy omits id and requirements, because it takes its id from its path and proves nothing about Weir. */
const copyOf = (example: string): string =>
  readExample(example).replaceAll(/^(?:id|proves): .*\n/gm, "");

function listExamples({ out, columns }: Terminal): void {
  for (const name of exampleNames()) {
    const title = /^title: (.+)$/m.exec(readExample(name))?.[1] ?? "";
    out(name);
    for (const line of wrap(title, columns - 2)) out(`  ${line}`);
  }
  out("");
  out(`copy one: ${commandOf(["new", "FOLDER/NAME", "--from", "EXAMPLE"])}`);
}
