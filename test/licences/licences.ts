// npm run licences: the licence of every package whose code ships, and an error for one that is not permissive. The build
// lists them in dist/third-party-licences.txt.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { entry } from "../built.ts";

export interface Licensed {
  readonly name: string;
  readonly licence: string | null;
}

const PERMISSIVE: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "Unlicense",
  "Zlib",
]);

/** The first line of each package in the list of the build. */
const PACKAGE = /^(\S+@\d\S*) \((.+)\)$/gm;

export const parseLicences = (text: string): readonly Licensed[] =>
  [...text.matchAll(PACKAGE)].map(([, name = "", licence = ""]) => ({
    name,
    licence: licence === "no licence" ? null : licence,
  }));

/** Builds first if the sources have changed. */
export const readBundledPackages = (): readonly Licensed[] =>
  parseLicences(readFileSync(join(dirname(entry()), "../third-party-licences.txt"), "utf8"));

/** Of an SPDX expression. Words that are none, such as "SEE LICENSE IN", are not permissive. */
export function isPermissive(expression: string | null): boolean {
  if (expression === null) return false;
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const one = (): boolean => {
    const word = words[at++];
    if (word !== "(") return word !== undefined && PERMISSIVE.has(word);
    const inner = either();
    return words[at++] === ")" && inner;
  };
  const all = (): boolean => {
    let value = one();
    while (words[at] === "AND") {
      at++;
      value = one() && value;
    }
    return value;
  };
  const either = (): boolean => {
    let value = all();
    while (words[at] === "OR") {
      at++;
      value = all() || value;
    }
    return value;
  };
  return either() && at === words.length;
}

/** The lines to print, and those of what must not ship. */
export function report(licensed: readonly Licensed[]): {
  readonly lines: readonly string[];
  readonly wrong: readonly string[];
} {
  const byLicence = Map.groupBy(licensed, ({ licence }) => licence ?? "no licence");
  const lines = [...byLicence]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(
      ([licence, all]) => `${licence} (${all.length}): ${all.map(({ name }) => name).join(" ")}`,
    );
  const wrong = licensed
    .filter(({ licence }) => !isPermissive(licence))
    .map(({ name, licence }) => `${name} has ${licence ?? "no licence"}: replace it, or ask first`);
  return { lines, wrong };
}

if (import.meta.main) {
  const licensed = readBundledPackages();
  const { lines, wrong } = report(licensed);
  for (const line of lines) console.log(line);
  for (const line of wrong) console.error(`licences: ${line}`);
  console.log(`${licensed.length} packages ship, ${wrong.length} of them not permissive`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
