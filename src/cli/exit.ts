/** Exit codes, the same for every command. A worse one wins where several apply. */
export const EXIT = {
  passed: 0,
  failed: 1, // an expectation failed, or Weir itself did
  usage: 2, // the command line or a file is wrong, and nothing was run
  unreachable: 3, // a target, a store or a database
  regressed: 4, // found by comparing two runs
  unproven: 5, // nothing was contradicted, but too little is shown: vacuous or inconclusive
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The same for the general help. */
export const EXIT_CODES =
  "exit codes: 0 passed, 1 failed, 2 bad input, 3 unreachable, 4 regression, 5 vacuous, inconclusive or unclear, 130 interrupted";
