import type { Problem } from "../../kit/reading/problems.ts";

/** Ends an operation with an error response. It is thrown, so that a write is rolled back. */
export class Rejection extends Error {
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
