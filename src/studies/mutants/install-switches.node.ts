// Installs the switches of mutants. A file of its own, because switches need a parser that an installed Weir lacks.
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { parseAddress } from "./mutant.ts";
import { insertSwitches } from "./switched-source.ts";

const SOURCES = new URL("../../", import.meta.url);

/** Adds switches at these addresses to modules that are loaded from now on. */
export function installSwitches(addresses: readonly string[]): void {
  const wanted = new Map<string, string[]>();
  for (const replaces of new Set(addresses)) {
    const { file, member } = parseAddress({ replaces });
    wanted.set(file, [...(wanted.get(file) ?? []), member]);
  }
  const switchboard = new URL("switchboard.ts", import.meta.url).href;
  registerHooks({
    load(url, context, nextLoad) {
      const file = url.startsWith(SOURCES.href) ? url.slice(SOURCES.href.length) : "";
      const members = wanted.get(file);
      const loaded = nextLoad(url, context);
      if (members === undefined) return loaded;
      const script = stripTypeScriptTypes(textOf(loaded.source));
      return {
        format: "module",
        source: insertSwitches(script, file, members, switchboard),
        shortCircuit: true,
      };
    },
  });
}

const textOf = (source: string | NodeJS.TypedArray | ArrayBuffer | undefined): string =>
  typeof source === "string" ? source : new TextDecoder().decode(source);
