import type { Problem } from "../reading/problems.ts";

/** Why an operation does not do what it was asked: thrown, so that a write that has begun is taken back whole. */
export class Refusal extends Error {
  readonly status: number;
  readonly problems: readonly Problem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    problems: readonly Problem[] = [],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.problems = problems;
    this.headers = headers;
  }
}
