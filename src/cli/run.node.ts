// The whole flow of `weir run`, from top to bottom: read, plan, run, check, print.
import { availableMemory } from "node:process";
import { commandLine } from "../kit/command-line.ts";
import { isGood } from "../lab/check/counts.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { PROGRESS_SWITCH, type LiveMessage } from "../show/page/live.ts";
import { answerPart } from "../show/answers/run.ts";
import type { ScenarioReport } from "../lab/report/model.ts";
import { many, oneLine } from "../kit/reading/legible.ts";
import { withoutUnproven, type Result } from "../lab/scenario/verdict.ts";
import type { Action, Arguments } from "./arguments.ts";
import { drivingOf } from "./driver-options.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { inSeconds } from "../lab/run/whole-again.ts";
import { removeFiles, jsonFileOf, runPageProblem } from "./html-option.node.ts";
import { interruption } from "./interruption.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { startRun } from "../lab/run/run-small.node.ts";
import { threadsFor, type RunThreads } from "../lab/run/run-threads.node.ts";
import type { FileSummary, RunSettings } from "../lab/run/file-runner.node.ts";
import {
  compareOrAdd,
  readKnownInconclusive,
  type KnownInconclusive,
} from "./inconclusive-list.node.ts";
import { compareWithReference, referenceOf, type Reference } from "./reference.node.ts";
import { problemsOfRun, notRun, report } from "./run-report.ts";
import { largeRuns, tooLarge } from "./run-size.ts";
import { progressLine } from "./run-progress.ts";
import { scenarioLine, speedUp } from "./run-text.ts";
import { reportWarnings, unshownLines, type RunWarnings } from "./run-warnings.node.ts";
import {
  DEFAULT_FOLDER,
  isOwnSuite,
  isWholeSuite,
  sourcesAt,
  type SourceFile,
  type SourceFiles,
} from "../lab/run/scenario-files.node.ts";
import { storeAway, storeFault } from "./store-option.node.ts";
import { targetAway } from "./target-answers.node.ts";
import { reportProblems, type Terminal } from "./terminal.ts";
import { outputFilesOf, removeOutputs, saveOutputs, type OutputFile } from "./output-files.node.ts";
import { whyNoFolder, whyUnwritable } from "../kit/reading/folder.node.ts";

export const run: Action = async (args, terminal, refuse) => {
  const { operands, switches, values, lists } = args;
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  if (values.has("swarm")) {
    const other = values.has("reference") ? "reference" : lists.has("out") ? "out" : null;
    if (other !== null) return refuse(`--${other} needs scenario files, not --swarm; remove one`);
    return (await import("./swarm.node.ts")).swarm(args, seed, terminal, refuse);
  }
  if (switches.has("playground"))
    return (await import("./playground.node.ts")).playground(args, seed, terminal, refuse);
  if (switches.has("no-save")) return refuse("--no-save needs --swarm N");
  if (values.has("queue")) return refuse("--queue needs --swarm N");
  const [only, histories] = [lists.get("only") ?? [], values.get("history")];
  if (only.includes(""))
    return refuse(
      "--only needs the id of a scenario, a variant or a requirement; * matches any text",
    );
  const elsewhere = outputFilesOf(lists.get("out") ?? []);
  if (isFailure(elsewhere)) return refuse(elsewhere.message);
  const html = values.get("html") ?? null;
  const otherFiles = [
    ...operands,
    values.get("reference"),
    values.get("inconclusive"),
    ...elsewhere.map(({ file }) => file),
  ];
  const pageProblem = html === null ? null : runPageProblem(html, otherFiles);
  if (pageProblem !== null) return refuse(pageProblem);
  if (switches.has("watch") || values.has("serve"))
    return (await import("./watch.node.ts")).watch(args, terminal);
  const driving = drivingOf(args);
  if (isFailure(driving)) return refuse(driving.message);

  const store = values.get("store");
  const storeIsWrong = store === undefined ? null : storeFault(store, driving.name);
  if (storeIsWrong !== null) return refuse(storeIsWrong);

  const isWhole = only.length === 0 && !values.has("sample") && operands.every(isWholeSuite);
  const reference = referenceOf(args, seed, isWhole);
  if (isFailure(reference)) return refuse(reference.message);
  const known = readKnownInconclusive(args, driving.name);
  if (isFailure(known)) return refuse(known.message);
  if (html === null && switches.has("open"))
    return refuse("--open needs --html FILE or --serve PORT");
  const isSpecified =
    isWhole && (operands.length === 0 ? [DEFAULT_FOLDER] : operands).every(isOwnSuite);
  const isStreamed = driving.name !== "virtual";
  const ending: Ending = { isWhole, isSpecified, isStreamed, reference, known, elsewhere, html };

  const files = sourcesAt(operands);
  const settings: RunSettings = {
    seed,
    only,
    histories,
    store,
    hasDigests: reference !== null,
    hasReport: html !== null,
  };
  const players = await startRun(files.sources, settings);
  try {
    const read = await players.read(files.sources);
    const warnings = reportWarnings(files.sources, read, args, terminal);
    const tasks = tasksOf(files, read, settings, args, terminal);
    if (isFailure(tasks))
      return await reportNotRun(tasks.problems, EXIT.usage, settings, ending, warnings, terminal);
    const away =
      driving.against?.kind === "target"
        ? await targetAway(new URL(driving.against.url))
        : store === undefined
          ? null
          : await storeAway(store);
    if (away !== null)
      return await reportNotRun([away], EXIT.unreachable, settings, ending, warnings, terminal);
    if (driving.name === "virtual")
      return await runAll(tasks, warnings, settings, players, ending, args, terminal);
    const { inRealTime } = await import("./run-real.node.ts");
    return await inRealTime(driving.name, driving, settings, terminal, (real) =>
      runAll(tasks, warnings, settings, real, ending, args, terminal),
    );
  } finally {
    await players.dismiss();
  }
};

