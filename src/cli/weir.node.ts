#!/usr/bin/env node
// The command line: which command, with which arguments. A command's own modules are loaded only when
// it runs, so that help is there at once.
import { enableCompileCache } from "node:module";
import { nearest } from "../core/problems.ts";
import type { Action, Command } from "./arguments.ts";
import { COMMANDS } from "./commands.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { parseArguments } from "./parse-arguments.node.ts";
import { isColoured, terminal } from "./terminal.node.ts";
import { version, versionOfWeir } from "./version.node.ts";

async function actionOf(name: string): Promise<Action> {
  switch (name) {
    case "run":
      return (await import("./run.node.ts")).run;
    case "check":
      return (await import("./check.node.ts")).check;
    case "explain":
      return (await import("./explain.node.ts")).explain;
    case "list":
      return (await import("./list.node.ts")).list;
    case "report":
      return (await import("./report.node.ts")).report;
    case "new":
      return (await import("./new.node.ts")).newScenario;
    case "schema":
      return (await import("./schema.node.ts")).schema;
    case "version":
      return version;
    default:
      throw new Error(`${name} has no action`);
  }
}

const args = process.argv.slice(2);
const screen = terminal(isColoured(args));

function refuse(sentence: string, command?: Command): ExitCode {
  screen.err(`weir: ${sentence}`);
  screen.err(`weir${command === undefined ? "" : ` ${command.name}`} --help tells what there is`);
  return EXIT.usage;
}

const commandNamed = (name: string): Command | undefined =>
  COMMANDS.find((command) => command.name === name);

function refuseCommand(name: string): ExitCode {
  const meant = nearest(
    name,
    COMMANDS.map((command) => command.name),
  );
  const what = name.startsWith("-") ? "option" : "command";
  return refuse(`there is no ${what} ${name}${meant === null ? "" : `; did you mean ${meant}?`}`);
}

async function main([first, ...rest]: readonly string[]): Promise<ExitCode> {
  if (first === undefined) {
    screen.err(generalHelp());
    return EXIT.usage;
  }
  if (first === "--version" || first === "-V") return main(["version"]);
  if (first === "--no-color") return main(rest);
  if (first === "help" || first === "--help" || first === "-h") {
    const [about] = rest;
    if (about === undefined) screen.out(generalHelp());
    else return main([about, "--help"]);
    return EXIT.passed;
  }
  const command = commandNamed(first);
  if (command === undefined) return refuseCommand(first);
  const parsed = parseArguments(command, rest);
  if (typeof parsed === "string") return refuse(parsed, command);
  if (parsed.switches.has("help")) {
    screen.out(commandHelp(command));
    return EXIT.passed;
  }
  const action = await actionOf(command.name);
  return action(parsed, screen, (sentence) => refuse(sentence, command));
}

/** Whatever comes here is a fault of Weir, not of whoever uses it. */
function confess(error: unknown): ExitCode {
  const message = error instanceof Error ? error.message : String(error);
  screen.err(`weir: this is a fault of Weir itself (${versionOfWeir()}): ${message}`);
  screen.err(`weir: it happened in: weir ${args.join(" ")}`);
  if (process.env["WEIR_DEBUG"] === undefined) screen.err("weir: WEIR_DEBUG=1 shows where");
  else if (error instanceof Error) screen.err(error.stack ?? message);
  return EXIT.failed;
}

enableCompileCache();
process.exitCode = await main(args).catch(confess);
