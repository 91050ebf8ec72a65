// Limiters of others and how they behave, as plain text: the content of a page.

/** How a verdict looks: good, bad, doubtful, or of no weight. */
export type LimiterLook = "good" | "bad" | "doubtful" | "faint";

interface LimiterVerdict {
  readonly mark: string; // one letter
  readonly meaning: string;
  readonly look: LimiterLook;
}

export interface LimiterCell {
  readonly behaviour: string;
  readonly verdict: string; // the name of one
  readonly evidence: readonly string[];
  readonly documentation: string | null; // a sentence
  readonly source: string | null;
  readonly confirmed: string | null; // how it was seen again
  readonly decisions: readonly string[];
  readonly scenario: string | null; // a smaller one that shows it
  readonly reduction: string | null; // what that scenario is, or why there is none
  readonly again: string; // a command
}

/** Whether its profile decides as it does. */
interface LimiterProof {
  readonly verdict: string;
  readonly look: LimiterLook;
  readonly sentence: string;
  readonly file: string;
  readonly again: string; // a command
}

export interface ForeignLimiter {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly language: string;
  readonly clock: string;
  readonly proof: LimiterProof | null; // null: none is saved
  readonly cells: readonly LimiterCell[];
}

export interface LimitersPart {
  readonly summary: readonly string[]; // sentences
  readonly verdicts: Readonly<Record<string, LimiterVerdict>>;
  readonly behaviours: readonly { readonly id: string; readonly title: string }[];
  readonly limiters: readonly ForeignLimiter[];
  readonly notRun: readonly (readonly [id: string, why: string])[];
  /** Where and how it was found out: by name. */
  readonly facts: readonly (readonly [name: string, what: string])[];
}
