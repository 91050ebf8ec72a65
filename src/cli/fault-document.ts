// In place of a result: what kept a command from one, so that a program that reads JSON always gets a document.
import type { ExitCode } from "./exit.ts";

/** `lines` are what stderr was given. A build server's own lines repeat the others. */
export const faultDocument = (command: string, exitCode: ExitCode, lines: readonly string[]) => ({
  format: "weir-faults/1",
  command,
  exitCode,
  faults: lines.filter((line) => !line.startsWith("::")).map(faultIn),
});

function faultIn(line: string) {
  const [, file, row, column, code, message] =
    /^(\S.*?):(\d+):(\d+) ([A-Z]+-[A-Z-]+) (.*)$/s.exec(line) ?? [];
  return file === undefined
    ? { message: line }
    : { file, line: Number(row), column: Number(column), code, message };
}
