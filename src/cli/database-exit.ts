// The exit code of a command whose database fails, so that an orchestrator can distinguish an outage from a mistake.
import {
  DatabaseRejection,
  isOutage,
  RecordsOutage,
} from "../gateway/management/records/database-failure.ts";
import type { Failure } from "../kit/reading/failure.ts";
import { EXIT, type ExitCode } from "./exit.ts";

export const exitCodeOf = (failure: Failure): ExitCode =>
  failure instanceof RecordsOutage ? EXIT.unreachable : EXIT.usage;

/** Returns the exit code of a database failure, which is already reported. Rethrows every other error. */
export function exitCodeFor(error: unknown): ExitCode {
  if (!(error instanceof DatabaseRejection)) throw error;
  return isOutage(error.failure) ? EXIT.unreachable : EXIT.usage;
}
