// The input of commands that read access logs: files and folders, or the rows of a SELECT.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../kit/reading/failure.ts";
import { shortPath } from "../lab/run/scenario-files.node.ts";
import { listSources, sourceOfSql, type LogSource } from "../studies/replay/log-source.node.ts";
import { MissingPart } from "../studies/replay/rows.node.ts";
import type { Arguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { SAMPLE_LOG } from "./first-steps.ts";

export function sourcesOf({ operands, values }: Arguments): readonly LogSource[] | Failure {
  const sql = values.get("sql");
  if (sql === undefined)
    return operands.length > 0
      ? sourcesNamed(operands)
      : new Failure(
          `no log is named; give files, folders, - for standard input, or --sql; ${SAMPLE_LOG} comes with Weir`,
        );
  return operands.length === 0
    ? [sourceOfSql(sql)]
    : new Failure(
        `--sql and the log ${operands[0]} are both given; name the log in the SELECT, or remove --sql`,
      );
}

/** Logs by their paths. The log that comes with Weir is found under its name from every folder. A file of the user with this name wins. */
export const sourcesNamed = (paths: readonly string[]): readonly LogSource[] | Failure =>
  listSources(
    paths.map((path) =>
      path === SAMPLE_LOG && !existsSync(path)
        ? shortPath(join(import.meta.dirname, "../..", SAMPLE_LOG))
        : path,
    ),
  );

/** The exit code if nothing could be read. */
export function codeOfUnread(failure: Failure, isInterrupted: boolean): ExitCode {
  if (failure instanceof MissingPart) return EXIT.unreachable;
  return isInterrupted ? EXIT.interrupted : EXIT.usage;
}
