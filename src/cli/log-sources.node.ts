// The input of commands that read access logs: files and folders, or the rows of a SELECT.
import { Failure } from "../kit/reading/failure.ts";
import { listSources, sourceOfSql, type LogSource } from "../studies/replay/log-source.node.ts";
import { MissingPart } from "../studies/replay/rows.node.ts";
import type { Arguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";

export function sourcesOf({ operands, values }: Arguments): readonly LogSource[] | Failure {
  const sql = values.get("sql");
  if (sql === undefined)
    return operands.length > 0
      ? listSources(operands)
      : new Failure("no log is named; give files, folders, - for standard input, or --sql");
  return operands.length === 0
    ? [sourceOfSql(sql)]
    : new Failure(
        `--sql and the log ${operands[0]} are both given; name the log in the SELECT, or remove --sql`,
      );
}

/** The exit code if nothing could be read. */
export function codeOfUnread(failure: Failure, isInterrupted: boolean): ExitCode {
  if (failure instanceof MissingPart) return EXIT.unreachable;
  return isInterrupted ? EXIT.interrupted : EXIT.usage;
}
