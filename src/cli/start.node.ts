// Help is printed at once: the modules of the commands would take longer to load than the help to read.
import { join } from "node:path";
import { setStart } from "../report/command-line.ts";
import { generalHelp } from "./help.ts";
import { startedAs } from "./started-as.node.ts";
import { terminal } from "./terminal.node.ts";

const args = process.argv.slice(2);
setStart(
  startedAs({
    script: process.argv[1] ?? "",
    root: join(import.meta.dirname, "..", ".."),
    folder: process.cwd(),
    env: process.env,
  }),
);
const screen = terminal(args);
if (args.length === 1 && ["--help", "-h", "help"].includes(args[0]!))
  screen.out(generalHelp(screen.columns));
else {
  const { weir } = await import("./main.node.ts");
  process.exitCode = await weir(args, screen);
}
