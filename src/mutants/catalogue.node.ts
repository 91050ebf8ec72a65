// Where the mutants are, and how they come into force.
import { readdirSync, statSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parts, type Mutant, type NamedMutant } from "./mutant.ts";
import { switchedSource } from "./switched-source.ts";

const SOURCES = new URL("../", import.meta.url);
const FOLDER = fileURLToPath(new URL("../../test/mutants/", import.meta.url));

/** Every mutant of the checkout, by name; null where there is no checkout around. */
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

/** From here on, modules that are loaded have switches where the mutants want them. */
export function installSwitches(addresses: readonly string[]): void {
  const wanted = new Map<string, string[]>();
  for (const replaces of new Set(addresses)) {
    const { file, member } = parts({ replaces });
    wanted.set(file, [...(wanted.get(file) ?? []), member]);
  }
  const switchboard = new URL(`switchboard${extname(import.meta.filename)}`, import.meta.url).href;
  registerHooks({
    load(url, context, nextLoad) {
      const file = url.startsWith(SOURCES.href)
        ? url.slice(SOURCES.href.length).replace(/\.js$/, ".ts")
        : "";
      const members = wanted.get(file);
      const loaded = nextLoad(url, context);
      if (members === undefined) return loaded;
      const source = textOf(loaded.source);
      const script = loaded.format === "module-typescript" ? stripTypeScriptTypes(source) : source;
      return {
        format: "module",
        source: switchedSource(script, file, members, switchboard),
        shortCircuit: true,
      };
    },
  });
}

const textOf = (source: string | NodeJS.TypedArray | ArrayBuffer | undefined): string =>
  typeof source === "string" ? source : new TextDecoder().decode(source);
