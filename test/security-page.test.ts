// What the threat model names as its proof exists, and every threat has one.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs/serve/security.md"), "utf8");
const [, section = ""] = page.split("## Threats");
const threats = section
  .slice(0, section.indexOf("\n## "))
  .split(/^- /m)
  .slice(1)
  .map((item) => {
    const [, threat = "", shown = ""] =
      /^\*\*(.+?)\.\*\* .* Shown by (.*)$/s.exec(item.trim().replaceAll(/\s+/g, " ")) ?? [];
    return [threat, shown] as const;
  });

test("the page has its threats", () => {
  expect(threats.length).toBeGreaterThan(20);
});

test.each(threats)("%s: what shows it exists", (_, shown) => {
  const named = [...shown.matchAll(/`((?:test|scenarios)\/[^`]+)`(?: \("([^"]+)"\))?/g)];
  expect(named.length).toBeGreaterThan(0);
  for (const [, file = "", title = ""] of named) {
    expect({ file, exists: existsSync(join(root, file)) }).toEqual({ file, exists: true });
    expect(readFileSync(join(root, file), "utf8")).toContain(title);
  }
});
