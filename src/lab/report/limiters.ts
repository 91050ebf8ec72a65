// Foreign limiters and how they behave, as plain text: the content of a page.

/** How a verdict is displayed: good, bad, doubtful, or unimportant. */
export type LimiterLook = "good" | "bad" | "doubtful" | "faint";

interface LimiterVerdict {
  readonly mark: string; // one letter
  readonly meaning: string;
  readonly look: LimiterLook;
}

export interface LimiterCell {
  readonly behaviour: string;
  readonly verdict: string; // a key of `verdicts`
  readonly evidence: readonly string[];
  readonly documentation: string | null; // a sentence of the limiter's documentation
  readonly source: string | null;
  readonly confirmed: string | null; // how a second run confirmed the verdict
  readonly decisions: readonly string[];
  readonly scenario: string | null; // a smaller scenario that shows the behaviour
  readonly reduction: string | null; // description of that scenario, or why it is missing
  readonly again: string; // the command that repeats the run
}

/** A comparison of the limiter's decisions with those of its profile. */
interface LimiterProof {
  readonly verdict: string;
  readonly look: LimiterLook;
  readonly sentence: string;
  readonly file: string;
  readonly again: string; // the command that repeats the comparison
}

export interface ForeignLimiter {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly group: string; // what readers look for, such as a language; equal ones follow each other
  readonly clock: string;
  readonly proof: LimiterProof | null; // null if no proof is saved
  readonly cells: readonly LimiterCell[];
}

export interface LimitersPart {
  readonly summary: readonly string[]; // sentences
  readonly verdicts: Readonly<Record<string, LimiterVerdict>>;
  readonly behaviours: readonly { readonly id: string; readonly title: string }[];
  readonly limiters: readonly ForeignLimiter[];
  readonly notRun: readonly (readonly [id: string, why: string])[];
  /** Where and how the results were obtained, by name. */
  readonly facts: readonly (readonly [name: string, what: string])[];
}
