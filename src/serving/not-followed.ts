// What was written here and the workers have not heard of yet: sent to them with the next change that they follow, so that they
// need no look-up. Whatever is missing is looked up.
import { isConfiguration } from "../management/in-force.ts";
import { writeJson } from "../management/json.ts";
import type { Stored, WrittenChange } from "../management/records/records.ts";

export interface NotFollowed {
  readonly note: (changes: readonly WrittenChange[]) => void;
  readonly take: () => readonly WrittenChange[];
}

/** Each worker takes it over in one turn, in which it serves nobody. */
const MOST_LETTERS = 8_388_608;

/** `most` changes, and no longer ones than a worker takes over within milliseconds. */
export function notFollowed(most: number, mostLetters = MOST_LETTERS): NotFollowed {
  let waiting: WrittenChange[] = [];
  let letters = 0;
  const take = (): readonly WrittenChange[] => {
    const taken = waiting;
    waiting = [];
    letters = 0;
    return taken;
  };
  return {
    take,
    note: (changes) => {
      const obeyed = changes.filter(isConfiguration);
      if (obeyed.length > most) return; // an import
      for (const { before, after } of obeyed) letters += lettersOf(before) + lettersOf(after);
      waiting.push(...obeyed);
      if (waiting.length > most || letters > mostLetters) take();
    },
  };
}

const lettersOf = (stored: Stored | null): number =>
  stored === null ? 0 : writeJson(stored.document).length;
