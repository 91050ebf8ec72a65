// Bundles the scripts of pages, and compiles what charts are made of. Run by itself it leaves all in the folder named.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { templates } from "../figures/templates.ts";
import { fileOf, type PartsOfPage } from "./part-files.node.ts";

export const buildParts = async (): Promise<PartsOfPage> => ({
  script: await bundled(join(import.meta.dirname, "script/main.ts")),
  templates: inPage(JSON.stringify(templates())),
  live: await bundled(join(import.meta.dirname, "script/live.ts")),
});

async function bundled(input: string): Promise<string> {
  const bundle = await rolldown({ input, platform: "browser" });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  await bundle.close();
  if (output.length > 1) throw new Error(`${input} becomes more than one piece`);
  return inPage(output[0].code);
}

/** Nothing in it may end the element that it stands in, or begin a comment there. */
const inPage = (text: string): string =>
  text.replaceAll(/<\/(?=script)/gi, String.raw`<\/`).replaceAll("<!--", String.raw`<\!--`);

if (import.meta.main) {
  const [folder = ""] = process.argv.slice(2);
  if (folder === "") throw new Error("name the folder in which the parts of the page go");
  const made = await buildParts();
  mkdirSync(folder, { recursive: true });
  // Beside compiled modules: one of the same name is not written over.
  for (const part of ["script", "templates", "live"] as const)
    writeFileSync(fileOf(folder, part), made[part], { flag: "wx" });
}
