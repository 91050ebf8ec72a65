#!/usr/bin/env node
// Where it starts. Help is answered at once: what the commands need would take longer to load than to use.
import { generalHelp } from "./help.ts";
import { terminal } from "./terminal.node.ts";

const args = process.argv.slice(2);
if (args.length === 1 && ["--help", "-h", "help"].includes(args[0]!))
  terminal(args).out(generalHelp());
else {
  const { weir } = await import("./main.node.ts");
  process.exitCode = await weir();
}
