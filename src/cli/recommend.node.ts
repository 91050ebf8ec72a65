// Recommends limits for the traffic in access logs: the smallest rates that refuse almost none of it.
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { many, oneLine } from "../kit/reading/legible.ts";
import { readText, whyUnreadable } from "../kit/reading/text-file.node.ts";
import {
  recommend as recommendLimits,
  type RecommendQuestion,
} from "../studies/recommend/recommend.ts";
import type { OmittedClients, Recommendation } from "../studies/recommend/recommendation.ts";
import { omitOutliers } from "../studies/recommend/shipped.ts";
import { buildRecommendation, clientName } from "../studies/recommend/result.ts";
import { cutText, recommendationText } from "../studies/recommend/text.ts";
import { addAnswer } from "../show/answers/answer.ts";
import { answerRecommend } from "../show/answers/recommend.ts";
import { recommendCharts } from "../show/log-pages/recommend-charts.ts";
import { recommendPart } from "../show/log-pages/recommend-part.ts";
import { commandLine, shellWord } from "../kit/command-line.ts";
import { readTraffic } from "../studies/recommend/read-traffic.node.ts";
import { MOST_REQUESTS } from "../studies/recommend/traffic.ts";
import type { ReadingOutcome } from "../studies/replay/replay-logs.node.ts";
import { logOf } from "../studies/replay/result.ts";
import { printAnswer } from "./answer-text.ts";
import { countIn, shareIn, type Action, type Arguments } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { pageProblem, removeFiles } from "./html-option.node.ts";
import { interruption } from "./interruption.node.ts";
import { problemsOfLog } from "./log-problems.ts";
import { writePage } from "./page-file.node.ts";
import { codeOfUnread, sourcesOf } from "./log-sources.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import {
  listShippable,
  whyUnusable,
  writeFiles,
  type FileReport,
  type WantedTargets,
} from "./recommend-files.node.ts";
import { TRANSLATED_NAMES } from "./recommend-targets.ts";
import { recommendChange } from "./recommend-change.node.ts";
import { renamer } from "./renamer.node.ts";
import type { Micros } from "../kit/units.ts";
import { NameTable } from "../studies/replay/names.ts";
import type { LogQuestion } from "../studies/replay/requests.ts";
import { parseKey } from "../studies/replay/selectors.ts";
import type { RefusalTarget } from "../studies/recommend/search.ts";
import {
  burstIn,
  conditionsIn,
  formatNamed,
  limitersIn,
  notAWindow,
  windowIn,
  zoneIn,
} from "./replay-question.ts";

