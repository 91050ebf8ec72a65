import { isFailure } from "#src/kit/reading/failure.ts";

/** The message of a failure, for comparisons; null: the result is a value. */
export const messageOf = (result: unknown): string | null =>
  isFailure(result) ? result.message : null;
