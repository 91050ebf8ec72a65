// `--watch` runs the command again after every change, in a child process so that changed code is loaded too.
// `--serve` serves the report of the newest run.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import { runFolder } from "../studies/bench/run-folder.node.ts";
import { PROGRESS_SWITCH, TYPED, type LiveMessage } from "../show/page/live.ts";
import { startLiveServer, type LiveServer } from "../show/page/live-server.node.ts";
import { commandOf } from "../kit/command-line.ts";
import { isFailure, type Failure } from "../kit/reading/failure.ts";
import type { Arguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { problemDocument } from "./problem-document.ts";
import { openInBrowser } from "./html-option.node.ts";
import { DEFAULT_FOLDER, watchProblemsOf } from "../lab/run/scenario-files.node.ts";
import { portOf } from "./parse-arguments.node.ts";
import { withoutPassword } from "./store-option.node.ts";
import type { Terminal } from "./terminal.ts";
import { watchTree } from "./watch-tree.node.ts";

/** Files whose change starts a run. Files that a run itself writes, such as histories, are not among them. */
const CAUSE = /\.(?:ya?ml|csv|ts|js)$/;

/** A run starts this long after a change, because an editor may write a file in several steps. */
const QUIET_MS = 100;

export async function watch(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { operands, switches, values } = args;
  const paths = operands.length === 0 ? [DEFAULT_FOLDER] : operands;
  const problems = switches.has("watch") ? watchProblemsOf(paths) : [];
  for (const problem of problems) terminal.err(problem);
  if (problems.length > 0) return EXIT.usage;
  const ended = Promise.withResolvers<"end">();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => ended.resolve("end"));
  const port = values.get("serve");
  const show =
    port === undefined ? null : await startLiveReport(portOf("serve", port), args, terminal);
  if (typeof show === "number") return show;
  const folders = switches.has("watch") ? [...new Set(paths.map(folderOf))] : [];
  let changed = Promise.withResolvers<"changed">();
  const watchers = (folders.length === 0 ? [] : [...folders, ...codeFolders()]).map((folder) =>
    watchTree(folder, (path) => {
      if (CAUSE.test(path)) changed.resolve("changed");
    }),
  );
  try {
    for (;;) {
      changed = Promise.withResolvers();
      const run = startRun(args, show, terminal);
      const first = await Promise.race([ended.promise, changed.promise, run.done]);
      // A change ends the present run, because its result would be out of date.
      if (first === "end" || first === "changed") run.end();
      await run.done;
      if (first === "end") break;
      if (first !== "changed") {
        // Without a page to serve or files to watch, the command ends with the run.
        if (!first.isDrawn && watchers.length === 0) return first.code;
        terminal.err(describeWatch(folders, show));
        // If a signal and a change arrive together, the signal wins: it is first in the list.
        if ((await Promise.race([ended.promise, changed.promise])) === "end") break;
      }
      await setTimeout(QUIET_MS);
    }
  } finally {
    for (const watcher of watchers) watcher.close();
    await show?.stop();
  }
  return EXIT.interrupted;
}

/** The folders of Weir's code to watch: none in an installation, where code is not edited. */
function codeFolders(): readonly string[] {
  const code = join(import.meta.dirname, "..");
  return code.split(sep).includes("node_modules") ? [] : [code];
}

const describeWatch = (folders: readonly string[], show: LiveReport | null): string =>
  [
    ...(folders.length === 0 ? [] : [`watching ${folders.join(", ")}`]),
    ...(show === null ? [] : [`report at ${show.url}`]),
    "Ctrl-C ends",
  ].join("; ");

interface LiveReport extends LiveServer {
  readonly file: string; // where each run saves its page
}