export const recommend: Action = async (args, terminal, refuse) => {
  const { operands, switches, values, lists } = args;
  if (values.has("config")) return recommendChange(args, terminal, refuse);
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const sources = sourcesOf(args);
  const wanted = recommendQuestion(args, seed);
  if (isFailure(wanted))
    return refuse(isFailure(sources) ? `${sources.message}; ${wanted.message}` : wanted.message);
  if (switches.has("with-outliers") && switches.has("without-outliers"))
    return refuse("--with-outliers and --without-outliers contradict each other; remove one");
  const { logs, question } = wanted;
  const folder = values.get("out");
  const targets = targetsIn(args);
  if (isFailure(targets)) return refuse(targets.message);
  const page = values.get("html");
  const pageless =
    page === undefined ? null : pageProblem(page, [...operands, values.get("bad-clients")]);
  if (pageless !== null) return refuse(pageless);
  const unusable = folder === undefined ? null : whyUnusable(folder);
  if (unusable !== null) return refuse(unusable);
  if (isFailure(sources)) return refuse(sources.message);
  const notRemoved = page === undefined ? null : removeFiles(page);
  if (notRemoved !== null) return refuse(notRemoved);
  const { stop, isWanted, release } = interruption();
  const interruptions: string[] = [];
  const badFile = values.get("bad-clients");
  const badNames = badFile === undefined ? null : readText(badFile);
  if (isFailure(badNames)) return refuse(`--bad-clients ${badNames.message}`);
  const listed = badNames === null ? null : clientsIn(badNames);
  if (listed?.size === 0)
    return refuse(`--bad-clients ${badFile} lists no client; write one on each line`);
  const outcome = await readTraffic(sources, logs, {
    isStopped: isWanted,
    stop,
    report: (lines) => terminal.status(`${lines.toLocaleString("en-US")} lines`),
  });
  terminal.status("");
  // Closes stdin, because a pending read would keep the process alive.
  if (isWanted() && operands.includes("-")) process.stdin.destroy();
  const report = (problem: string): void => terminal.err(oneLine(`weir recommend: ${problem}`));
  if (isFailure(outcome)) {
    for (const problem of outcome.problems) report(problem);
    return codeOfUnread(outcome, isWanted());
  }
  const { traffic, isWholeSeconds } = outcome;
  if (traffic.isFull) {
    report(
      `the logs have more than ${MOST_REQUESTS.toLocaleString("en-US")} requests, and a search has all of them in memory; name fewer logs, or select requests by --where`,
    );
    return EXIT.usage;
  }
  const isAnonymous = switches.has("anonymise");
  const shownName = isAnonymous ? renamer() : clientName;
  const problems = [...problemsOf(outcome, isAnonymous)];
  if (traffic.requests === 0) {
    for (const problem of problems.length > 0 ? problems : [whyNone(outcome, lists)])
      report(problem);
    return isWanted() ? EXIT.interrupted : EXIT.usage;
  }
  // Reading and search can each be interrupted: the search uses the lines read so far, and returns what it has found.
  release();
  const search = interruption();
  if (isWanted()) {
    report("interrupted; the search has begun, and Ctrl-C interrupts it too");
    interruptions.push("interrupted; the result has only the lines that were read until then");
  }
  const { names } = logs.clients;
  const warnings: string[] = [];
  if (listed !== null) {
    traffic.badClients = Uint8Array.from(names, (name) => Number(listed.has(clientName(name))));
    warnings.push(...whyUnlisted(badFile!, listed.size, traffic.badClients));
  }
  const searchLimits = (leftOut?: OmittedClients): Promise<Recommendation> =>
    recommendLimits(traffic, names, isWholeSeconds, {
      ...question,
      keepsOutliers: switches.has("with-outliers"),
      ...(leftOut === undefined ? {} : { leftOut }),
      isWanted: async (done, of) => {
        terminal.status(`searching rates, ${done} of ${of}`);
        await new Promise((resolve) => void setImmediate(resolve)); // lets signals arrive
        return !search.isWanted();
      },
    });
  let recommendation = await searchLimits();
  if (switches.has("without-outliers") && recommendation.cut === null) {
    const leftOut = omitOutliers(recommendation);
    if (leftOut.clients.size > 0) recommendation = await searchLimits(leftOut);
    else
      warnings.push(
        `--without-outliers left out no client: no few clients alone raise ${recommendation.advice.length > 1 ? "any of the limits" : "the limit"}`,
      );
  }
  terminal.status("");
  search.release();
  const { cut } = recommendation;
  if (cut?.searched === 0) {
    report("interrupted before a candidate was searched; there is no result");
    return EXIT.interrupted;
  }
  if (cut !== null) interruptions.push(`interrupted; ${cutText(cut)}`);
  if (recommendation.totals.requests === 0) {
    report("all requests are labelled as bad, so that no limit is needed for others; check --bad");
    return EXIT.usage;
  }
  if (lists.has("bad") && recommendation.badTotal === 0)
    warnings.push(
      `no request matches --bad ${lists.get("bad")!.map(shellWord).join(" and --bad ")}`,
    );
  const { choice } = recommendation;
  let written: readonly FileReport[] = [];
  if (folder !== undefined && choice !== null)
    try {
      written = await writeFiles(folder, targets, logs.key, recommendation, shownName);
    } catch (error) {
      problems.push(`--out ${folder}: ${whyUnreadable(error)}; its files are not complete`);
    }
  const facts = {
    canShipTo: choice === null ? [] : await listShippable(logs.key, recommendation),
    written,
    ...outcome,
    key: values.get("key") ?? "ip",
    names,
    isAnonymous,
    shownName,
    isInterrupted: isWanted(),
  };
  const result = addAnswer(buildRecommendation(recommendation, facts), answerRecommend);
  if (switches.has("json")) terminal.out(JSON.stringify(result, null, 2));
  else {
    printAnswer(result.answer, terminal);
    for (const line of recommendationText(result, terminal.paint, {
      width: terminal.tableColumns,
      hasLegend: switches.has("legend"),
    }))
      terminal.out(line);
  }
  for (const skipped of outcome.skipped)
    if (!outcome.unread.includes(skipped)) terminal.err(oneLine(`skipped ${skipped}`));
  for (const warning of warnings) report(`warning: ${warning}`);
  for (const problem of problems) report(problem);
  if (page !== undefined) {
    const charts = recommendCharts(recommendation, traffic, isWholeSeconds, seed, shownName);
    const doubts = [...interruptions, ...warnings, ...problems];
    const part = recommendPart(result, charts, doubts, process.argv.slice(2));
    const content = { run: null, measured: [part] };
    if (!(await writePage(page, content, false, terminal))) return EXIT.usage;
  }
  for (const interrupted of interruptions) report(interrupted);
  if (interruptions.length > 0) return EXIT.interrupted;
  if (problems.length > 0) return EXIT.usage;
  return result.choice === null ? EXIT.failed : EXIT.passed;
};

const clientsIn = (text: string): ReadonlySet<string> =>
  new Set(text.split("\n").flatMap((line) => line.trim() || []));

