// The exit code of a command whose database fails: an orchestrator can distinguish an outage from a mistake.
import { DatabaseRejection, isOutage } from "../management/records/database-failure.ts";
import type { Unopened } from "../management/records/records.ts";
import { EXIT, type ExitCode } from "./exit.ts";

export const exitCodeOf = (unopened: Pick<Unopened, "isOutage">): ExitCode =>
  unopened.isOutage === true ? EXIT.unreachable : EXIT.usage;

/** The records have already reported the problem of the database; every other error is thrown again. */
export function exitCodeFor(error: unknown): ExitCode {
  if (!(error instanceof DatabaseRejection)) throw error;
  return exitCodeOf({ isOutage: isOutage(error.failure) });
}
