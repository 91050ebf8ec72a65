// Prints help without loading the commands, whose modules would take longer than reading the help.
import { existsSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { isSea } from "node:sea";
import { pathToFileURL } from "node:url";
import { setPackageFolder, setStart } from "../kit/command-line.ts";
import { EXIT } from "./exit.ts";
import { generalHelp } from "./help.ts";
import { commandOfStart } from "./start-command.node.ts";
import { terminal } from "./terminal.node.ts";

const args = process.argv.slice(2);
const root = join(import.meta.dirname, "../..");
const source = join(root, "src/cli/start.node.ts");
// `mutants` runs from source: a mutant replaces a function of one module, and dist has all modules in one file.
const isOfSource = args.find((arg) => !arg.startsWith("-")) === "mutants";
if (isOfSource && extname(import.meta.filename) === ".js" && existsSync(source))
  await import(pathToFileURL(source).href);
else await start();

async function start(): Promise<void> {
  const { argv, env, execPath } = process;
  const folder = process.cwd();
  const script = argv[1] ?? "";
  const isOneFile = isSea();
  setStart(commandOfStart({ script, isOneFile, root, folder, execPath, env }));
  if (isOneFile) setPackageFolder(dirname(root));
  const screen = terminal(args);
  if (args.length === 1 && ["--help", "-h", "help"].includes(args[0]!))
    return screen.out(generalHelp(screen.columns));
  const { weir } = await import("./main.node.ts");
  const code = await weir(args, screen);
  // Everything has been reported, and child programs end with this process, so requests in flight are not awaited.
  if (code === EXIT.interrupted) process.exit(code);
  process.exitCode = code;
}
