// Writes the declarations of the package's entries: those files alone that the types of an entry need.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isolatedDeclarationSync } from "rolldown/experimental";

const ENTRIES = ["library/weir.node.ts", "library/core.ts", "library/vitest.node.ts"];

const RELATIVE = /(?<= from ")\.[^"]+(?=\.ts")/g;

export function writeTypes(sources: string, folder: string): void {
  const files = [...ENTRIES];
  for (const file of files) {
    const path = join(sources, file);
    const { code, errors } = isolatedDeclarationSync(path, readFileSync(path, "utf8"));
    const [first] = errors;
    if (first !== undefined) throw new Error(`${file}: ${first.message}`);
    for (const [relative] of code.matchAll(RELATIVE)) {
      const next = join(dirname(file), `${relative}.ts`);
      if (!files.includes(next)) files.push(next);
    }
    const target = join(folder, file.replace(/\.ts$/, ".d.ts"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code.replaceAll(/(?<= from "\.[^"]+)\.ts(?=")/g, ".js"));
  }
}
