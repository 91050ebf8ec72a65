// Whatever writers of records call what they write, an operator who lists it sees lines of ours, and no escapes.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { recordsInFile } from "#src/gateway/management/records/sqlite.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { folderWith, weir } from "./weir.ts";

const SLY = "\u001B]0;title\u0007\n2026-01-01T00:00:00Z  admin  forged \u009B8m\u202E";
const CONTROLS = /[^\n -~\u00A0-\u2027\u202F-\u2065\u206A-\uFFFF]/;

test("what records hold begins no line of a list, and means nothing to a terminal", async () => {
  const folder = folderWith({});
  mkdirSync(join(folder, ".weir"), { mode: 0o700 });
  const records = requireValue(await recordsInFile(join(folder, ".weir/weir.db")));
  const policy = { id: "p", rate: 1, per: 1, access_rights: {}, name: SLY, [SLY]: SLY };
  const write = { actor: "test", operation: "test", atUs: 0 };
  const found = { unique: null, text: null };
  await records.write(write, (writing) => writing.insert("policies", "p", policy, found));
  await records.write({ ...write, atUs: 1e6 }, async (writing) => {
    const before = await writing.read("policies", "p");
    await writing.replace("policies", before!, { ...policy, [SLY]: 2, name: "other" }, found);
  });
  await records.write(write, async (writing) => {
    await writing.insert("tokens", "t\u202Ee", { role: "read" }, { unique: "1", text: null });
  });
  await records.close();
  const outputOf = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await weir(folder, [...args, "--records", "sqlite"]);
    expect({ args, code, err }).toEqual({ args, code: 0, err: "" });
    expect(out).not.toMatch(CONTROLS);
    return out;
  };
  expect(await outputOf("audit")).not.toMatch(/^2026-01-01/m);
  expect(JSON.parse(await outputOf("audit", "--json")).entries).toContainEqual(
    expect.objectContaining({ before: expect.objectContaining({ [SLY]: SLY, name: SLY }) }),
  );
  expect((await outputOf("tokens")).split("\n")).toHaveLength(2);
  expect(JSON.parse(await outputOf("tokens", "--json")).tokens[0].id).toBe("t\u202Ee");
  expect(parse(await outputOf("export")).policies.p).toMatchObject({ [SLY]: 2, name: "other" });
});
