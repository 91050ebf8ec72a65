// Runs behaviours on limiters of others, prints the table, and saves the result of each.
import { dirname, join } from "node:path";
import { checkout } from "../bench/resources/machine.node.ts";
import { readBehaviours } from "../experiments/implementations/behaviours.node.ts";
import { runPart } from "../experiments/implementations/run-part.ts";
import { runImplementations } from "../experiments/implementations/run-all.node.ts";
import {
  documentOf,
  footerOf,
  IMPLEMENTATIONS_RUN_FORMAT,
  type ImplementationsRun,
} from "../experiments/implementations/result.ts";
import { tableText } from "../experiments/implementations/table.ts";
import type { Implementation } from "../implementations/catalogue.node.ts";
import { isFailure } from "../reading/failure.ts";
import { many } from "../reading/legible.ts";
import { writeWhole, whyUnreadable } from "../reading/text-file.node.ts";
import { createFolder } from "../run/history-folder.node.ts";
import type { Arguments, Refuse } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { pageProblem } from "./html-option.node.ts";
import { interruption } from "./interruption.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import type { Terminal } from "./terminal.ts";
import { versionOfWeir } from "./version.node.ts";

const DEFAULT_OUT = join("reports", "implementations");

const listIn = (values: Arguments["values"], name: string): readonly string[] =>
  (values.get(name) ?? "").split(",").filter((each) => each !== "");

export async function runAndReport(
  implementations: readonly Implementation[],
  { values, switches }: Arguments,
  terminal: Terminal,
  refuse: Refuse,
): Promise<ExitCode> {
  const { out, err, status, paint } = terminal;
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const only = listIn(values, "only");
  const behaviours = readBehaviours(only);
  if (isFailure(behaviours)) return refuse(behaviours.message);
  const required = listIn(values, "require");
  const ids = implementations.map(({ id }) => id);
  const unknown = required.find((name) => name !== "all" && !ids.includes(name));
  if (unknown !== undefined)
    return refuse(`--require ${unknown}: it is not among those that run; add its name, or use all`);
  const page = values.get("html");
  const pageless = page === undefined ? null : pageProblem(page, []);
  if (pageless !== null) return refuse(pageless);

  const { stop, isWanted } = interruption();
  void stop;
  let done = 0;
  const runs = await runImplementations({
    implementations,
    behaviours,
    seed,
    progress: (line) => status(line),
    onDone: ({ id, missing, verdicts }) => {
      done++;
      const sum = missing ?? many(verdicts.length, "behaviour");
      err(`${done} of ${implementations.length}: ${id}: ${sum}`);
    },
    isOver: isWanted,
  });
  status("");
  const { commit, changed } = checkout();
  const run: ImplementationsRun = {
    format: IMPLEMENTATIONS_RUN_FORMAT,
    weir: versionOfWeir(),
    commit: changed ? `${commit} and changes` : commit,
    date: new Date().toISOString(),
    seed,
    behaviours: behaviours.map(({ id, scenario: { title } }) => ({ id, title })),
    implementations: runs,
    footer: footerOf(runs),
  };
  // A part of the behaviours does not replace the result of all.
  const unsaved = only.length === 0 ? save(run, values.get("out") ?? DEFAULT_OUT) : [];
  for (const problem of unsaved) err(problem);
  if (switches.has("json")) out(JSON.stringify(run, null, 1));
  else for (const line of tableText(run, paint)) out(line);
  if (page !== undefined) {
    const { writePage } = await import("./page-file.node.ts");
    const content = { run: null, measured: [], limiters: [runPart(run)] };
    if (!(await writePage(page, content, false, terminal))) return EXIT.usage;
  }
  if (isWanted()) {
    err(`interrupted after ${runs.length} of ${many(implementations.length, "implementation")}`);
    return EXIT.interrupted;
  }
  const absent = runs.filter(
    ({ id, missing }) => missing !== null && (required.includes("all") || required.includes(id)),
  );
  for (const { id, missing } of absent) err(`${id} is required, and ${missing}`);
  if (run.footer.contradicts > 0 || run.footer.failed > 0) return EXIT.failed;
  if (unsaved.length > 0) return EXIT.usage;
  return absent.length > 0 ? EXIT.unreachable : EXIT.passed;
}

/** One file for each that was run. */
function save(run: ImplementationsRun, folder: string): readonly string[] {
  return run.implementations
    .filter(({ missing }) => missing === null)
    .flatMap((implementation) => {
      const file = join(folder, `${implementation.id}.json`);
      const noFolder = createFolder(dirname(file));
      if (noFolder !== null) return [noFolder];
      try {
        writeWhole(file, `${JSON.stringify(documentOf(run, implementation), null, 1)}\n`);
        return [];
      } catch (error) {
        return [`${file}: ${whyUnreadable(error)}`];
      }
    });
}
