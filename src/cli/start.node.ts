// Help is printed at once: the modules of the commands would take longer to load than the help to read.
import { generalHelp } from "./help.ts";
import { terminal } from "./terminal.node.ts";

const args = process.argv.slice(2);
const screen = terminal(args);
if (args.length === 1 && ["--help", "-h", "help"].includes(args[0]!))
  screen.out(generalHelp(screen.columns));
else {
  const { weir } = await import("./main.node.ts");
  process.exitCode = await weir(args, screen);
}