/** Warns of listed clients that are not in the logs: some are of other logs, or all were listed by another --key. */
function whyUnlisted(file: string, listed: number, isBad: Uint8Array): readonly string[] {
  const found = isBad.reduce((sum, each) => sum + each, 0);
  if (found >= listed) return [];
  return found === 0
    ? [
        `no client in ${file} sent a request of the logs, so that none is bad; write clients as --key has them`,
      ]
    : [`only ${found} of the ${many(listed, "client")} in ${file} sent a request of the logs`];
}

function targetsIn({ values, switches }: Arguments): WantedTargets | Failure {
  const typed = values.get("to");
  const isComplete = switches.has("complete");
  if (typed === undefined)
    return isComplete
      ? new Failure("--complete is about the configurations of --to, such as --to nginx")
      : { targets: [], isComplete };
  if (!values.has("out")) return new Failure("--to writes files into a folder; add --out found");
  const targets = typed.split(",").map((each) => each.trim());
  const unknown = targets.find((each) => !TRANSLATED_NAMES.includes(each));
  return unknown === undefined
    ? { targets: [...new Set(targets)], isComplete }
    : new Failure(`--to: there is no "${unknown}"; there are ${TRANSLATED_NAMES.join(", ")}`);
}

const problemsOf = (
  { files, unread, cut }: ReadingOutcome,
  isAnonymous: boolean,
): readonly string[] => [
  ...unread.map((problem) => `${problem}. The result is without this file`),
  ...files.flatMap((file) => problemsOfLog(logOf(file, cut, isAnonymous))),
];

function whyNone({ files }: ReadingOutcome, lists: ReadonlyMap<string, readonly string[]>): string {
  const withoutKey = files.reduce((sum, file) => sum + file.withoutKey, 0);
  return withoutKey > 0
    ? `no request has the key: all ${withoutKey} are without it; choose another --key, such as header:NAME or field:NAME`
    : `no request is left; check ${lists.has("where") ? "--where" : "the log"}`;
}

const USUAL_TARGET: RefusalTarget = { requests: 0.001, clients: 0.01 };
const USUAL_TOP = 5;
const MOST_TOP = 100;
const MOST_CANDIDATES = 50;
const EXAMPLE = "such as 1m, or 1s,1m,1h";

export interface RecommendArguments {
  readonly logs: LogQuestion;
  readonly question: RecommendQuestion;
}

export function recommendQuestion(
  { values, lists }: Arguments,
  seed: number,
): RecommendArguments | Failure {
  const windows = windowsIn(values.get("per"));
  if (isFailure(windows)) return windows;
  const requests = shareIn(values, "refuse-at-most", USUAL_TARGET.requests);
  if (isFailure(requests)) return requests;
  const burst = burstIn(values.get("burst"));
  if (isFailure(burst)) return burst;
  const rules = limitersIn(values, burst);
  if (isFailure(rules)) return rules;
  const dependent = rules.find(({ options }) => options.imitation?.keys != null);
  if (dependent !== undefined)
    return new Failure(
      `--profile ${dependent.by.name} drops budgets if there are many clients, so recommend cannot decide each client alone; compare rates with ${commandLine("replay --limit")}`,
    );
  if (rules.length * windows.length > MOST_CANDIDATES)
    return new Failure(
      `${many(windows.length, "window")} and ${many(rules.length, "algorithm")} are ${rules.length * windows.length} candidates; at most ${MOST_CANDIDATES} are searched at once`,
    );
  const key = parseKey(values.get("key") ?? "ip");
  if (isFailure(key)) return new Failure(`--key: ${key.message}`);
  // If all requests belong to one client, the first refusal affects 100 % of clients, so the default target is 100 %.
  const usualClients = key.length === 0 ? 1 : USUAL_TARGET.clients;
  const clients = shareIn(values, "clients-at-most", usualClients);
  if (isFailure(clients)) return clients;
  const conditions = conditionsIn(lists, "where");
  if (isFailure(conditions)) return conditions;
  const labels = conditionsIn(lists, "bad");
  if (isFailure(labels)) return labels;
  const format = formatNamed(values.get("format"));
  if (isFailure(format)) return format;
  const zoneUs = zoneIn(values);
  if (isFailure(zoneUs)) return zoneUs;
  const top = countIn(values, "top", MOST_TOP);
  if (isFailure(top)) return top;
  return {
    logs: { key, conditions, labels, clients: new NameTable(), targets: null, format, zoneUs },
    question: { rules, windows, target: { requests, clients }, seed, top: top ?? USUAL_TOP },
  };
}

function windowsIn(typed: string | undefined): readonly Micros[] | Failure {
  if (typed === undefined) return new Failure(`--per is needed, ${EXAMPLE}`);
  const windows: Micros[] = [];
  for (const part of typed.split(",")) {
    const perUs = windowIn(part.trim());
    if (perUs === null) return notAWindow("per", part, EXAMPLE);
    if (windows.includes(perUs)) return new Failure(`--per has ${part} twice; remove one`);
    windows.push(perUs);
  }
  return windows;
}
