// The roles of statements.
import type { ReadRole, ReadStatement } from "./reading.ts";

export const READ: ReadRole = { role: "read", consequence: "" };
export const IRRELEVANT: ReadRole = { role: "irrelevant", consequence: "" };
export const misunderstood = (consequence: string): ReadRole => ({
  role: "not understood",
  consequence,
});

export const UNKNOWN_FIELD: ReadRole = misunderstood(
  "this reader does not know it; if it limits requests, the result is wrong",
);

/** A part of the way of a request through the program. */
export const UNKNOWN_STEP: ReadRole = misunderstood(
  "this reader does not know it; if it limits or ends requests, the result is wrong",
);

/** From the least to the most important. */
const ROLES: readonly ReadStatement["role"][] = [
  "irrelevant",
  "read",
  "question",
  "not understood",
];

/** The more important one of the roles that a statement has been given. */
export const graver = (a: ReadStatement["role"], b: ReadStatement["role"]): ReadStatement["role"] =>
  ROLES.indexOf(b) > ROLES.indexOf(a) ? b : a;