async function startLiveReport(
  port: number | Failure,
  { values, switches }: Arguments,
  { err }: Terminal,
): Promise<LiveReport | ExitCode> {
  if (isFailure(port)) {
    err(port.message);
    return EXIT.usage;
  }
  let server: LiveServer;
  try {
    const command = commandOf(withoutPassword(process.argv.slice(2)));
    server = await startLiveServer(port, command);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "EADDRINUSE" ? "it is in use; --serve 0 takes any free port" : message;
    err(`--serve ${port}: ${why}`);
    return EXIT.usage;
  }
  const folder = runFolder();
  err(`report at ${server.url}`);
  // Not awaited, because the program that opens the browser may run until the browser is closed.
  if (switches.has("open"))
    void openInBrowser(server.url).then((fault) => (fault === null ? undefined : err(fault)));
  return {
    ...server,
    file: values.get("html") ?? join(folder, "report.html"),
    stop: async () => {
      rmSync(folder, { recursive: true, force: true });
      await server.stop();
    },
  };
}

interface EndOfRun {
  readonly code: ExitCode;
  readonly isDrawn: boolean; // whether the run has reported that its page is saved
}

interface OneRun {
  readonly done: Promise<EndOfRun>;
  readonly end: () => void;
}

function startRun(
  { values, switches }: Arguments,
  show: LiveReport | null,
  { out }: Terminal,
): OneRun {
  const [node, script, ...args] = process.argv;
  const page = show === null || values.has("html") ? [] : ["--html", show.file];
  const child = spawn(node!, [...process.execArgv, script!, ...withoutWatchFlags(args), ...page], {
    stdio: ["inherit", switches.has("json") ? "pipe" : "inherit", "inherit", "ipc"],
    env: {
      ...process.env,
      [TYPED]: JSON.stringify(args),
      ...(show === null ? {} : { [PROGRESS_SWITCH]: "yes" }),
    },
  });
  const done = Promise.withResolvers<EndOfRun>();
  child.once("error", done.reject);
  const isDrawn = show === null ? () => false : followRun(child, show);
  let json = "";
  child.stdout?.setEncoding("utf8").on("data", (part: string) => {
    json += part;
  });
  child.once("close", (code, signal) => {
    const exit = (code ?? EXIT.failed) as ExitCode;
    // A run that this process ended has no complete result.
    if (child.stdout !== null && !child.killed) out(jsonLine(json, exit, signal));
    done.resolve({ code: exit, isDrawn: isDrawn() });
  });
  return { done: done.promise, end: () => void child.kill() };
}

/** Formats the JSON result of a run on one line, or a problem if a crash left the result missing or incomplete. */
function jsonLine(text: string, code: ExitCode, signal: NodeJS.Signals | null): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
    const why = `the run ended ${how} without a result; stderr may have the reason`;
    return JSON.stringify(problemDocument("run", code, [why]));
  }
}

/** Removes `--watch`, `--serve` and `--open`, which apply only to the process that repeats runs. */
function withoutWatchFlags(args: readonly string[]): readonly string[] {
  const at = args.indexOf("--serve");
  return args.filter(
    (arg, index) =>
      !["--watch", "--serve", "--open"].includes(arg) &&
      !arg.startsWith("--serve=") &&
      (at < 0 || index !== at + 1),
  );
}

/** Shows the progress and the page of a run. The returned function reports whether the page is saved yet. */
function followRun(child: ChildProcess, show: LiveReport): () => boolean {
  let faults: readonly string[] = [];
  let isDrawn = false;
  show.update({ isRunning: true, progress: null });
  child.on("message", (message: LiveMessage) => {
    if (message.kind === "progress") show.update({ progress: message });
    else if (message.kind === "faults") faults = message.lines;
    else isDrawn = true;
  });
  child.once("close", (code, signal) => {
    if (child.killed) return; // this process ended the run, so the run's result is not shown
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
    if (isDrawn) show.show(readFileSync(show.file));
    else
      show.update({
        isRunning: false,
        faults: faults.length > 0 ? faults : [`it ended ${how}: stderr may have the reason`],
      });
  });
  return () => isDrawn;
}

/** Finds the nearest existing folder of a path: of a pattern, the folder before the first star. */
function folderOf(path: string): string {
  if (existsSync(path)) return statSync(path).isDirectory() ? path : dirname(path);
  return dirname(path) === path ? "." : folderOf(dirname(path));
}
