// The result of a rule that holds in every run.

export interface Violation {
  readonly row: number | null; // a request that shows it
  readonly text: string;
  /** False if the times leave open whether the rule is broken at all. */
  readonly isCertain: boolean;
}

export interface RuleCheck {
  readonly examined: number;
  readonly violations: readonly Violation[];
}
