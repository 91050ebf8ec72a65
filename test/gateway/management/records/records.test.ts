import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  readJson,
  writeJson,
  type JsonObject,
  type JsonValue,
} from "#src/gateway/management/json.ts";
import { Rejection } from "#src/gateway/management/rejection.ts";
import { RECORD_TYPES, type RecordTypeName } from "#src/gateway/management/records/record-types.ts";
import type {
  FoundBy,
  Records,
  RecordTransaction,
} from "#src/gateway/management/records/records.ts";
import { inFile, inMemory, kindsOf, opener, type TestDatabase } from "./every-database.ts";
import { holdsLater } from "../../../runs.ts";
import { ANY_CHARACTER } from "../../../any-character.ts";

const AUDITED = { actor: "somebody", operation: "something", atUs: 1_700_000_000_000_000 };
const NOTHING: FoundBy = { unique: null, text: null };

describe.each(kindsOf(inMemory, inFile))("records in $name", ({ name, place }) => {
  const isForgotten = name === inMemory.name; // it has no audit either
  const open = opener();
  const at = (where: TestDatabase): Promise<Records> => open(where.open());
  const fresh = async (): Promise<Records> => at(await place());
  const insert = (
    records: Records,
    family: RecordTypeName,
    id: string,
    document: JsonObject,
    foundBy: FoundBy = NOTHING,
  ) => records.write(AUDITED, (writing) => writing.insert(family, id, document, foundBy));

  test("the records after one continue the list of all, or a search", async () => {
    const records = await fresh();
    for (let i = 0; i < 9; i++) {
      // Ids and addresses are in opposite orders, and every third is found by "thi".
      const unique = `${9 - i}@example.com`;
      const text = `${unique}\n${i % 3 === 0 ? "third" : "other"}`;
      await insert(records, "users", `u${i}`, {}, { unique, text });
      await insert(records, "keys", `k${i}`, {}, { unique: `${9 - i}`, text: null });
    }
    const walk = async (family: RecordTypeName, text: string | null) => {
      const one = { size: 1, page: 1 };
      const all = text === null ? records.list(family, one) : records.searchUsers(text, one);
      const walked = [...(await all).records];
      for (let piece = walked; piece.length > 0; walked.push(...piece))
        piece = [...(await records.next(family, walked.at(-1)!, 2, text))];
      return walked;
    };
    for (const family of ["users", "keys"] as const)
      expect(await walk(family, null)).toEqual((await records.list(family, null)).records);
    for (const text of ["", "thi", "third", "e", "@example.com", "9@", "%"])
      expect(await walk("users", text)).toEqual((await records.searchUsers(text, null)).records);
    expect((await walk("users", "thi")).map(({ id }) => id)).toEqual(["u6", "u3", "u0"]);
    expect(await records.ids("keys", { size: 4, page: 2 })).toEqual({
      total: 9,
      ids: ["k4", "k5", "k6", "k7"],
    });
    expect(await records.nextIds("keys", "k5", 2)).toEqual(["k6", "k7"]);
    expect(await records.nextIds("keys", "k8", 2)).toEqual([]);
  });

  test("a record is there with its version, and each change makes it one more", async () => {
    const records = await fresh();
    const made = await insert(records, "keys", "a", { rate: 5 }, { unique: "hash", text: null });
    expect(made).toEqual({ id: "a", version: 1, document: { rate: 5 }, unique: "hash" });
    const changed = await records.write(AUDITED, async ({ read, replace }) =>
      replace("keys", (await read("keys", "a"))!, { rate: 6 }, { unique: "other", text: null }),
    );
    expect(changed).toEqual({ id: "a", version: 2, document: { rate: 6 }, unique: "other" });
    expect(await records.read("keys", "a")).toEqual(changed);
    expect(await records.find("keys", "other")).toEqual(changed);
    expect(await records.find("keys", "hash")).toBeNull();
    expect(await records.read("users", "a")).toBeNull();
    await records.write(AUDITED, async ({ read, remove }) =>
      remove("keys", (await read("keys", "a"))!),
    );
    expect(await records.read("keys", "a")).toBeNull();
  });

  test("an id or unique value that is taken is not created again, and nothing changes", async () => {
    const records = await fresh();
    const first = { unique: "one", text: null };
    const second = { unique: "two", text: null };
    await insert(records, "apis", "a", {}, first);
    await insert(records, "apis", "b", {}, second);
    expect(await insert(records, "apis", "a", { again: true })).toBeNull();
    expect(await insert(records, "apis", "c", {}, first)).toBeNull();
    const moved = await records.write(AUDITED, async ({ read, replace }) =>
      replace("apis", (await read("apis", "b"))!, { moved: true }, first),
    );
    expect(moved).toBeNull();
    expect((await records.list("apis", null)).records).toEqual([
      { id: "a", version: 1, document: {}, unique: "one" },
      { id: "b", version: 2, document: {}, unique: "two" },
    ]);
    expect(await records.latestChange()).toBe((await records.changesSince(0))!.at(-1)!.seq);
    expect(await records.changesSince(0)).toHaveLength(2);
    expect(await insert(records, "keys", "a", {}, first)).not.toBeNull(); // of another family
  });

  test("a write that throws is rolled back completely, and affects no other write", async () => {
    const records = await fresh();
    const half = async ({ insert: put }: RecordTransaction): Promise<never> => {
      await put("policies", "half", {}, NOTHING);
      throw new Rejection(409, "no");
    };
    const all = await Promise.allSettled([
      insert(records, "policies", "before", {}),
      records.write(AUDITED, half),
      insert(records, "policies", "behind", {}),
      records.write(AUDITED, () => Promise.reject(new Rejection(404, "at once"))),
    ]);
    const isRejected = all.map(({ status }) => status === "rejected");
    expect(isRejected).toEqual([false, true, false, true]);
    const { records: stored } = await records.list("policies", null);
    expect(stored.map(({ id }) => id)).toEqual(["before", "behind"]);
    expect((await records.changesSince(0))!.map(({ id }) => id).toSorted()).toEqual([
      "before",
      "behind",
    ]);
  });

  test("writers of one record at the same time lose nothing of each other", async () => {
    const where = await place();
    const records = await at(where);
    await insert(records, "keys", "a", { count: 0 });
    const one = (): Promise<unknown> =>
      records.write(AUDITED, async ({ read, replace }) => {
        const before = (await read("keys", "a"))!;
        const count = Number(before.document["count"]) + 1;
        return replace("keys", before, { count }, NOTHING);
      });
    await Promise.all(Array.from({ length: 50 }, one));
    expect(await records.read("keys", "a")).toMatchObject({ version: 51, document: { count: 50 } });
  });

  test("changes are read in their order, and a gateway that has missed too many reads everything again", async () => {
    const where = await place();
    const records = await at(where);
    expect([await records.latestChange(), await records.changesSince(0)]).toEqual([0, []]);
    for (const id of ["a", "b", "c"]) await insert(records, "webhooks", id, {});
    const changes = (await records.changesSince(0))!;
    expect(changes.map(({ family, id }) => [family, id])).toEqual([
      ["webhooks", "a"],
      ["webhooks", "b"],
      ["webhooks", "c"],
    ]);
    expect(await records.changesSince(changes[1]!.seq)).toEqual([changes[2]]);
    expect(await records.changesSince(changes[2]!.seq)).toEqual([]);
    expect(await records.changesSince(changes[2]!.seq + 1)).toBeNull(); // of another database, or taken away
    await records.write(AUDITED, async (writing) => {
      for (let index = 0; index < 10; index++)
        await writing.insert("keys", `k${index}`, {}, NOTHING);
    });
    expect(await records.changesSince(changes[2]!.seq)).toHaveLength(10);
  });

  test.skipIf(isForgotten)(
    "a gateway that has missed more than ten thousand changes reads everything again",
    async () => {
      const where = await place();
      const records = await at(where);
      await insert(records, "webhooks", "a", {});
      const [first] = (await records.changesSince(0))!;
      await where.query(`with recursive n(i) as (select 1 union all select i + 1 from n where i <= 10000)
      insert into audit (at_us, who, what, family, id) select 0, '', '', 'keys', 'k' from n`);
      expect(await records.changesSince(first!.seq)).toBeNull();
    },
  );

  test.skipIf(isForgotten)("the audit log has all changes, without secrets", async () => {
    const where = await place();
    const records = await at(where);
    await insert(records, "users", "u", { access_key: "hidden", org_id: "o" });
    await records.write(AUDITED, async ({ read, remove }) =>
      remove("users", (await read("users", "u"))!),
    );
    const rows = await where.query("select who, what, family, id, before, after from audit");
    const entry = { who: "somebody", what: "something", family: "users", id: "u" };
    const shown = '{"access_key":"***","org_id":"o"}';
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { ...entry, before: null, after: shown },
      { ...entry, before: shown, after: null },
    ]);
  });

  test("characters that no database stores are rejected, and found nowhere", async () => {
    const records = await fresh();
    for (const id of ["a\0b", "half \ud800"]) {
      expect([await records.read("keys", id), await records.find("keys", id)]).toEqual([
        null,
        null,
      ]);
      await expect(insert(records, "keys", id, {})).rejects.toMatchObject({ status: 400 });
      const named = { unique: id, text: null };
      await expect(insert(records, "keys", "a", {}, named)).rejects.toMatchObject({ status: 400 });
    }
    expect(await records.latestChange()).toBe(0);
  });

  const USERS = ["anna@example.org anna", "bob@example.org bob 100%", "čapek_k@example.com rur"];
  const searches: readonly (readonly [text: string, found: readonly number[]])[] = [
    ["", [0, 1, 2]],
    ["a", [0, 1, 2]],
    ["nn", [0]],
    ["example.org", [0, 1]],
    ["@exa", [0, 1, 2]],
    ["ann", [0]],
    ["0%", [1]],
    ["100%", [1]],
    ["%", [1]],
    ["k_k", [2]],
    ["_", [2]],
    ["b_b", []],
    ["čap", [2]],
    ["č", [2]],
    ["cap", []],
    ['"', []],
    ['" OR "', []],
    ["\\", []],
    ["\0", []],
    ["\ud83d", []],
    ["nobody at all", []],
    ["exaple", []], // all its letters, three in a row, and not in this order
    ["ample.", [0, 1, 2]],
    ["anna@example.org anna", [0]],
  ];
  test("users are found by a part of their text, letter for letter", async () => {
    const records = await fresh();
    for (const [index, text] of USERS.entries())
      await insert(records, "users", `u${index}`, {}, { unique: text.split(" ")[0]!, text });
    await insert(records, "users", "unseen", {}, { unique: "zed", text: null });
    await insert(records, "profiles", "p", {}, { unique: "anna", text: "anna of profiles" });
    for (const [text, found] of searches) {
      const { total, records: users } = await records.searchUsers(text, null);
      const ids = users.map(({ id }) => id);
      expect([text, total, ids]).toEqual([text, found.length, found.map((index) => `u${index}`)]);
    }
  });

  test("a search finds the present text of a record", async () => {
    const records = await fresh();
    const countFound = async (text: string): Promise<number> =>
      (await records.searchUsers(text, null)).total;
    await insert(records, "users", "u", {}, { unique: "u", text: "first" });
    const replace = (text: string | null): Promise<unknown> =>
      records.write(AUDITED, async (writing) =>
        writing.replace("users", (await writing.read("users", "u"))!, {}, { unique: "u", text }),
      );
    await replace("second");
    expect([await countFound("first"), await countFound("second")]).toEqual([0, 1]);
    await replace(null);
    expect([await countFound("first"), await countFound("second")]).toEqual([0, 0]);
    await replace("third");
    await records.write(AUDITED, async ({ read, remove }) =>
      remove("users", (await read("users", "u"))!),
    );
    expect(await countFound("third")).toBe(0);
  });

  test("lists come in pages, in the order of ids or addresses", async () => {
    const records = await fresh();
    for (const id of ["c", "B", "a", "Z", "é"]) await insert(records, "keys", id, {});
    for (const id of ["c", "a", "b"])
      await insert(records, "users", id, {}, { unique: `${id}@example.org`, text: "user" });
    const ids = async (page: number): Promise<readonly string[]> =>
      (await records.list("keys", { size: 2, page })).records.map(({ id }) => id);
    expect([await ids(1), await ids(2), await ids(3), await ids(4)]).toEqual([
      ["B", "Z"],
      ["a", "c"],
      ["é"],
      [],
    ]);
    const users = await records.searchUsers("user", { size: 2, page: 1 });
    expect([users.total, users.records.map(({ id }) => id)]).toEqual([3, ["a", "b"]]);
    expect(await records.searchUsers("user", { size: 2, page: 3 })).toEqual({
      total: 3,
      records: [],
    });
    expect((await records.list("keys", { size: 2, page: 9 })).total).toBe(5);
  });

  test("to close waits for what runs, and refuses what comes later", async () => {
    const where = await place();
    const records = await at(where);
    const running = insert(records, "keys", "a", {});
    await records.close();
    expect(await running).not.toBeNull();
    const late = { status: 503, headers: { "Retry-After": "1" } };
    await expect(insert(records, "keys", "b", {})).rejects.toMatchObject(late);
    await expect(records.read("keys", "a")).rejects.toMatchObject(late);
  });

  test.skipIf(isForgotten)("what ran while it was closed is kept", async () => {
    const where = await place();
    const records = await at(where);
    const running = insert(records, "keys", "a", {});
    await records.close();
    await running;
    expect((await (await at(where)).list("keys", null)).total).toBe(1);
  });

  const text = fc.string({ unit: ANY_CHARACTER, maxLength: 8 });
  const members = text.filter((member) => member !== "__proto__");
  const { value: json } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom(null, true, false, "", 0, "\0", "\ud800", "\u2028"),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(narrow),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(narrow),
      text,
      fc.array(tie("value"), { maxLength: 3 }),
      tie("object"),
    ),
    object: fc.dictionary(members, tie("value"), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  }));
  test("every document of every family is read as it was written, to the last letter", async () => {
    const records = await fresh();
    let made = 0;
    const documents = fc.dictionary(members, json, {
      noNullPrototype: true,
    });
    await holdsLater(
      fc.asyncProperty(fc.constantFrom(...RECORD_TYPES), documents, documents, async (...drawn) => {
        const [family, before, after] = drawn;
        const id = `r${++made}`;
        await insert(records, family, id, before);
        expect((await records.read(family, id))!.document).toStrictEqual(before);
        await records.write(AUDITED, async ({ read, replace }) =>
          replace(family, (await read(family, id))!, after, NOTHING),
        );
        expect((await records.read(family, id))!.document).toStrictEqual(after);
      }),
      40,
    );
  });
});

/** As JSON is read: an integer beyond a double's exact range is a bigint, and zero has no sign. */
const narrow = (value: number | bigint): JsonValue => readJson(writeJson(value)).value ?? 0;
