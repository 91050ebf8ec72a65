// The implementations that there are: one folder each, Weir's own and those of users.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { nearest } from "../reading/problems.ts";
import { readManifest, type Manifest } from "./manifest.ts";
import type { Translate } from "./translation.ts";

export interface Implementation {
  readonly id: string; // the name of its folder
  readonly folder: string;
  readonly manifest: Manifest;
  /** Null: it is told its limits by lines of JSON. */
  readonly translate: Translate | null;
}

const MANIFEST = "manifest.yaml";

export const OWN_FOLDER = import.meta.dirname;

export const ownImplementations = (): readonly string[] =>
  readdirSync(OWN_FOLDER)
    .filter((name) => existsSync(join(OWN_FOLDER, name, MANIFEST)))
    .toSorted();

/** By its name, or by the path of its folder. A string says why there is none. */
export async function findImplementation(name: string): Promise<Implementation | string> {
  const isPath = name.includes("/") || name.startsWith(".");
  const own = ownImplementations();
  if (!isPath && !own.includes(name)) {
    const near = nearest(name, own);
    return `no implementation is called "${name}"; ${near === null ? "weir implementations list shows them, and a path names a folder of your own, such as ./my-limiter" : `did you mean "${near}"?`}`;
  }
  const folder = isPath ? resolve(name) : join(OWN_FOLDER, name);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return `${name} is not a folder`;
  const file = join(folder, MANIFEST);
  if (!existsSync(file)) return `${name} has no ${MANIFEST}; weir implementations new writes one`;
  const read = readManifest(isPath ? join(name, MANIFEST) : file, readFileSync(file, "utf8"));
  if ("problems" in read) return read.problems.join("\n");
  const { manifest } = read;
  const translate = await loadTranslator(folder);
  if (manifest.kind === "http" && translate === null)
    return `${name} is a server (kind: http) and needs translate.ts or translate.js beside its manifest`;
  return { id: basename(folder), folder, manifest, translate };
}

/** As source beside sources, and compiled beside compiled code; a user's may be either. */
const TRANSLATORS = [`translate${extname(import.meta.filename)}`, "translate.ts", "translate.js"];

async function loadTranslator(folder: string): Promise<Translate | null> {
  const file = TRANSLATORS.map((name) => join(folder, name)).find((each) => existsSync(each));
  if (file === undefined) return null;
  const loaded = (await import(pathToFileURL(file).href)) as { readonly translate?: unknown };
  if (typeof loaded.translate !== "function")
    throw new Error(`${file} has to export a function translate(wanted, site)`);
  return loaded.translate as Translate;
}
