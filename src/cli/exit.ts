/** Exit codes, the same for every command. If several apply, the worst one wins. */
export const EXIT = {
  passed: 0,
  failed: 1, // an expectation failed, or an internal error occurred
  usage: 2, // the command line or a file is wrong, and nothing ran
  unreachable: 3, // a target, a store or a database cannot be reached
  regressed: 4, // a comparison of two runs found a regression
  unproven: 5, // vacuous or inconclusive: nothing failed, but too little is proved
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit codes as the general help prints them. */
export const EXIT_CODES =
  "exit codes: 0 passed, 1 failed, 2 bad input, 3 unreachable, 4 regression, 5 vacuous, inconclusive or unclear, 130 interrupted";
