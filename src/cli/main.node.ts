// Runs the command line: finds the command and parses its arguments.
import module from "node:module";
import { setFlagsFromString } from "node:v8";
import { commandLine } from "../kit/command-line.ts";
import { isFailure } from "../kit/reading/failure.ts";
import { nearest } from "../kit/reading/problems.ts";
import { ACTIONS } from "./actions.node.ts";
import { hasOption, type Arguments, type Command, JSON_OUT } from "./arguments.ts";
import { COMMANDS } from "./commands.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { problemDocument } from "./problem-document.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { questionsText } from "./first-steps.ts";
import { parseArguments } from "./parse-arguments.node.ts";
import type { OwnTerminal } from "./terminal.node.ts";
import { catchSignals } from "./signals.node.ts";
import { reportProblems, type Terminal } from "./terminal.ts";
import { oneLine } from "../kit/reading/legible.ts";
import { holdYoungSpace, keepRequestsYoung } from "../gateway/http/young.node.ts";
import { withoutSecret } from "../limiter/store/redis-address.ts";
import { versionOfWeir } from "./version.node.ts";

/** Prepares the process for a command. Tests run many commands in one process, so they do not prepare it. */
type Prepare = (isLong: boolean) => void;

function refuse(screen: Terminal, sentence: string, command?: Command): ExitCode {
  if (command === undefined) screen.err(`weir: ${oneLine(sentence)}`);
  else reportProblems(screen, command.name, [sentence]);
  screen.err(
    command === undefined
      ? `${commandLine("--help")} lists the commands`
      : `${commandLine(`${command.name} --help`)} lists its flags`,
  );
  return EXIT.usage;
}

const commandNamed = (name: string): Command | undefined =>
  COMMANDS.find((command) => command.name === name);

/** Names that other tools use for the same commands. */
const NAMES_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["init", "new"],
  ["create", "new"],
  ["add", "new"],
  ["start", "serve"],
  ["server", "serve"],
  ["up", "serve"],
  ["test", "run"],
  ["validate", "check"],
  ["benchmark", "bench"],
  ["analyze", "replay"],
  ["suggest", "recommend"],
  ["simulate", "try"],
  ["why", "explain"],
  ["docs", "site"],
  ["playground", "site"],
]);

/** Its first example, in the way Weir was started. */
const exampleOf = ({ examples }: Command): string =>
  commandLine(examples[0]![0].replace(/^weir /, ""));

function refuseCommand(screen: Terminal, name: string): ExitCode {
  const names = COMMANDS.map((command) => command.name);
  const same = commandNamed(NAMES_ELSEWHERE.get(name) ?? "");
  const near = nearest(name, names);
  const what = name.startsWith("-") ? "flag" : "command";
  const advice =
    same !== undefined
      ? `; to ${same.summary}: ${exampleOf(same)}`
      : near === null
        ? ""
        : `; did you mean ${near}?`;
  return refuse(screen, `there is no ${what} ${name}${advice}`);
}

async function main(
  args: readonly string[],
  screen: OwnTerminal,
  prepare: Prepare,
): Promise<ExitCode> {
  const [first, ...rest] = args;
  const again = (other: readonly string[]) => main(other, screen, prepare);
  // A missing command is wrong usage: a script that forgot it gets exit code 2, and nothing on stdout.
  if (first === undefined) {
    screen.err(questionsText(screen.columns));
    return EXIT.usage;
  }
  if (first === "--version" || first === "-V" || first === "-v") return again(["version"]);
  if (first === "--no-color") return again(rest);
  if (first === "help" || first === "--help" || first === "-h") {
    const [about] = rest;
    if (about === undefined) screen.out(generalHelp(screen.columns));
    else return again([about, "--help"]);
    return EXIT.passed;
  }
  const command = commandNamed(first);
  if (command === undefined) return refuseCommand(screen, first);
  const { name } = command;
  const parsed = parseArguments(command, rest);
  if (isFailure(parsed)) {
    if (command.options.includes(JSON_OUT) && rest.includes(`--${JSON_OUT.name}`))
      screen.out(jsonText(problemDocument(name, EXIT.usage, [parsed.message]), goesOn(rest)));
    return refuse(screen, parsed.message, command);
  }
  if (parsed.switches.has("help")) {
    screen.out(commandHelp(command, screen.columns));
    return EXIT.passed;
  }
  const load = ACTIONS[command.name];
  if (load === undefined) throw new Error(`${command.name} has no action`);
  // These calls must come before the gateway's modules are loaded. Worker processes of a gateway start here as well.
  if (command.name === "serve") {
    keepRequestsYoung();
    holdYoungSpace();
    catchSignals();
  }
  prepare(takesLong(command, parsed));
  if (writesFiles(command, parsed)) screen.goOnUnread();
  const action = await load();
  if (!parsed.switches.has("json"))
    return action(parsed, screen, (sentence) => refuse(screen, sentence, command));
  const { terminal: watched, captured } = captureOutput(screen);
  const code = await action(parsed, watched, (sentence) => refuse(watched, sentence, command));
  const isOneLine = goesOn(rest);
  // Users end a command that repeats runs with Ctrl-C, so an interruption is no problem to report.
  if (code !== EXIT.passed && !captured.hasOut && !(isOneLine && code === EXIT.interrupted))
    screen.out(jsonText(problemDocument(name, code, captured.lines), isOneLine));
  return code;
}

