// Bundles the scripts of pages and compiles the templates of charts.
import { join } from "node:path";
import { rolldown, type OutputChunk } from "rolldown";
import { templates } from "../figures/templates.ts";
import type { PartsOfPage } from "./part-files.node.ts";

interface BuiltParts {
  readonly parts: PartsOfPage;
  /** The paths of all modules in the scripts. */
  readonly modules: readonly string[];
}

export async function buildParts(): Promise<BuiltParts> {
  const script = await bundle(join(import.meta.dirname, "script/main.ts"));
  const live = await bundle(join(import.meta.dirname, "script/live.ts"));
  return {
    parts: {
      script: inPage(script.code),
      templates: inPage(JSON.stringify(templates())),
      live: inPage(live.code),
    },
    modules: [...script.moduleIds, ...live.moduleIds],
  };
}

async function bundle(input: string): Promise<OutputChunk> {
  const bundler = await rolldown({ input, platform: "browser" });
  const { output } = await bundler.generate({ format: "esm", minify: true });
  await bundler.close();
  if (output.length > 1) throw new Error(`the bundle of ${input} has more than one file`);
  return output[0];
}

/** Escapes whatever would end the script element or start a comment. */
const inPage = (text: string): string =>
  text.replaceAll(/<\/(?=script)/gi, String.raw`<\/`).replaceAll("<!--", String.raw`<\!--`);
