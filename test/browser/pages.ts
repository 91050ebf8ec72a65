// The pages that the tests open, each built once, by the first test that needs it.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { pageText } from "#src/show/page/page-text.node.ts";
import { entry } from "../built.ts";
import { measuredDocuments } from "./measured-documents.ts";
import { smallReport } from "./small-suite.ts";

const root = join(import.meta.dirname, "../..");

const made = new Map<string, Promise<string>>();

export function once(name: string, make: (file: string) => Promise<void>): Promise<string> {
  const file = join(inject("folder"), name);
  const known = made.get(file) ?? make(file).then(() => file);
  made.set(file, known);
  return known;
}

export const smallPage = (): Promise<string> =>
  once("small.html", async (file) => writeFileSync(file, await pageText(await smallReport(), [])));

/** The page that `npm start` leaves, of this project's own suite. `.ci/run` has just run it (test/suite-run.ts). */
export async function suitePage(): Promise<string> {
  if (process.env["WEIR_SUITE_RUN"] !== undefined) return join(root, "reports/runs/latest.html");
  return once("suite.html", async (file) => {
    await weir("run", "scenarios", "--html", file);
  });
}

/** What `weir report` draws of one document of each kind that is measured. */
export const pageOfMeasurements = (): Promise<string> =>
  once("measured.html", async (file) => {
    for (const [name, text] of Object.entries(measuredDocuments))
      writeFileSync(join(inject("folder"), name), text);
    const documents = Object.keys(measuredDocuments).filter((name) => name.endsWith(".json"));
    await weir("report", ...documents.map((name) => join(inject("folder"), name)), "-o", file);
  });

const weir = (...args: readonly string[]): Promise<unknown> =>
  promisify(execFile)(process.execPath, [entry(), ...args], {
    cwd: root,
  });

/** The small page with something changed in its text. */
export const pageWithChange = (name: string, change: (text: string) => string): Promise<string> =>
  once(name, async (file) => {
    const text = readFileSync(await smallPage(), "utf8");
    const changed = change(text);
    if (changed === text) throw new Error("nothing was changed");
    writeFileSync(file, changed);
  });