/** Whether `weir run` starts runs in child processes, after each change or while it serves their report. */
const goesOn = (args: readonly string[]): boolean =>
  args.some((arg) => /^--(?:watch|serve)(?:=|$)/.test(arg));

interface CapturedOutput {
  hasOut: boolean;
  readonly lines: string[]; // lines that were written to stderr
}

/** A terminal that also records its output. */
function captureOutput(own: Terminal): {
  readonly terminal: Terminal;
  readonly captured: CapturedOutput;
} {
  const captured: CapturedOutput = { hasOut: false, lines: [] };
  const watched: Terminal = Object.create(own, {
    out: {
      value: (line: string) => {
        captured.hasOut = true;
        own.out(line);
      },
    },
    err: {
      value: (line: string) => {
        captured.lines.push(line);
        own.err(line);
      },
    },
  }) as Terminal;
  return { terminal: watched, captured };
}

/** On one line if the command repeats runs (`run --watch`), because readers then separate documents by lines. */
const jsonText = (document: object, isOneLine: boolean): string =>
  isOneLine ? JSON.stringify(document) : JSON.stringify(document, null, 2);

/** Commands that run for long enough that optimized compilation pays off. */
const takesLong = ({ name }: Command, { values }: Arguments): boolean =>
  LONG.has(name) || values.has("swarm");

const LONG: ReadonlySet<string> = new Set([
  "serve",
  "mutants",
  "replay",
  "recommend",
  "worst",
  "pareto",
]);

/** Whether the command saves files, so that it continues if the reader of its output stops (`| head`). */
const writesFiles = ({ name }: Command, args: Arguments): boolean =>
  name === "bench" ||
  (args.values.has("swarm") && !args.switches.has("no-save")) ||
  FILES.some((option) => hasOption(args, option));

const FILES = ["write", "html", "out", "history", "resume"];

/**
 * Most commands end before V8's last compiler has paid for itself, so only very hot code is given to it. The flag is
 * set before the cache is enabled, because the cache contains only code that was compiled under the same flags.
 */
function prepareForWork(isLong: boolean): void {
  if (!isLong) setFlagsFromString("--efficiency-mode");
  module.enableCompileCache();
}

/** An error that arrives here is a bug in Weir, not a mistake of the user. */
function reportInternalError(error: unknown, args: readonly string[], screen: Terminal): ExitCode {
  const message = error instanceof Error ? error.message : String(error);
  screen.err(`weir: internal error (${versionOfWeir()}): ${message}`);
  screen.err(`weir: the command was: ${commandLine(args.map(withoutSecret).join(" "))}`);
  if (process.env["WEIR_DEBUG"] === undefined)
    screen.err("weir: set WEIR_DEBUG=1 to print the stack trace");
  else if (error instanceof Error) screen.err(error.stack ?? message);
  return EXIT.failed;
}

/** Runs a whole command, from its arguments to its exit code. */
export const weir = (
  args: readonly string[],
  screen: OwnTerminal,
  prepare: Prepare = prepareForWork,
): Promise<ExitCode> =>
  main(args, screen, prepare).catch((error: unknown) => reportInternalError(error, args, screen));
