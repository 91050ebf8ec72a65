// Loads the mutants of the checkout.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Mutant, NamedMutant } from "./mutant.ts";
import type { ScriptMutant } from "./script-mutant.ts";

const MUTANTS = new URL("../../../test/studies/mutants/", import.meta.url);
const FOLDER = fileURLToPath(MUTANTS);

/** Every mutant of the checkout, by name; null without a checkout. */
export async function catalogue(): Promise<readonly NamedMutant[] | null> {
  if (statSync(FOLDER, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /^[^/]+\/[^/]+\.ts$/.test(file))
    .toSorted();
  return Promise.all(
    files.map(async (file) => {
      const { mutant } = (await import(pathToFileURL(join(FOLDER, file)).href)) as {
        readonly mutant: Mutant;
      };
      return { ...mutant, by: mutant.by.bind(mutant), name: file.slice(0, -".ts".length) };
    }),
  );
}

/** Every mutant of the scripts for Redis; null without a checkout. */
export async function scriptCatalogue(): Promise<readonly ScriptMutant[] | null> {
  const file = new URL("scripts.ts", MUTANTS);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const { scriptMutants } = (await import(file.href)) as {
    readonly scriptMutants: readonly ScriptMutant[];
  };
  return scriptMutants;
}
