// weir diff with folders: one reader gets all of the files of a folder.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, weir } from "./weir.ts";

const LOG = Array.from(
  { length: 3 },
  () => `192.0.2.1 - - [05/Jan/2026:10:00:00 +0000] "GET /a/ HTTP/1.1" 200 1 "-" "x"\n`,
).join("");

const API = JSON.stringify({ api_id: "a", name: "a", proxy: { listen_path: "/a/" } });

const policies = (rate: number): string =>
  JSON.stringify({ gold: { rate, per: 60, access_rights: { a: {} } } });

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = folderWith({ "access.log": LOG });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const diff = (folder: string, ...more: readonly string[]): ReturnType<typeof weir> =>
  weir(folder, ["diff", "old", "new", "--log", "access.log", ...more]);

test("folders of Tyk's files are compared, and other files in them are left out", async () => {
  const folder = folderOf({
    "old/apps/a.json": API,
    "old/policies/policies.json": policies(3),
    "new/apps/a.json": API,
    "new/policies/policies.json": policies(2),
    "new/package.json": "{}",
    "new/docker-compose.yml": "services: {}\n",
  });
  const { code, out } = await diff(folder);
  expect(code).toBe(0);
  const lines = out.split("\n");
  expect(lines[0]).toBe(
    "1 client would lose 33.3 % of its requests: 192.0.2.1; none would gain one.",
  );
  expect(lines).toContain("after: new (tyk)");
  expect(lines).toContain("  2/1m  policy gold, new/policies/policies.json:1, counts 3 requests");
});

test("a folder without configurations, and one of two kinds, are one sentence each", async () => {
  const empty = folderOf({ "old/a.json": "{}", "new/apps/a.json": API });
  const { code, err } = await diff(empty);
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/^weir diff: old is a folder without files of tyk.*; name the main file/),
  ]);
  const wrong = await diff(empty, "--kind", "nginx");
  expect(wrong.err).toContain("old is a folder without files of nginx; name the main file");
});
