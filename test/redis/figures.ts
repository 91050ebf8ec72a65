// What the tests of outages measured, for docs/serve/reliability.md: one line each, left where nothing is committed.
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../reports/runs");

export function noteFigures(
  what: string,
  figures: Readonly<Record<string, number | string>>,
): void {
  mkdirSync(FOLDER, { recursive: true });
  const rounded = Object.entries(figures).map(([name, value]) => [
    name,
    typeof value === "number" ? Math.round(value * 10) / 10 : value,
  ]);
  const line = JSON.stringify({ what, ...Object.fromEntries(rounded) });
  appendFileSync(join(FOLDER, "reliability.jsonl"), `${line}\n`);
}
