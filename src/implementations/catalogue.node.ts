// The implementations that there are: one folder each, Weir's own and those of users.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { nearest } from "../reading/problems.ts";
import { Failure, isFailure } from "../reading/failure.ts";
import { readManifest, type Manifest } from "./manifest.ts";
import type { Translate } from "./translation.ts";

export interface Implementation {
  readonly id: string; // the name of its folder
  readonly folder: string;
  readonly manifest: Manifest;
  /** Null: it reads its limits from lines of JSON. */
  readonly translate: Translate | null;
}

const MANIFEST = "manifest.yaml";

export const OWN_FOLDER = import.meta.dirname;

export const ownImplementations = (): readonly string[] =>
  readdirSync(OWN_FOLDER)
    .filter((name) => existsSync(join(OWN_FOLDER, name, MANIFEST)))
    .toSorted();

/** By its name, or by the path of its folder. */
export async function findImplementation(name: string): Promise<Implementation | Failure> {
  const isPath = name.includes("/") || name.startsWith(".");
  const own = ownImplementations();
  if (!isPath && !own.includes(name)) {
    const near = nearest(name, own);
    return new Failure(
      `no implementation is called "${name}"; ${near === null ? "weir implementations list shows them, and a path names a folder of your own, such as ./my-limiter" : `did you mean "${near}"?`}`,
    );
  }
  const folder = isPath ? resolve(name) : join(OWN_FOLDER, name);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    return new Failure(`${name} is not a folder`);
  const file = join(folder, MANIFEST);
  if (!existsSync(file))
    return new Failure(`${name} has no ${MANIFEST}; weir implementations new writes one`);
  const read = readManifest(isPath ? join(name, MANIFEST) : file, readFileSync(file, "utf8"));
  if (isFailure(read)) return read;
  const manifest = read;
  const translate = await loadTranslator(folder);
  if (manifest.kind === "http" && translate === null)
    return new Failure(
      `${name} is a server (kind: http) and needs translate.ts or translate.js in the same folder`,
    );
  return { id: basename(folder), folder, manifest, translate };
}

/** Source where this is source, and compiled where this is compiled; a user's may be either. */
const TRANSLATORS = [`translate${extname(import.meta.filename)}`, "translate.ts", "translate.js"];

async function loadTranslator(folder: string): Promise<Translate | null> {
  const file = TRANSLATORS.map((name) => join(folder, name)).find((each) => existsSync(each));
  if (file === undefined) return null;
  const loaded = (await import(pathToFileURL(file).href)) as { readonly translate?: unknown };
  if (typeof loaded.translate !== "function")
    throw new Error(`${file} has to export a function translate(wanted, site)`);
  return loaded.translate as Translate;
}
