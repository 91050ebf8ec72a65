// Versions of an id are never used twice, and old changes are deleted.
import { describe, expect, test } from "vitest";
import type { JsonObject } from "#src/gateway/management/json.ts";
import { USUAL_BOUNDS } from "#src/gateway/management/records/bounds.ts";
import type { RecordTypeName } from "#src/gateway/management/records/record-types.ts";
import type { FoundBy, Records } from "#src/gateway/management/records/records.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { inFile, inMemory, kindsOf, opener, type TestDatabase } from "./every-database.ts";

const AUDITED = { actor: "somebody", operation: "something", atUs: 1_700_000_000_000_000 };
const NOTHING: FoundBy = { unique: null, text: null };

describe.each(kindsOf(inMemory, inFile))("versions and changes in $name", ({ name, place }) => {
  const open = opener();
  const at = (where: TestDatabase): Promise<Records> => open(where.open());
  const fresh = async (): Promise<Records> => at(await place());
  const insert = (records: Records, family: RecordTypeName, id: string, document: JsonObject) =>
    records.write(AUDITED, (writing) => writing.insert(family, id, document, NOTHING));
  const remove = (records: Records, id: string) =>
    records.write(AUDITED, async ({ read, remove }) => remove("keys", (await read("keys", id))!));

  const replaceIn =
    (records: Records) =>
    (operation: string, family: RecordTypeName, id: string, document: JsonObject) =>
      records.write({ ...AUDITED, operation }, async ({ read, replace }) => {
        await replace(family, (await read(family, id))!, document, NOTHING);
      });

  test("no version of an id is used twice, even if it is created and deleted at the same time", async () => {
    const records = await fresh();
    const versions: number[] = [];
    const create = async (): Promise<void> => {
      versions.push((await insert(records, "keys", "a", {}))!.version);
    };
    await create();
    await insert(records, "keys", "b", {});
    await records.write(AUDITED, async ({ read, replace }) => {
      versions.push((await replace("keys", (await read("keys", "a"))!, {}, NOTHING))!.version);
    });
    await remove(records, "a");
    await create();
    const replacing = await records.write(AUDITED, async (writing) => {
      await writing.remove("keys", (await writing.read("keys", "a"))!);
      return writing.insert("keys", "a", {}, NOTHING);
    });
    versions.push(replacing!.version);
    await remove(records, "a");
    let trials = 0;
    const last = await records.write(AUDITED, async (writing) => {
      const mine = await writing.insert("keys", "a", { trials: ++trials }, NOTHING);
      if (trials > 1) return mine;
      await create();
      await remove(records, "a");
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
        await remove(records, "a");
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
    const entries = await records.listAudit(100);
    expect(entries[0]).toMatchObject({ seq: 41, after: { alias: "39".padEnd(10_000) } });
    expect(entries.length).toBeGreaterThan(3);
    expect(entries.length).toBeLessThan(10); // each has 20,000 letters
  });

  test("no number of token uses removes a change, and no change removes a use", async () => {
    const auditBytes = 80_000;
    const where = await place();
    const records = await open(
      where.open(undefined, () => ({
        ...USUAL_BOUNDS,
        auditBytes,
        auditEntries: { ...USUAL_BOUNDS.auditEntries, uses: { fewest: 2, most: 5 } },
      })),
    );
    const replaceDocument = replaceIn(records);
    await insert(records, "tokens", "t", {});
    await insert(records, "keys", "a", {});
    for (let i = 0; i < 100; i++)
      await replaceDocument(i % 2 ? "use readKey" : "refuse updateKey", "tokens", "t", { i });
    const changes = await records.listAudit(1_000, "changes");
    expect(changes.map(({ family, id }) => [family, id])).toEqual([
      ["keys", "a"],
      ["tokens", "t"],
    ]);
    // Found by their bytes: 5 of them are seldom counted.
    for (let i = 0; i < 40; i++)
      await replaceDocument("use x", "tokens", "t", { i: `${i}`.padEnd(2_000) });
    const uses = await records.listAudit(1_000, "uses");
    expect(uses[0]!.after).toEqual({ i: "39".padEnd(2_000) });
    expect(uses.length).toBeLessThan(10);
    expect(await records.listAudit(1_000, "changes")).toEqual(changes);
    for (let i = 0; i < 40; i++)
      await replaceDocument("updateKey", "keys", "a", { i: `${i}`.padEnd(5_000) });
    const left = await records.listAudit(1_000);
    expect(left.filter(({ family }) => family === "keys").length).toBeLessThan(15);
    expect(left).toEqual(expect.arrayContaining([expect.objectContaining({ seq: uses[0]!.seq })]));
  });

  test("a gateway whose last entry is a use learns that later changes were deleted", async () => {
    const where = await place();
    const records = await open(
      where.open(undefined, () => ({ ...USUAL_BOUNDS, auditBytes: 80_000 })),
    );
    const replaceDocument = replaceIn(records);
    await insert(records, "tokens", "t", {});
    await insert(records, "keys", "a", { is_inactive: false });
    await insert(records, "users", "u", {});
    await replaceDocument("use updateKey", "tokens", "t", { last_used: 1 });
    const seen = await records.latestChange();
    await replaceDocument("updateKey", "keys", "a", { is_inactive: true });
    const changes = await records.changesSince(seen);
    expect(changes?.map(({ family, id }) => [family, id])).toEqual([["keys", "a"]]);
    for (let i = 0; i < 40; i++)
      await replaceDocument("updateUser", "users", "u", { i: `${i}`.padEnd(5_000) });
    const left = (await records.listAudit(1_000)).map(({ seq }) => seq);
    expect(left).toContain(seen);
    expect(left).not.toContain(changes![0]!.seq);
    expect(await records.changesSince(seen)).toBeNull();
    expect(await records.changesSince(0)).toBeNull();
    // If no change follows it, none can have been deleted.
    await replaceDocument("use readKey", "tokens", "t", { last_used: 2 });
    expect(await records.changesSince(await records.latestChange())).toEqual([]);
  });

  test.skipIf(name === inMemory.name)(
    "changes are stored for 90 days, a number of the newest for longer, and never more than the most",
    async () => {
      const where = await place();
      const isPostgres = name === "PostgreSQL";
      const insertAudit = async (...entries: readonly (readonly [seq: number, atUs: number])[]) => {
        await where.query(
          `insert into audit (seq, at_us, who, what, family, id) ${isPostgres ? "overriding system value" : ""} values ${entries
            .map(([seq, atUs]) => `(${seq}, ${atUs}, '', '', 'keys', 'k')`)
            .join(", ")}`,
        );
        if (isPostgres)
          await where.query(
            `select setval(pg_get_serial_sequence('audit', 'seq'), ${entries.at(-1)![0]})`,
          );
      };
      const remaining = async (): Promise<readonly number[]> =>
        (await where.query("select seq from audit order by seq")).map(({ seq }) => Number(seq));
      const { uses } = USUAL_BOUNDS.auditEntries;
      const auditEntries = { uses, changes: { fewest: 3, most: 6 } };
      const bounds = () => ({ ...USUAL_BOUNDS, auditEntries });
      const { atUs } = AUDITED;
      const longAgoUs = atUs - 91 * 86_400_000_000;
      // The first write after a start deletes old entries.
      const writeOnce = async (id: string): Promise<void> => {
        const records = requireValue(await where.open(undefined, bounds));
        await insert(records, "keys", id, {});
        await records.close();
      };
      await writeOnce("a");
      await insertAudit([2, longAgoUs], [3, atUs], [4, longAgoUs], [5, atUs]);
      await writeOnce("b"); // as 6
      expect(await remaining()).toEqual([1, 3, 4, 5, 6]);
      await insertAudit([7, atUs], [8, atUs], [9, atUs], [10, atUs]);
      await writeOnce("c"); // as 11
      expect(await remaining()).toEqual([6, 7, 8, 9, 10, 11]);
      const records = await at(where);
      expect(await records.changesSince(3)).toBeNull();
    },
  );
});
