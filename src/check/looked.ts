// What a rule that holds in every run says of one run.

export interface Broken {
  readonly row: number | null; // a request that shows it
  readonly text: string;
  /** False where the times leave open whether it is broken at all. */
  readonly isCertain: boolean;
}

export interface Looked {
  readonly examined: number;
  readonly broken: readonly Broken[];
}
