import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Axe {
  readonly run: (options: object) => Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly impact: string | null;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>;
}

/** What axe-core has against a page, where it is serious. The page's own policy lets it in only if it is passed by. */
export async function seriousIn(
  page: Page,
  rules: readonly string[] | null = null, // null: all of them
): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (values) =>
      (globalThis as unknown as { axe: Axe }).axe.run({
        resultTypes: ["violations"],
        ...(values === null ? {} : { runOnly: { type: "rule", values } }),
      }),
    rules,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`);
}

/** By how many pixels the content of a page is wider than its window. */
export const overhangOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
