// A search of users over each database, against what JavaScript finds: generated texts and parts of them.
import { array, asyncProperty, constantFrom, integer, oneof } from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { recordsInPlainMemory } from "#src/gateway/management/records/plain.ts";
import type { ManagedRecords } from "#src/gateway/management/records/records.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { holdsLater, SEED } from "../../../runs.ts";
import { inMemory, kindsOf, type DatabaseKind } from "./every-database.ts";

const AUDITED = { actor: "test", operation: "test", atUs: 0 };

/** One code point each: two code units, wildcards and quotes of SQL and of its index. */
const LETTERS = ["a", "A", "é", "🙂", "🙃", "%", "_", "\\", '"', "'", "*", "(", " "];

const drawText = (length: number, name: string): readonly string[] => {
  const random = rng(SEED, name);
  return Array.from({ length }, () => LETTERS[random.int(LETTERS.length)]!);
};

const TEXTS = Array.from({ length: 25 }, (_, index) => drawText(12, `user ${index}`));

/** A part of a text, or letters that may be in none. */
const searched = oneof(
  { weight: 3, arbitrary: integer({ min: 0, max: 25 * 12 - 1 }).chain(partOfText) },
  { weight: 1, arbitrary: array(constantFrom(...LETTERS), { maxLength: 4 }).map(join) },
);

function partOfText(place: number) {
  const text = TEXTS[Math.floor(place / 12)]!;
  const from = place % 12;
  return integer({ min: 1, max: 5 }).map((length) => join(text.slice(from, from + length)));
}

function join(letters: readonly string[]): string {
  return letters.join("");
}

interface SearchedKind {
  readonly name: string;
  readonly open: () => Promise<ManagedRecords>;
}

const plain: SearchedKind = { name: "plain memory", open: async () => recordsInPlainMemory() };

const inDatabase = ({ name, place }: DatabaseKind): SearchedKind => ({
  name,
  open: async () => requireValue(await (await place()).open()),
});

const idOf = (index: number): string => `u${String(index).padStart(2, "0")}`;

async function addUsers(records: ManagedRecords): Promise<void> {
  await records.write(AUDITED, async (writing) => {
    for (const [index, letters] of TEXTS.entries()) {
      const foundBy = { unique: idOf(index), text: join(letters) };
      await writing.insert("users", idOf(index), {}, foundBy);
    }
  });
}

const kinds = [plain, ...kindsOf(inMemory).map(inDatabase)];
describe.each(kinds)("searches in $name", (kind) => {
  const open = async (): Promise<ManagedRecords> => {
    const records = await kind.open();
    onTestFinished(() => records.close());
    return records;
  };

  test("a search finds the users whose text contains it, letter for letter", async () => {
    const records = await open();
    await addUsers(records);
    await holdsLater(
      asyncProperty(array(searched, { minLength: 6, maxLength: 6 }), async (texts) => {
        const results = await Promise.all(texts.map((text) => records.searchUsers(text, null)));
        for (const [place, { total, records: users }] of results.entries()) {
          const found = TEXTS.flatMap((letters, index) =>
            join(letters).includes(texts[place]!) ? idOf(index) : [],
          );
          expect([total, users.map(({ id }) => id)]).toEqual([found.length, found]);
        }
      }),
      12,
    );
  });

  test("a search for two emoji finds only the text that has both", async () => {
    const records = await open();
    await records.write(AUDITED, async (writing) => {
      await writing.insert("users", "u", {}, { unique: "u", text: "ann 🙂🙃🙂" });
      await writing.insert("users", "v", {}, { unique: "v", text: "bob 🙂" });
    });
    const found: Record<string, readonly string[]> = {};
    for (const text of ["🙂", "🙃", "🙂🙃", "🙂🙃🙂", "🙃🙃"])
      found[text] = (await records.searchUsers(text, null)).records.map(({ id }) => id);
    expect(found).toEqual({
      "🙂": ["u", "v"],
      "🙃": ["u"],
      "🙂🙃": ["u"],
      "🙂🙃🙂": ["u"],
      "🙃🙃": [],
    });
  });
});
