// `weir try`: runs traffic that flags describe against candidate limits, and shows what each would admit and refuse.
import { dirname, isAbsolute, relative, sep } from "node:path";
import { timeText } from "../studies/bench/progress-line.ts";
import { countTried, formatTry } from "../studies/try/as-scenario.ts";
import type { DigestedCandidate } from "../studies/try/digested.node.ts";
import { countDraws, drawFirstBurst, usualDraws } from "../studies/try/draws.ts";
import { buildTryResult, rowOfTry } from "../studies/try/result.ts";
import { runCandidates } from "../studies/try/run-candidates.node.ts";
import { tryText } from "../studies/try/text.ts";
import { tryPart } from "../studies/try/try-part.ts";
import { candidatesOf, type TryQuestion } from "../studies/try/question.ts";
import { isFailure } from "../kit/reading/failure.ts";
import { many, oneLine, plural } from "../kit/reading/legible.ts";
import { whyUnreadable, writeWhole } from "../kit/reading/text-file.node.ts";
import { commandOf } from "../kit/command-line.ts";
import { createFolder, whyUnwritable } from "../kit/reading/folder.node.ts";
import { addAnswer, leadWithAnswer } from "../show/answers/answer.ts";
import { explainNames } from "../show/answers/words.ts";
import { answerTry } from "../show/answers/try.ts";
import { printAnswer } from "./answer-text.ts";
import { countIn, type Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { pageProblem, removeFiles } from "./html-option.node.ts";
import { interruption } from "./interruption.node.ts";
import { writePage } from "./page-file.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { readFileToTry } from "./try-file.node.ts";
import { tryQuestion } from "./try-question.ts";

const MOST_DRAWS = 100;

export const tryTraffic: Action = async (args, terminal, refuse) => {
  const { values, switches } = args;
  const { out, err, status, paint } = terminal;
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const config = readFileToTry(args);
  if (isFailure(config)) {
    for (const problem of config.problems) err(oneLine(`weir try: ${problem}`));
    return EXIT.usage;
  }
  const question = tryQuestion(args, config);
  if (isFailure(question)) return refuse(question.message);
  const typed = countIn(values, "draws", MOST_DRAWS);
  if (isFailure(typed)) return refuse(typed.message);
  const all = candidatesOf(question);
  const draws = typed ?? usualDraws(countTried(question), all.length);
  if (!Number.isSafeInteger(seed + draws))
    return refuse(`--seed ${seed} leaves no seeds for the other draws; write a smaller one`);
  const [file, page] = [values.get("scenario"), values.get("html")];
  if (file !== undefined && config !== null && question.limits.length > 0)
    return refuse(
      "--scenario saves one world, and --limit and --config are two; leave out one of them",
    );
  const pageless = page === undefined ? null : pageProblem(page, [file, values.get("config")]);
  const unwritable =
    pageless ?? whyUnwritable(file) ?? (page === undefined ? null : removeFiles(page));
  if (unwritable !== null) return refuse(unwritable);
  const counts = all.map(({ retry }) => countDraws(question, retry, draws));
  const pieces = counts.flatMap((count, place) =>
    Array.from({ length: count }, (_, at) => ({
      place,
      seed: seed + at,
      wantsHistory: file !== undefined && at === 0,
    })),
  );
  const done = all.map((): DigestedCandidate[] => []);
  const startedMs = performance.now();
  status(
    `${many(all.length, "candidate")}, ${countTried(question).toLocaleString("en-US")} requests each`,
  );
  await runCandidates(
    question,
    pieces,
    (place, drawn) => {
      done[place]!.push(drawn);
      status(progressText(done.flat(), pieces.length, performance.now() - startedMs));
    },
    interruption().stop,
  );
  status("");
  const rows = all.flatMap((candidate, place) => {
    const [first, ...others] = done[place]!.toSorted((a, b) => a.seed - b.seed);
    return first === undefined || others.length + 1 < counts[place]!
      ? []
      : [rowOfTry(candidate, question, [first, ...others])];
  });
  const isInterrupted = rows.length < all.length;
  const result = addAnswer(buildTryResult(question, seed, rows, isInterrupted), (facts) =>
    explainNames(answerTry(facts)),
  );
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
      fromFolderOf(file, question),
      drawFirstBurst(question, seed),
      rows.map(({ admitted }) => admitted),
    ),
  );
  if (problem === null)
    err(`saved: ${file}; run it: ${commandOf(["run", file, "--seed", String(seed)])}`);
  else err(`weir try: ${problem}`);
  return problem === null ? code : EXIT.usage;
};

/** The question with the path of its configuration as the scenario sees it. */
function fromFolderOf(scenario: string, question: TryQuestion): TryQuestion {
  const { file } = question;
  if (file === undefined || isAbsolute(file.file)) return question;
  const seen = relative(dirname(scenario), file.file).replaceAll(sep, "/");
  return { ...question, file: { ...file, file: seen } };
}

/** Returns the progress, the attempts per second, and the estimated time for the remaining runs. */
function progressText(done: readonly DigestedCandidate[], all: number, elapsedMs: number): string {
  const attempts = done.reduce((sum, { figures }) => sum + figures.attempts, 0);
  const rate = Math.round(attempts / (elapsedMs / 1_000));
  const left = (elapsedMs / done.length / 1_000) * (all - done.length);
  return `${done.length} of ${many(all, "run")}, ${rate.toLocaleString("en-US")} attempts a second, ${timeText(left)} left`;
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
