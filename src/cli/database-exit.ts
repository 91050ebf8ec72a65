// The exit code of a command whose database does not do what it needs: an orchestrator can tell an outage from a mistake.
import { DatabaseRejection, isOutage } from "../management/records/database-failure.ts";
import type { Unopened } from "../management/records/records.ts";
import { EXIT, type ExitCode } from "./exit.ts";

export const exitCodeOf = (unopened: Pick<Unopened, "isOutage">): ExitCode =>
  unopened.isOutage === true ? EXIT.unreachable : EXIT.usage;

/** The records have reported the fault of the database by then; every other error is thrown on. */
export function exitCodeFor(error: unknown): ExitCode {
  if (!(error instanceof DatabaseRejection)) throw error;
  return exitCodeOf({ isOutage: isOutage(error.failure) });
}
