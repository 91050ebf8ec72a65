// Runs behaviours on foreign limiters, prints a table, and saves one result for each limiter.
import { join } from "node:path";
import { readBehaviours } from "../studies/implementations/behaviours.node.ts";
import { runPart } from "../studies/implementations/run-part.ts";
import { runImplementations } from "../studies/implementations/run-all.node.ts";
import {
  documentOf,
  footerOf,
  IMPLEMENTATIONS_RUN_FORMAT,
  type ImplementationsRun,
} from "../studies/implementations/result.ts";
import { readSavedProofs } from "../studies/implementations/saved-proofs.node.ts";
import { tableText } from "../studies/implementations/table.ts";
import { addAnswer, beginWithAnswer } from "../show/answers/answer.ts";
import { answerImplementations } from "../show/answers/implementations.ts";
import { printAnswer } from "./answer-text.ts";
import type { Implementation } from "../lab/implementations/catalogue.node.ts";
import { isFailure } from "../kit/reading/failure.ts";
import { many } from "../kit/reading/legible.ts";
import type { Arguments, Refuse } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { pageProblem, removeFiles } from "./html-option.node.ts";
import {
  absentIn,
  DEFAULT_OUT,
  describeOrigin,
  listIn,
  PROOFS,
  resolveRequired,
  saveResults,
  whyUnsavable,
} from "./implementations-results.node.ts";
import { interruption } from "./interruption.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import type { Terminal } from "./terminal.ts";

export async function runAndReport(
  implementations: readonly Implementation[],
  { values, switches }: Arguments,
  terminal: Terminal,
  refuse: Refuse,
): Promise<ExitCode> {
  const { out, err, status, paint, tableColumns } = terminal;
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const only = listIn(values, "only");
  const behaviours = readBehaviours(only);
  if (isFailure(behaviours)) return refuse(behaviours.message);
  const required = resolveRequired(values, implementations);
  if (isFailure(required)) return refuse(required.message);
  const page = values.get("html");
  // A run of only some behaviours (--only) is not saved, because it would replace a complete result.
  const folder = values.get("out") ?? DEFAULT_OUT;
  const isSaved = only.length === 0;
  const pageless = page === undefined ? null : pageProblem(page, []);
  const unwritable =
    pageless ??
    (isSaved ? whyUnsavable(folder) : null) ??
    (page === undefined ? null : removeFiles(page));
  if (unwritable !== null) return refuse(unwritable);

  const { stop, isWanted } = interruption();
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
    stop,
  });
  status("");
  const run: ImplementationsRun = {
    format: IMPLEMENTATIONS_RUN_FORMAT,
    ...describeOrigin(),
    seed,
    behaviours: behaviours.map(({ id, scenario: { title } }) => ({ id, title })),
    implementations: runs,
    footer: footerOf(runs),
  };
  const withAnswer = (document: ImplementationsRun) => addAnswer(document, answerImplementations);
  const unsaved = isSaved
    ? saveResults(runs, folder, (each) => withAnswer(documentOf(run, each)))
    : [];
  for (const problem of unsaved) err(problem);
  const proofs = readSavedProofs(join(folder, PROOFS), runs);
  const answer = answerImplementations(run);
  if (switches.has("json")) out(JSON.stringify(withAnswer(run), null, 1));
  else {
    printAnswer(answer, terminal);
    const print = { paint, width: tableColumns, hasLegend: switches.has("legend") };
    for (const line of tableText(run, print, proofs)) out(line);
  }
  if (page !== undefined) {
    const { writePage } = await import("./page-file.node.ts");
    const content = {
      run: null,
      measured: [],
      limiters: [beginWithAnswer(runPart(run, proofs), answer)],
    };
    if (!(await writePage(page, content, false, terminal))) return EXIT.usage;
  }
  if (isWanted()) {
    err(`interrupted after ${runs.length} of ${many(implementations.length, "implementation")}`);
    return EXIT.interrupted;
  }
  const absent = absentIn(runs, required);
  for (const sentence of absent) err(sentence);
  if (run.footer.contradicts > 0 || run.footer.failed > 0) return EXIT.failed;
  if (unsaved.length > 0) return EXIT.usage;
  return absent.length > 0 ? EXIT.unreachable : EXIT.passed;
}
