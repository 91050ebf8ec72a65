// Writes the declarations of the package's entries: those files alone that the types of an entry need.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isolatedDeclarationSync } from "rolldown/experimental";
import { ALGORITHMS } from "../src/limiter/core/algorithms.ts";

const ENTRIES = ["library/weir.node.ts", "library/core.ts", "library/vitest.node.ts"];

/** Its types are inferred from the registry, which needs a compiler. Entries need this one. */
const REGISTRY = "limiter/core/algorithms.ts";
const OF_REGISTRY = `export type Algorithm = ${ALGORITHMS.map((name) => `"${name}"`).join(" | ")};\n`;

const RELATIVE = /(?<= from ")\.[^"]+(?=\.ts")/g;

export function writeTypes(sources: string, folder: string): void {
  const files = [...ENTRIES];
  for (const file of files) {
    const code = file === REGISTRY ? OF_REGISTRY : declarationsOf(join(sources, file));
    for (const [relative] of code.matchAll(RELATIVE)) {
      const next = join(dirname(file), `${relative}.ts`);
      if (!files.includes(next)) files.push(next);
    }
    const target = join(folder, file.replace(/\.ts$/, ".d.ts"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code.replaceAll(/(?<= from "\.[^"]+)\.ts(?=")/g, ".js"));
  }
}

function declarationsOf(path: string): string {
  const { code, errors } = isolatedDeclarationSync(path, readFileSync(path, "utf8"));
  const [first] = errors;
  if (first !== undefined) throw new Error(`${path}: ${first.message}`);
  return code;
}
