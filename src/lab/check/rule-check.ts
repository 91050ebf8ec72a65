// The result of a rule that holds in every run.

export interface Violation {
  readonly row: number | null; // a request that shows the violation
  readonly text: string;
  /** False if the uncertain times may explain the violation. */
  readonly isCertain: boolean;
}

export interface RuleCheck {
  readonly examined: number;
  readonly violations: readonly Violation[];
}
