// What is never said twice, and what is said no longer: versions of an id, and old changes.
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/management/json.ts";
import { USUAL_BOUNDS } from "../../../src/management/records/bounds.ts";
import type { Family } from "../../../src/management/records/family.ts";
import type { FoundBy, Records } from "../../../src/management/records/records.ts";
import { inFile, inMemory, kindsOf, opened, opener, type Place } from "./every-database.ts";

const AUDITED = { who: "somebody", what: "something", atUs: 1_700_000_000_000_000 };
const NOTHING: FoundBy = { unique: null, text: null };

describe.each(kindsOf(inMemory, inFile))("versions and changes in $name", ({ name, place }) => {
  const open = opener();
  const at = (where: Place): Promise<Records> => open(where.open());
  const fresh = async (): Promise<Records> => at(await place());
  const insert = (records: Records, family: Family, id: string, document: JsonObject) =>
    records.write(AUDITED, (writing) => writing.insert(family, id, document, NOTHING));
  const removed = (records: Records, id: string) =>
    records.write(AUDITED, async ({ read, remove }) => remove("keys", (await read("keys", id))!));

  test("no version of an id comes twice, whoever makes and deletes it meanwhile", async () => {
    const records = await fresh();
    const versions: number[] = [];
    const made = async (): Promise<void> => {
      versions.push((await insert(records, "keys", "a", {}))!.version);
    };
    await made();
    await insert(records, "keys", "b", {});
    await records.write(AUDITED, async ({ read, replace }) => {
      versions.push((await replace("keys", (await read("keys", "a"))!, {}, NOTHING))!.version);
    });
    await removed(records, "a");
    await made();
    const replacing = await records.write(AUDITED, async (writing) => {
      await writing.remove("keys", (await writing.read("keys", "a"))!);
      return writing.insert("keys", "a", {}, NOTHING);
    });
    versions.push(replacing!.version);
    await removed(records, "a");
    let trials = 0;
    const last = await records.write(AUDITED, async (writing) => {
      const mine = await writing.insert("keys", "a", { trials: ++trials }, NOTHING);
      if (trials > 1) return mine;
      await made();
      await removed(records, "a");
      return mine;
    });
    versions.push(last!.version);
    expect(trials).toBe(2);
    expect(versions).toEqual([...new Set(versions)].toSorted((one, other) => one - other));
    expect(await records.read("keys", "a")).toEqual(last);
  });

  test("a write that has read a record is done over where another one has its id now", async () => {
    const records = await fresh();
    await insert(records, "keys", "a", { first: true });
    let trials = 0;
    await records.write(AUDITED, async ({ read, replace }) => {
      const before = (await read("keys", "a"))!;
      if (++trials === 1) {
        await removed(records, "a");
        await insert(records, "keys", "a", { second: true });
      }
      return replace("keys", before, { ...before.document, changed: true }, NOTHING);
    });
    expect((await records.read("keys", "a"))!.document).toEqual({ second: true, changed: true });
  });

  test("the log of changes has about as many bytes as it may, and the newest stays", async () => {
    const auditBytes = 100_000;
    const where = await place();
    const records = await open(where.open(undefined, () => ({ ...USUAL_BOUNDS, auditBytes })));
    await insert(records, "keys", "a", {});
    for (let i = 0; i < 40; i++)
      await records.write(AUDITED, async ({ read, replace }) => {
        const before = (await read("keys", "a"))!;
        await replace("keys", before, { alias: `${i}`.padEnd(10_000) }, NOTHING);
      });
    const entries = await records.audited(100);
    expect(entries[0]).toMatchObject({ seq: 41, after: { alias: "39".padEnd(10_000) } });
    expect(entries.length).toBeGreaterThan(3);
    expect(entries.length).toBeLessThan(10); // each says 20,000 letters
  });

  test.skipIf(name === inMemory.name)(
    "changes are told for 90 days, the newest 100,000 for longer, and never more than a million",
    async () => {
      const where = await place();
      const isPostgres = name === "PostgreSQL";
      const told = (...entries: readonly (readonly [seq: number, atUs: number])[]) =>
        where.ask(
          `insert into audit (seq, at_us, who, what, family, id) ${isPostgres ? "overriding system value" : ""} values ${entries
            .map(([seq, atUs]) => `(${seq}, ${atUs}, '', '', 'keys', 'k')`)
            .join(", ")}`,
        );
      const left = async (): Promise<readonly number[]> =>
        (await where.ask("select seq from audit order by seq")).map(({ seq }) => Number(seq));
      const { atUs } = AUDITED;
      const longAgoUs = atUs - 91 * 86_400_000_000;
      // The first write after a start looks for what may go.
      const written = async (id: string): Promise<void> => {
        const records = opened(await where.open());
        await insert(records, "keys", id, {});
        await records.close();
      };
      await written("a");
      await told([2, longAgoUs], [3, atUs], [4, longAgoUs], [100_003, atUs]);
      if (isPostgres)
        await where.ask("select setval(pg_get_serial_sequence('audit', 'seq'), 100003)");
      await written("b"); // as 100,004
      expect(await left()).toEqual([1, 3, 100_003, 100_004]);
      await told([1_000_002, longAgoUs]);
      if (isPostgres)
        await where.ask("select setval(pg_get_serial_sequence('audit', 'seq'), 1000002)");
      await written("c"); // as 1,000,003
      expect(await left()).toEqual([100_003, 100_004, 1_000_002, 1_000_003]);
      const records = await at(where);
      expect(await records.changesSince(3)).toBeNull();
    },
  );
});
