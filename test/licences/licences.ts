// npm run licences: the licence of everything that ships, and an error for one that is not permissive. What ships is what the lock file
// installs without development dependencies, for every platform, and what the build puts into dist itself.
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
}

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

/** Development dependencies whose code the build copies into the page of a report. */
export const BUNDLED: readonly string[] = ["vega-interpreter"];

const PLACE = "node_modules/";

export function shippedIn(
  packages: Readonly<Record<string, LockedPackage>>,
  bundled: readonly string[],
): readonly Licensed[] {
  return Object.entries(packages).flatMap(([place, { version, license, dev }]) => {
    const start = place.lastIndexOf(PLACE);
    if (start < 0) return []; // the project itself
    const name = place.slice(start + PLACE.length);
    if (dev === true && !bundled.includes(name)) return [];
    return [{ name: `${name}@${version ?? "?"}`, licence: license ?? null }];
  });
}

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

export function lockedPackages(): Readonly<Record<string, LockedPackage>> {
  const file = join(import.meta.dirname, "../../package-lock.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, LockedPackage> })
    .packages;
}

if (import.meta.main) {
  const licensed = shippedIn(lockedPackages(), BUNDLED);
  const { lines, wrong } = report(licensed);
  for (const line of lines) console.log(line);
  for (const line of wrong) console.error(`licences: ${line}`);
  console.log(`${licensed.length} packages ship, ${wrong.length} of them not permissive`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
