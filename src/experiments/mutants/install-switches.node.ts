// How mutants come into force. Apart from where they are: it needs a parser that an installed Weir does not have.
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { parts } from "./mutant.ts";
import { switchedSource } from "./switched-source.ts";

const SOURCES = new URL("../../", import.meta.url);

/** From here on, modules that are loaded have switches where the mutants want them. */
export function installSwitches(addresses: readonly string[]): void {
  const wanted = new Map<string, string[]>();
  for (const replaces of new Set(addresses)) {
    const { file, member } = parts({ replaces });
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
        source: switchedSource(script, file, members, switchboard),
        shortCircuit: true,
      };
    },
  });
}

const textOf = (source: string | NodeJS.TypedArray | ArrayBuffer | undefined): string =>
  typeof source === "string" ? source : new TextDecoder().decode(source);
