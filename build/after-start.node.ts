// The end of `npm start`: what to try next. The command line has no flag for it, because only a clone has that script.
import { join } from "node:path";
import { nextText } from "../src/cli/first-steps.ts";
import { commandOfStart } from "../src/cli/start-command.node.ts";
import { setStart } from "../src/kit/command-line.ts";

const { argv, env, execPath } = process;
const root = join(import.meta.dirname, "..");
setStart(commandOfStart({ script: argv[1]!, root, folder: process.cwd(), execPath, env }));
process.stdout.write(`\n${nextText()}\n`);
