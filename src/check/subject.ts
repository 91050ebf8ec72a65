import type { Judgement } from "../oracle/expected.ts";
import type { History } from "../scenario/history.ts";
import type { Variant } from "../scenario/types.ts";

/** What every checker may look at. The oracle is asked at most once a history, and only if needed. */
export interface Subject {
  readonly variant: Variant;
  readonly history: History;
  /** Null where the configuration has faults: of such a world the text says nothing. */
  readonly oracle: () => Judgement | null;
}
