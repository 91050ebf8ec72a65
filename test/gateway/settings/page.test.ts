import { join } from "node:path";
import { expect, test } from "vitest";
import { SETTINGS_CODES } from "#src/gateway/settings/codes.ts";
import { settingsPage } from "./page.ts";
import { SETTING_NAMES, variableOf } from "#src/gateway/settings/table.ts";

test("docs/reference/settings.md equals the table of settings", async () => {
  const file = join(import.meta.dirname, "../../../docs/reference/settings.md");
  await expect(settingsPage()).toMatchFileSnapshot(file);
});

test("every setting, variable and code is on the page", () => {
  const page = settingsPage();
  const all = [...SETTING_NAMES, ...SETTING_NAMES.map(variableOf), ...Object.keys(SETTINGS_CODES)];
  expect(
    all.filter((name) => !page.includes(`| \`${name}\` |`) && !page.includes(` \`${name}\` `)),
  ).toEqual([]);
});
