// Changes of records by this process that it has not sent to the workers yet. The next message about a change contains
// them. Workers then read only the other changed records from the database.
import { isConfiguration } from "../management/live-configuration.ts";
import { writeJson } from "../management/json.ts";
import type { Stored, WrittenChange } from "../management/records/records.ts";

interface UnsentChanges {
  readonly note: (changes: readonly WrittenChange[]) => void;
  readonly take: () => readonly WrittenChange[];
}

/** The most characters of the changes in one message. A worker serves no requests while it copies a message. */
const MOST_LETTERS = 8_388_608;

/**
 * Retains up to `most` changes and `mostLetters` characters. Beyond either, it drops all: workers read the records. Of
 * one call with more than `most` changes it drops these alone, and retains those that wait already.
 */
export function createUnsentChanges(most: number, mostLetters = MOST_LETTERS): UnsentChanges {
  let waiting: WrittenChange[] = [];
  let letters = 0;
  const take = (): readonly WrittenChange[] => {
    const changes = waiting;
    waiting = [];
    letters = 0;
    return changes;
  };
  return {
    take,
    note: (changes) => {
      const relevant = changes.filter(isConfiguration);
      if (relevant.length > most) return; // an import: workers look its records up
      for (const { before, after } of relevant) letters += lettersOf(before) + lettersOf(after);
      waiting.push(...relevant);
      if (waiting.length > most || letters > mostLetters) take();
    },
  };
}

const lettersOf = (stored: Stored | null): number =>
  stored === null ? 0 : writeJson(stored.document).length;
