// The document that replaces a result if a command fails, so that a program that reads JSON always gets one.
import type { ExitCode } from "./exit.ts";

/** `lines` were printed to stderr. Lines for a build server repeat the others. */
export const problemDocument = (command: string, exitCode: ExitCode, lines: readonly string[]) => ({
  format: "weir-faults/1",
  command,
  exitCode,
  faults: lines.filter((line) => !line.startsWith("::")).map(problemIn),
});

function problemIn(line: string) {
  const [, file, row, column, code, message] =
    /^(\S.*?):(\d+):(\d+) ([A-Z]+-[A-Z-]+) (.*)$/s.exec(line) ?? [];
  return file === undefined
    ? { message: line }
    : { file, line: Number(row), column: Number(column), code, message };
}
