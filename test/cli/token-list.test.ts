import { expect, test } from "vitest";
import { linesOfList } from "#src/cli/tokens.node.ts";
import { recordsInMemory } from "#src/gateway/management/records/sqlite.node.ts";
import { folderWith, weir } from "./weir.ts";

const LONG = 1_000;

async function recordsWith(count: number) {
  const records = await recordsInMemory();
  await records.write({ actor: "test", operation: "test", atUs: 0 }, async (writing) => {
    for (let i = 0; i < count; i++)
      await writing.insert(
        "tokens",
        `t${String(i).padStart(4, "0")}`,
        { role: "read" },
        {
          unique: `${i}`,
          text: null,
        },
      );
  });
  return records;
}

test.each([0, 1, 2, 50, 51, LONG])(
  "%i tokens are one JSON document and as many lines",
  async (count) => {
    const records = await recordsWith(count);
    const json = (await Array.fromAsync(linesOfList(records, true))).join("\n");
    const document = JSON.parse(json) as { readonly tokens: readonly { readonly id: string }[] };
    expect(document).toMatchObject({ format: "weir-tokens/1" });
    expect(document.tokens.map(({ id }) => Number(id.slice(1)))).toEqual([...Array(count).keys()]);
    const lines = await Array.fromAsync(linesOfList(records, false));
    expect(lines).toHaveLength(count);
    for (const line of lines)
      expect(line).toMatch(
        /^t\d{4}  read  all interfaces  all organisations  no expiry  never used$/,
      );
  },
);

test("no more of them are read than are shown next", async () => {
  const { list, next } = await recordsWith(LONG);
  let read = 0;
  const lines = linesOfList(
    {
      list: async (family, page) => {
        const listed = await list(family, page);
        read += listed.records.length;
        return listed;
      },
      next: async (...given) => {
        const piece = await next(...given);
        read += piece.length;
        return piece;
      },
    },
    true,
  );
  for (let shown = 0; shown < 600; shown++) {
    await lines.next();
    expect(read - shown).toBeLessThanOrEqual(100);
  }
});

test.each([
  [["add", "ci"], "--role must be read, write or audit"],
  [
    ["add", "ci", "--role", "read", "--expires", "tomorrow"],
    "--expires must be a time such as 2027-01-31T00:00:00Z",
  ],
  [["revoke", "nobody"], 'there is no token "nobody"; weir tokens lists them'],
])("weir tokens %j is rejected with the flag or the id", async (args, sentence) => {
  const folder = folderWith({ "weir.yaml": "world: world.yaml", "world.yaml": "apis: {}" });
  expect(await weir(folder, ["import", "world.yaml"])).toMatchObject({ code: 0 });
  const { code, err } = await weir(folder, ["tokens", ...args]);
  expect({ code, err }).toMatchObject({
    code: 2,
    err: expect.stringContaining(sentence) as string,
  });
});
