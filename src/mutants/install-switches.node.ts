// How mutants come into force. Apart from where they are: it needs a parser that an installed Weir does not have.
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { extname } from "node:path";
import { parts } from "./mutant.ts";
import { switchedSource } from "./switched-source.ts";

const SOURCES = new URL("../", import.meta.url);

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
