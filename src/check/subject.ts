import type { OracleResults } from "../oracle/expected.ts";
import { evaluateHistory } from "../oracle/judge.ts";
import { worldOf } from "../oracle/world.ts";
import type { History } from "../scenario/history.ts";
import type { Variant } from "../scenario/types.ts";

/** What every checker may look at. The oracle is asked at most once a history, and only if needed. */
export interface Subject {
  readonly variant: Variant;
  readonly history: History;
  /** Null where the configuration has faults: of such a world the text says nothing. */
  readonly oracle: () => OracleResults | null;
}

export const subjectOf = ({ variant, history }: Pick<Subject, "variant" | "history">): Subject => ({
  variant,
  history,
  oracle: once(() => judgementOf(variant, history)),
});

function judgementOf(variant: Variant, history: History): OracleResults | null {
  const world = worldOf(variant, history);
  return world === null ? null : evaluateHistory(history, world);
}

function once<T>(make: () => T): () => T {
  const made: T[] = [];
  return () => {
    if (made.length === 0) made.push(make());
    return made[0]!;
  };
}