/** Adds what separates the variants of each scenario. */
function answerParts(
  parts: readonly ScenarioReport[],
  results: readonly Result[],
): readonly ScenarioReport[] {
  const byFile = Map.groupBy(results, ({ file }) => file);
  return parts.map((part) => answerPart(part, byFile.get(part.file) ?? []));
}

/** Where the results go, and what they are compared with. */
interface Ending {
  readonly isWhole: boolean;
  readonly isSpecified: boolean; // whether this run executes the whole of Weir's own suite
  readonly isStreamed: boolean; // whether each scenario is printed when it ends, because it takes real time
  readonly reference: Reference | null;
  readonly known: KnownInconclusive | null; // the list of inconclusive variants
  readonly elsewhere: readonly OutputFile[];
  readonly html: string | null; // file of the page
}

/** If a run has more scenarios than this, its results are listed by folder, so that they fit on one screen. */
const MOST_LINES = 20;

/** Sends a message if the parent process shows the progress of this run. */
function reportToParent(message: LiveMessage): void {
  if (process.env[PROGRESS_SWITCH] === "yes") process.send?.(message);
}

interface Task {
  readonly id: string;
  readonly source: SourceFile;
}

/** Prints why nothing can run, and saves these reasons to the output files and the page over earlier results. */
async function reportNotRun(
  reasons: readonly string[],
  code: ExitCode,
  { seed }: RunSettings,
  { elsewhere, html }: Ending,
  { lines: warnings }: RunWarnings,
  terminal: Terminal,
): Promise<ExitCode> {
  reportProblems(terminal, "run", reasons);
  reportToParent({ kind: "faults", lines: reasons });
  saveOutputs(elsewhere, notRun(seed, reasons, warnings), terminal);
  // A page that a parent process serves shows the reasons above the last report, so no page is saved here.
  if (html !== null && process.env[PROGRESS_SWITCH] !== "yes") {
    const { saveReport } = await import("./html-report.node.ts");
    const nothing = { seed, startedAt: new Date(), isComplete: true, scenarios: [] };
    await saveReport(html, { ...nothing, faults: reasons, warnings }, false, terminal);
  }
  return code;
}

function tasksOf(
  { sources, problems: unread }: SourceFiles,
  read: readonly FileSummary[],
  { only, histories }: RunSettings,
  { switches }: Arguments,
  { err }: Terminal,
): readonly Task[] | Failure {
  const problems = [...unread, ...read.flatMap((each) => each.errors)];
  if (problems.length > 0) return new Failure(...problems);
  const tasks = read.flatMap(({ id }, index) =>
    id === null ? [] : [{ id, source: sources[index]! }],
  );
  const met = new Set(read.flatMap(({ matchingPatterns }) => matchingPatterns));
  const unmet = only.filter((each) => !met.has(each));
  if (unmet.length > 0)
    return new Failure(
      ...unmet.map(
        (each) =>
          `--only: no scenario, variant or requirement here is called "${each}"; ${commandLine("list")} shows them`,
      ),
    );
  const sized = read.flatMap(({ size }, index) =>
    size === null ? [] : [{ file: sources[index]!.file, ...size }],
  );
  const sizeProblem = tooLarge(sized, threadsFor(sources.length), availableMemory());
  if (sizeProblem !== null) return new Failure(sizeProblem);
  if (!switches.has("quiet")) for (const line of largeRuns(sized)) err(line);
  const unwritable = histories === undefined ? null : whyNoFolder(histories);
  if (unwritable !== null) return new Failure(unwritable);
  return tasks;
}

