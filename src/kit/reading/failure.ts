// The form of every expected failure: a function that can fail returns its value or a Failure.

/** Returned instead of a value. A copy loses the class, so send only `problems` to threads, processes and files. */
export class Failure {
  /** Lines for the user. */
  readonly problems: readonly string[];

  constructor(...problems: string[]) {
    this.problems = problems;
  }

  get message(): string {
    return this.problems.join("\n");
  }
}

export const isFailure = (value: unknown): value is Failure => value instanceof Failure;

/** Returns the value. Throws if the value is a failure, so call it only if an earlier check has succeeded. */
export function requireValue<T>(value: T | Failure): T {
  if (isFailure(value)) throw new Error(value.message);
  return value;
}
