// The form of every expected failure: a function that can fail returns its value or a Failure.

/** Returned instead of a value. It is recognized by its class, so other threads, processes and files get plain data. */
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

/** Returns a value that cannot be a failure here, because it was checked before; throws otherwise. */
export function requireValue<T>(value: T | Failure): T {
  if (isFailure(value)) throw new Error(value.message);
  return value;
}
