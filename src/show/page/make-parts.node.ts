// Bundles the scripts of pages and compiles the templates of charts.
import { join } from "node:path";
import { rolldown } from "rolldown";
import { templates } from "../figures/templates.ts";
import type { PartsOfPage } from "./part-files.node.ts";

export const buildParts = async (): Promise<PartsOfPage> => ({
  script: await bundle(join(import.meta.dirname, "script/main.ts")),
  templates: inPage(JSON.stringify(templates())),
  live: await bundle(join(import.meta.dirname, "script/live.ts")),
});

async function bundle(input: string): Promise<string> {
  const bundler = await rolldown({ input, platform: "browser" });
  const { output } = await bundler.generate({ format: "esm", minify: true });
  await bundler.close();
  if (output.length > 1) throw new Error(`the bundle of ${input} has more than one file`);
  return inPage(output[0].code);
}

/** Escapes whatever would end the script element or start a comment. */
const inPage = (text: string): string =>
  text.replaceAll(/<\/(?=script)/gi, String.raw`<\/`).replaceAll("<!--", String.raw`<\!--`);