async function runAll(
  tasks: readonly Task[],
  warnings: RunWarnings,
  settings: RunSettings,
  players: Pick<RunThreads, "run">,
  ending: Ending,
  { switches }: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  const { seed } = settings;
  const { isWhole, isSpecified, isStreamed, reference, known, elsewhere, html } = ending;
  const { out, err, status, isWatched, paint } = terminal;
  const outputProblem =
    removeOutputs(elsewhere) ??
    whyUnwritable(reference?.isRenewed === true ? reference.file : undefined) ??
    whyUnwritable(known?.isWritten === true ? known.file : undefined) ??
    (html === null ? null : removeFiles(html, jsonFileOf(html)));
  if (outputProblem !== null) {
    err(outputProblem);
    return EXIT.usage;
  }
  const isPlain = !switches.has("json") && !switches.has("quiet");
  // Signals are caught before the first line is printed, because a program that reads it may send one immediately.
  const { stop, isWanted } = interruption();
  const start = `running ${many(tasks.length, "scenario")} with seed ${seed}`;
  if (isPlain && isWatched) status(start);
  else if (isPlain) err(start);
  const startedAt = new Date();
  const started = performance.now();
  const results: Result[] = [];
  const digests: string[] = [];
  const tookMs: number[] = [];
  const parts: ScenarioReport[] = [];
  const scenarioLines: string[] = [];
  let virtualUs = 0;
  let done = 0;
  let failed = 0;
  let unreachable: string | null = null;
  const idOf = new Map(tasks.map(({ id, source }) => [source.file, id]));
  const underWay = (files: ReadonlySet<string>): void => {
    const names = [...files].map((file) => idOf.get(file)).join(", ");
    const elapsedMs = performance.now() - started;
    status(progressLine({ done, of: tasks.length, failed, elapsedMs, names }));
    reportToParent({ kind: "progress", done, of: tasks.length, names });
  };
  const choosing = (): void => status("choosing the variants of the sample");
  const waitsFor = (us: number): void =>
    status(`${done} of ${tasks.length}, waiting ${inSeconds(us)} until the limits are unused`);
  const sources = tasks.map(({ source }) => source);
  const isFolded = tasks.length > MOST_LINES && !switches.has("verbose") && !switches.has("list");
  const isListedNow = isStreamed || tasks.length > MOST_LINES;
  const list = isListedNow ? out : (line: string) => void scenarioLines.push(line);
  const watch = { underWay, choosing, waitsFor, stop, notice: err };
  for await (const played of players.run(sources, watch)) {
    if (played.problem !== null) {
      err(played.problem);
      return EXIT.usage;
    }
    const { id } = tasks[done]!;
    const scenarioResults = played.results;
    results.push(...scenarioResults);
    digests.push(...played.digests);
    tookMs.push(...played.tookMs);
    if (played.part !== null) parts.push(played.part);
    virtualUs += scenarioResults.reduce((total, result) => total + result.virtualUs, 0);
    unreachable = played.unreachable ?? null;
    if (unreachable !== null && results.length === 0) {
      status("");
      return reportNotRun([unreachable], EXIT.unreachable, settings, ending, warnings, terminal);
    }
    if (unreachable !== null) break;
    done += 1;
    const areGood = scenarioResults.every(isGood);
    if (!areGood) failed += 1;
    if (isPlain && !isFolded && scenarioResults.length > 0)
      list(scenarioLine(id, scenarioResults, paint));
    if (!areGood && switches.has("bail")) break;
  }
  if (!switches.has("quiet")) for (const line of unshownLines(warnings)) err(line);
  const speed = speedUp(virtualUs, performance.now() - started);
  if (unreachable !== null) err(unreachable);
  const remaining = tasks.length - done;
  if (remaining > 0)
    err(
      `${isWanted() ? "interrupted" : "stopped"}: ${done} of ${many(tasks.length, "scenario")} ran`,
    );
  const drift =
    reference === null || remaining > 0
      ? null
      : compareWithReference(reference, results, digests, { seed, isWhole });
  if (isFailure(drift)) err(drift.message);
  else if (drift?.doubt) err(oneLine(drift.doubt));
  const proven = withoutUnproven(results);
  const inconclusive = known === null || remaining > 0 ? null : compareOrAdd(known, proven);
  if (isFailure(inconclusive)) err(inconclusive.message);
  const reported = {
    seed,
    results: proven,
    tookMs,
    isComplete: remaining === 0,
    isWhole: isSpecified,
    isFolded,
    scenarioLines,
    isListed: isListedNow && !isFolded,
    speed,
    warnings: warnings.lines,
    drift: isFailure(drift) ? null : drift,
    inconclusive: isFailure(inconclusive) ? null : inconclusive,
  };
  const exit = report(terminal, switches, reported);
  const isSaved = saveOutputs(elsewhere, reported, terminal);
  const isPageSaved =
    html === null ||
    (await (
      await import("./html-report.node.ts")
    ).saveReport(
      html,
      {
        seed,
        startedAt,
        isComplete: remaining === 0,
        faults: problemsOfRun(reported),
        warnings: warnings.lines,
        scenarios: answerParts(parts, proven),
      },
      switches.has("open"),
      terminal,
    ));
  if (html !== null && isPageSaved) reportToParent({ kind: "drawn" });
  if (isWanted()) return EXIT.interrupted;
  if (unreachable !== null) return EXIT.unreachable;
  const isWritten = !isFailure(drift) && !isFailure(inconclusive) && isSaved && isPageSaved;
  return exit === EXIT.passed && !isWritten ? EXIT.usage : exit;
}
