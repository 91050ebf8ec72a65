// Where the mutants are.
import { readdirSync, statSync } from "node:fs";
import { registerHooks } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Mutant, NamedMutant } from "./mutant.ts";
import type { ScriptMutant } from "./script-mutant.ts";

const MUTANTS = new URL("../../test/mutants/", import.meta.url);
const SOURCES = new URL("../../src/", import.meta.url).href;
const RUNNING = new URL("../", import.meta.url).href;
const FOLDER = fileURLToPath(MUTANTS);

/** Every mutant of the checkout, by name; null where there is no checkout around. */
export async function catalogue(): Promise<readonly NamedMutant[] | null> {
  if (statSync(FOLDER, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /^[^/]+\/[^/]+\.ts$/.test(file))
    .toSorted();
  const redirection = redirectImports();
  try {
    return await Promise.all(
      files.map(async (file) => {
        const { mutant } = (await import(pathToFileURL(join(FOLDER, file)).href)) as {
          readonly mutant: Mutant;
        };
        return { ...mutant, by: mutant.by.bind(mutant), name: file.slice(0, -".ts".length) };
      }),
    );
  } finally {
    redirection?.deregister();
  }
}

/** Every mutant of the scripts for Redis; null where there is no checkout around. */
export async function scriptCatalogue(): Promise<readonly ScriptMutant[] | null> {
  const file = new URL("scripts.ts", MUTANTS);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const { scriptMutants } = (await import(file.href)) as {
    readonly scriptMutants: readonly ScriptMutant[];
  };
  return scriptMutants;
}

/**
 * Mutants import from `src`. When the compiled copy runs, these imports resolve to `dist`: a constant of the other copy
 * would be equal to nothing that the gateway under test compares it with.
 */
function redirectImports(): ReturnType<typeof registerHooks> | null {
  if (extname(import.meta.filename) === ".ts") return null;
  return registerHooks({
    resolve(specifier, context, nextResolve) {
      const { parentURL } = context;
      if (parentURL?.startsWith(MUTANTS.href) !== true || !specifier.startsWith("."))
        return nextResolve(specifier, context);
      const { href } = new URL(specifier, parentURL);
      return href.startsWith(SOURCES)
        ? nextResolve(href.replace(SOURCES, RUNNING).replace(/\.ts$/, ".js"), context)
        : nextResolve(specifier, context);
    },
  });
}
