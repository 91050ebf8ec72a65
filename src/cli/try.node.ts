// Tries traffic that is described in words on limits: what would they do?
import { dirname } from "node:path";
import { formatTry } from "../experiments/try/as-scenario.ts";
import { buildTryResult, rowOfTry, type TryRow } from "../experiments/try/result.ts";
import { runTry } from "../experiments/try/run-try.ts";
import { tryText } from "../experiments/try/text.ts";
import { tryPart } from "../experiments/try/try-part.ts";
import { candidatesOf } from "../experiments/try/question.ts";
import { isFailure } from "../reading/failure.ts";
import { whyUnreadable, writeWhole } from "../reading/text-file.node.ts";
import { commandOf } from "../report/command-line.ts";
import { createFolder } from "../run/history-folder.node.ts";
import { digest } from "../scenario/history/digest.node.ts";
import { writeHistory } from "../scenario/history/write.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { pageProblem, removeFiles } from "./html-option.node.ts";
import { interruption } from "./interruption.node.ts";
import { whyUnwritable } from "./output-place.node.ts";
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
  const { isWanted } = interruption();
  const all = candidatesOf(question).length;
  const rows: TryRow[] = [];
  for (const { variant, figures, history, ...candidate } of runTry(question, seed)) {
    const text = file === undefined ? null : digest(writeHistory(history));
    rows.push(rowOfTry(candidate, variant, text, figures));
    status(`${rows.length} of ${all} candidates`);
    await new Promise((resolve) => void setImmediate(resolve)); // for the signals
    if (isWanted()) break;
  }
  status("");
  const isInterrupted = rows.length < all;
  const result = buildTryResult(question, seed, rows, isInterrupted);
  if (switches.has("json")) out(JSON.stringify(result, null, 2));
  else for (const line of tryText(result, paint)) out(line);
  const isSaved =
    page === undefined ||
    (await writePage(
      page,
      { run: null, measured: [tryPart(result, process.argv.slice(2))] },
      false,
      terminal,
    ));
  if (isInterrupted) {
    err(`weir try: interrupted; ${rows.length} of ${all} candidates are complete`);
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
