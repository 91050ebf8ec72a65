// `weir try`: runs traffic that flags describe against candidate limits, and shows what each would admit and refuse.
import { dirname } from "node:path";
import { timeText } from "../studies/bench/progress-line.ts";
import { countTried, formatTry } from "../studies/try/as-scenario.ts";
import { buildTryResult, rowOfTry, type TryRow } from "../studies/try/result.ts";
import { runCandidates } from "../studies/try/run-candidates.node.ts";
import { tryText } from "../studies/try/text.ts";
import { tryPart } from "../studies/try/try-part.ts";
import { candidatesOf } from "../studies/try/question.ts";
import { isFailure } from "../kit/reading/failure.ts";
import { many, plural } from "../kit/reading/legible.ts";
import { whyUnreadable, writeWhole } from "../kit/reading/text-file.node.ts";
import { commandOf } from "../kit/command-line.ts";
import { createFolder, whyUnwritable } from "../kit/reading/folder.node.ts";
import { addAnswer, leadWithAnswer } from "../show/answers/answer.ts";
import { answerTry } from "../show/answers/try.ts";
import { printAnswer } from "./answer-text.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { pageProblem, removeFiles } from "./html-option.node.ts";
import { interruption } from "./interruption.node.ts";
import { writePage } from "./page-file.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { tryQuestion } from "./try-question.ts";

export const tryTraffic: Action = async (args, terminal, refuse) => {
  const { values, switches } = args;
  const { out, err, status, paint } = terminal;
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const question = tryQuestion(args);
  if (isFailure(question)) return refuse(question.message);
  const [file, page] = [values.get("scenario"), values.get("html")];
  const pageless = page === undefined ? null : pageProblem(page, [file]);
  const unwritable =
    pageless ?? whyUnwritable(file) ?? (page === undefined ? null : removeFiles(page));
  if (unwritable !== null) return refuse(unwritable);
  const all = candidatesOf(question);
  const done = new Map<number, TryRow>();
  const startedMs = performance.now();
  status(
    `${many(all.length, "candidate")}, ${countTried(question).toLocaleString("en-US")} requests each`,
  );
  await runCandidates(
    { question, seed, wantsHistory: file !== undefined },
    (place, tried) => {
      done.set(place, rowOfTry(all[place]!, question.gateways, tried));
      status(progressText([...done.values()], all.length, performance.now() - startedMs));
    },
    interruption().stop,
  );
  status("");
  const rows = all.flatMap((_, place) => done.get(place) ?? []);
  const isInterrupted = rows.length < all.length;
  const result = addAnswer(buildTryResult(question, seed, rows, isInterrupted), answerTry);
  if (switches.has("json")) out(JSON.stringify(result, null, 2));
  else {
    const text = { width: terminal.tableColumns, hasLegend: switches.has("legend") };
    printAnswer(result.answer, terminal);
    for (const line of tryText(result, paint, text)) out(line);
  }
  const isSaved =
    page === undefined ||
    (await writePage(
      page,
      {
        run: null,
        measured: [leadWithAnswer(tryPart(result, process.argv.slice(2)), result.answer)],
      },
      false,
      terminal,
    ));
  if (isInterrupted) {
    err(
      `weir try: interrupted; ${rows.length} of ${many(all.length, "candidate")} ${plural(rows.length, "is", "are")} complete`,
    );
    return EXIT.interrupted;
  }
  const code = isSaved ? EXIT.passed : EXIT.usage;
  if (file === undefined) return code;
  const problem = saveScenario(
    file,
    formatTry(
      question,
      rows.map(({ admitted }) => admitted),
    ),
  );
  if (problem === null)
    err(`saved: ${file}; run it: ${commandOf(["run", file, "--seed", String(seed)])}`);
  else err(`weir try: ${problem}`);
  return problem === null ? code : EXIT.usage;
};

/** Returns the progress, the attempts per second, and the estimated time for the remaining candidates. */
function progressText(done: readonly TryRow[], all: number, elapsedMs: number): string {
  const attempts = done.reduce((sum, row) => sum + row.attempts, 0);
  const rate = Math.round(attempts / (elapsedMs / 1_000));
  const left = (elapsedMs / done.length / 1_000) * (all - done.length);
  return `${done.length} of ${many(all, "candidate")}, ${rate.toLocaleString("en-US")} attempts a second, ${timeText(left)} left`;
}

function saveScenario(file: string, text: string): string | null {
  const noFolder = createFolder(dirname(file));
  if (noFolder !== null) return noFolder;
  try {
    writeWhole(file, text);
    return null;
  } catch (error) {
    return `${file}: ${whyUnreadable(error)}`;
  }
}
