// The one form of an expected failure: a function that can fail returns its value or a Failure.

/** Returned in place of a value. It is known by its class, so threads, processes and files exchange plain data instead. */
export class Failure {
  /** What the user reads, one line each. */
  readonly problems: readonly string[];

  constructor(...problems: string[]) {
    this.problems = problems;
  }

  get message(): string {
    return this.problems.join("\n");
  }
}

export const isFailure = (value: unknown): value is Failure => value instanceof Failure;

/** For a value that was checked before: throws if it is a failure. */
export function requireValue<T>(value: T | Failure): T {
  if (isFailure(value)) throw new Error(value.message);
  return value;
}
