import { existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import {
  microsToSeconds,
  formatDuration,
  micros,
  MILLISECOND,
  parseDuration,
  secondsToMicros,
  type Micros,
} from "../kit/units.ts";
import type { WorstCaseQuestion } from "../studies/worst/question.ts";
import { computeByThreads } from "../studies/worst/compute-pieces.node.ts";
import { findWorstCase, type WorstCase } from "../studies/worst/worst.ts";
import { isFailure, Failure } from "../kit/reading/failure.ts";
import { commandOf } from "../kit/command-line.ts";
import { addAnswer } from "../show/answers/answer.ts";
import { answerWorst } from "../show/answers/worst.ts";
import { buildWorst } from "../studies/worst/result.ts";
import { printAnswer } from "./answer-text.ts";
import type { ShareOut } from "../kit/pool.node.ts";
import { type Action, type Arguments, BALANCERS } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { interruption } from "./interruption.node.ts";
import { createFolder, whyUnwritable } from "../kit/reading/folder.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { withQueue } from "./queue-option.node.ts";
import { reportProblems, type Terminal } from "./terminal.ts";
import { worstOfConfig } from "./worst-config.node.ts";
import { whyUnreadable } from "../kit/reading/text-file.node.ts";
import { ALGORITHMS, TRAITS, type Algorithm } from "../limiter/core/algorithms.ts";
import { hasAtMostSixDecimals } from "../limiter/core/limit.ts";
import { nearest } from "../kit/reading/problems.ts";

/** Work that an ordinary machine does per second, in units of the search. */
const UNITS_A_SECOND = 2_000;

export const worstCase: Action = async (args, terminal, refuse) => {
  const { values } = args;
  if (values.has("config")) return worstOfConfig(args, terminal, refuse);
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const question = questionOf(values);
  if (isFailure(question)) return refuse(question.message);
  const budgetUs = budgetOf(values);
  if (isFailure(budgetUs)) return refuse(budgetUs.message);
  const file = values.get("out");
  if (file !== undefined && existsSync(file)) {
    reportProblems(terminal, "worst", [`${file} already exists; choose another file`]);
    return EXIT.usage;
  }
  const unwritable = whyUnwritable(file);
  if (unwritable !== null) return refuse(unwritable);

  const units = UNITS_A_SECOND * microsToSeconds(budgetUs);
  const search = async (share: ShareOut): Promise<ExitCode> => {
    const answer = await findWorstCase(question, {
      seed,
      units,
      progress: (patterns, most) =>
        terminal.status(`${patterns} patterns, ${most} in a window so far`),
      compute: computeByThreads({ question, seed, units }, interruption().stop, share),
    });
    if (answer === "stopped") return EXIT.interrupted;
    if (isFailure(answer)) return refuse(answer.message);
    return printWorstCase({ question, seed }, answer, args, terminal);
  };
  return withQueue(args, terminal, refuse, search, "workers"); // here --queue is the length of a leaky bucket's queue
};

interface SeededQuestion {
  readonly question: WorstCaseQuestion;
  readonly seed: number;
}

function printWorstCase(
  { question, seed }: SeededQuestion,
  found: WorstCase,
  { switches, values }: Arguments,
  { out, err, paint, tableColumns }: Terminal,
): ExitCode {
  const { comparison, text } = found;
  const document = addAnswer(buildWorst(question, seed, found), answerWorst);
  const file = values.get("out");
  const fault = file === undefined ? null : writeScenario(file, text);
  const isBad = comparison === "passed";
  if (switches.has("json")) out(JSON.stringify(document, null, 2));
  else if (file === undefined || fault !== null) {
    // Comments, so that stdout is the answer and a scenario at once.
    const comment = (line: string): void => out(`# ${line}`.trimEnd());
    printAnswer(document.answer, { out: comment, paint, tableColumns: tableColumns - 2 });
    out(text.trimEnd());
  } else {
    printAnswer(document.answer, { out, paint, tableColumns });
    out(`wrote ${file}; run it: ${commandOf(["run", file])}`);
  }
  // A search can take minutes, so its result is printed if the file cannot be written.
  if (fault !== null) err(`${fault}; the scenario is printed instead`);
  if (isBad) return EXIT.failed;
  return fault === null ? EXIT.passed : EXIT.usage;
}

function writeScenario(file: string, text: string): string | null {
  const noFolder = createFolder(dirname(file));
  if (noFolder !== null) return noFolder;
  try {
    writeFileSync(file, text, { flag: "wx" });
    return null;
  } catch (error) {
    return `${file}: ${whyUnreadable(error)}`;
  }
}

const MOST_RATE = 10_000; // per window; patterns send several times the rate
const MOST_GATEWAYS = 100;
const MOST_IN_FLIGHT = 100_000;
/** Maximum store latency: gateways would treat a slower store as unreachable (store_timeout). */
const SLOWEST_STORE_US = micros(40 * MILLISECOND);

export function questionOf(values: Arguments["values"]): WorstCaseQuestion | Failure {
  const problems: string[] = [];
  /** Returns the value of a flag, or the default if the flag is unset or invalid. Adds a problem if it is invalid. */
  const option = <T>(
    name: string,
    without: T,
    read: (typed: string) => T | null,
    wanted: string,
    suggestion = "",
  ): T => {
    const typed = values.get(name);
    if (typed === undefined) return without;
    const value = read(typed);
    if (value === null) problems.push(`--${name} must be ${wanted}; got "${typed}"${suggestion}`);
    return value ?? without;
  };
  const word = (name: string, words: readonly string[]): string =>
    option(
      name,
      words[0]!,
      (typed) => (words.includes(typed) ? typed : null),
      `one of ${words.join(", ")}`,
      suggestionFor(values.get(name), words),
    );

  for (const name of ["algorithm", "rate", "per"])
    if (!values.has(name)) problems.push(`--${name} is needed: ${NEEDED[name]}`);
  const algorithm = algorithmOf(values.get("algorithm") ?? ALGORITHMS[0]);
  if (algorithm === null) problems.push(unknownAlgorithm(values.get("algorithm")!));
  const rate = option("rate", 1, rateIn, RATE_WORDS);
  const storeUs = option("store-latency", micros(0), storeIn, STORE_WORDS);
  const question: WorstCaseQuestion = {
    id: option("out", `regressions/worst-${algorithm?.replaceAll("_", "-")}`, idIn, OUT_WORDS),
    algorithm: algorithm ?? ALGORITHMS[0],
    rate,
    perUs: option(
      "per",
      micros(1),
      perIn,
      "above 0 and at most 30 days, such as 1s, 250ms or a number of seconds",
    ),
    burst: option<number | "rate">(
      "burst",
      1,
      (typed) => (typed === "rate" ? typed : wholeIn(1, MOST_RATE)(typed)),
      `an integer from 1 to ${MOST_RATE}, or rate`,
    ),
    queue: option<number | "rate">(
      "queue",
      "rate",
      (typed) => (typed === "rate" ? typed : wholeIn(0, MOST_RATE)(typed)),
      `an integer from 0 to ${MOST_RATE}, or rate`,
    ),
    fixedWindowStart:
      word("fixed-window-start", ["first_request", "clock"]) === "clock"
        ? "clock"
        : "first_request",
    level: word("level", ["key", "api"]) === "api" ? "api" : "key",
    nodes: option("nodes", 1, wholeIn(1, MOST_GATEWAYS), `an integer from 1 to ${MOST_GATEWAYS}`),
    balancer: word("balancer", BALANCERS),
    weights: option("weights", [], listOf(numberIn), "numbers of at least 0, such as 8,1,1"),
    skewUs: option("skew", [], listOf(skewIn), "durations, such as 0s,20ms,-5ms"),
    storeUs,
    inFlight:
      storeUs === 0
        ? Number.POSITIVE_INFINITY
        : option(
            "in-flight",
            2 * Math.floor(rate),
            wholeIn(1, MOST_IN_FLIGHT),
            `an integer from 1 to ${MOST_IN_FLIGHT}`,
          ),
  };
  const problem = problems.length > 0 ? problems.join("; ") : contradiction(question, values);
  return problem === null ? question : new Failure(problem);
}

/** The time limit of the search. */
export function budgetOf(values: Arguments["values"]): Micros | Failure {
  const typed = values.get("search-time") ?? "10s";
  const us = parseDuration(typed);
  return us !== null && us > 0 && us <= MOST_BUDGET_US
    ? us
    : new Failure(
        `--search-time must be above 0 and at most ${formatDuration(MOST_BUDGET_US)}, such as 10s; got "${typed}"`,
      );
}

const MOST_BUDGET_US = secondsToMicros(600);

const NEEDED: Readonly<Record<string, string>> = {
  algorithm: `one of ${ALGORITHMS.join(", ")}`,
  rate: "how many requests a window admits",
  per: "how long a window is, such as 1s",
};

const OPTION_FLAGS = [
  ["burst", "burst"],
  ["queue", "queue"],
  ["fixed-window-start", "fixedWindowStart"],
] as const;

const readersOf = (option: (typeof OPTION_FLAGS)[number][1]): string =>
  ALGORITHMS.filter((name) => TRAITS[name].options.includes(option)).join(", ");

/** Returns the problem if two flags contradict each other, else null. */
function contradiction(question: WorstCaseQuestion, values: Arguments["values"]): string | null {
  const { algorithm, storeUs, nodes } = question;
  if (values.has("in-flight") && storeUs === 0)
    return "--in-flight needs --store-latency: without latency no requests overlap";
  for (const [flag, option] of OPTION_FLAGS)
    if (values.has(flag) && !TRAITS[algorithm].options.includes(option))
      return `--${flag} is only for ${readersOf(option)}; the algorithm is ${algorithm}`;
  if (question.skewUs.length > nodes)
    return `--skew names ${question.skewUs.length} clocks, more than there are gateways (--nodes ${nodes})`;
  if (question.balancer === "weighted" && question.weights.length !== nodes)
    return `--balancer weighted needs --weights with one number for each of the ${nodes} gateways (--nodes)`;
  if (question.balancer !== "weighted" && values.has("weights"))
    return "--weights is for --balancer weighted";
  return null;
}

/** Hyphens are read as underscores, as in a scenario. */
const algorithmOf = (typed: string): Algorithm | null =>
  ALGORITHMS.find((name) => name === typed.replaceAll("-", "_")) ?? null;

const unknownAlgorithm = (typed: string): string =>
  `there is no algorithm "${typed}"${suggestionFor(typed.replaceAll("-", "_"), ALGORITHMS) || `: there are ${ALGORITHMS.join(", ")}`}`;

function suggestionFor(typed: string | undefined, names: readonly string[]): string {
  const near = typed === undefined ? null : nearest(typed, names);
  return near === null || near === typed ? "" : `; did you mean ${near}?`;
}

const RATE_WORDS = `a number from 1 to ${MOST_RATE} with at most six decimals (below 1 nothing is ever admitted)`;

function rateIn(typed: string): number | null {
  const rate = numberIn(typed);
  return rate !== null && rate >= 1 && rate <= MOST_RATE && hasAtMostSixDecimals(rate)
    ? rate
    : null;
}

function numberIn(typed: string): number | null {
  return /^\d+(\.\d+)?$/.test(typed) ? Number(typed) : null;
}

const wholeIn =
  (from: number, to: number) =>
  (typed: string): number | null => {
    const value = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
    return value >= from && value <= to ? value : null;
  };

/** The longest window. A pattern lasts several windows, and a scenario may last a year. */
const LONGEST_PER_US = secondsToMicros(30 * 24 * 3600);

function perIn(typed: string): Micros | null {
  const seconds = numberIn(typed);
  const us = seconds === null ? parseDuration(typed) : secondsToMicros(seconds);
  return us !== null && us > 0 && us <= LONGEST_PER_US ? us : null;
}

const STORE_WORDS = `a duration of at most ${formatDuration(SLOWEST_STORE_US)} (a slower store counts as unreachable)`;

function storeIn(typed: string): Micros | null {
  const us = parseDuration(typed);
  return us !== null && us <= SLOWEST_STORE_US ? us : null;
}

function skewIn(typed: string): Micros | null {
  const us = parseDuration(typed.replace(/^-/, ""));
  return us === null ? null : micros(us * (typed.startsWith("-") ? -1 : 1));
}

const listOf =
  <T>(read: (typed: string) => T | null) =>
  (typed: string): readonly T[] | null => {
    const values = typed.split(",").map((part) => read(part.trim()));
    return values.every((value) => value !== null) ? values : null;
  };

const OUT_WORDS =
  "FOLDER/NAME.yaml in small letters, such as scenarios/regressions/worst.yaml, because the id follows from it";

/** Returns the scenario id that a file's path results in; null if the path results in no valid id. */
function idIn(file: string): string | null {
  const [name = "", folder = "regressions"] = file.replaceAll("\\", "/").split("/").toReversed();
  const id = `${folder}/${name.replace(/\.yaml$/, "")}`;
  return name.endsWith(".yaml") && /^[a-z0-9-]+\/[a-z0-9-]+$/.test(id) ? id : null;
}
