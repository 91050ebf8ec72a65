// The available implementations: one folder each, Weir's own and those of users. A folder whose manifest has variants
// is several implementations with one installation.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { commandLine } from "../../kit/command-line.ts";
import { nearest } from "../../kit/reading/problems.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { behaviourNames } from "./behaviour-names.node.ts";
import { loadModule } from "./load-module.node.ts";
import { readManifest, selectVariant, type Manifest } from "./manifest.ts";
import { decodeTranslation, type Translate } from "./translation.ts";

export interface Implementation {
  readonly id: string; // the name of the folder, and of the variant if there is one: limits/moving-window
  readonly folder: string;
  readonly variant: string | null;
  readonly manifest: Manifest;
  /** Null if the implementation reads its limits from lines of JSON. */
  readonly translate: Translate | null;
}

const MANIFEST = "manifest.yaml";

export const OWN_FOLDER = import.meta.dirname;

export const ownImplementations = (): readonly string[] =>
  readdirSync(OWN_FOLDER)
    .filter((name) => existsSync(join(OWN_FOLDER, name, MANIFEST)))
    .toSorted();

/** How a command line names an implementation: Weir's own by name, another by the path of its folder. */
export function argumentOf({
  folder,
  variant,
}: Pick<Implementation, "folder" | "variant">): string {
  const place = variant === null ? folder : join(folder, variant);
  if (isOwnImplementation({ folder })) return relative(OWN_FOLDER, place);
  const path = relative(process.cwd(), place);
  return path.startsWith(".") ? path : `./${path}`;
}

export const isOwnImplementation = ({ folder }: Pick<Implementation, "folder">): boolean =>
  dirname(folder) === OWN_FOLDER;

/** Finds an implementation by its name or the path of its folder. If it has variants, the name must include one. */
export async function findImplementation(name: string): Promise<Implementation | Failure> {
  const all = await findImplementations(name);
  if (isFailure(all) || all.length === 1) return isFailure(all) ? all : all[0]!;
  return new Failure(
    `${name} has variants; use one of ${all.map(({ variant }) => `${name}/${variant}`).join(", ")}`,
  );
}

/** Finds the named implementation, or all variants of the named folder. */
export async function findImplementations(
  name: string,
): Promise<readonly Implementation[] | Failure> {
  const place = findFolder(name);
  if (isFailure(place)) return place;
  const { folder, variant, shown } = place;
  const written = readFileSync(join(folder, MANIFEST), "utf8");
  const manifest = readManifest(shown, written, behaviourNames());
  if (isFailure(manifest)) return manifest;
  const translate = await loadTranslator(folder);
  if (isFailure(translate)) return translate;
  if (manifest.kind === "http" && translate === null)
    return new Failure(
      `${name} is a server (kind: http) and needs translate.ts or translate.js in the same folder`,
    );
  const variants = Object.keys(manifest.variants);
  if (variant !== null && !variants.includes(variant)) return lacksVariant(name, variant, variants);
  const id = basename(folder);
  if (variants.length === 0) return [{ id, folder, variant: null, manifest, translate }];
  return (variant === null ? variants : [variant]).map((each) => ({
    id: `${id}/${each}`,
    folder,
    variant: each,
    manifest: selectVariant(manifest, each),
    translate,
  }));
}

interface ManifestFolder {
  readonly folder: string;
  readonly variant: string | null;
  readonly shown: string; // path of the manifest, in messages
}

const hasManifest = (folder: string): boolean => existsSync(join(folder, MANIFEST));

function findFolder(name: string): ManifestFolder | Failure {
  const own = ownImplementations();
  const [first = "", variant = null, ...more] = name.split("/");
  if (own.includes(first) && more.length === 0) {
    const folder = join(OWN_FOLDER, first);
    return { folder, variant, shown: join(folder, MANIFEST) };
  }
  if (!name.includes("/") && !name.startsWith(".")) {
    const near = hasManifest(resolve(name)) ? `./${name}` : nearest(name, own);
    return new Failure(
      `no implementation is called "${name}"; ${near === null ? `${commandLine("implementations list")} shows them, and a path names a folder of your own, such as ./my-limiter` : `did you mean "${near}"?`}`,
    );
  }
  const folder = resolve(name);
  if (hasManifest(folder)) return { folder, variant: null, shown: join(name, MANIFEST) };
  if (hasManifest(dirname(folder)))
    return {
      folder: dirname(folder),
      variant: basename(folder),
      shown: join(dirname(name), MANIFEST),
    };
  return new Failure(
    existsSync(folder) && statSync(folder).isDirectory()
      ? `${name} has no ${MANIFEST}; ${commandLine("implementations new NAME")} writes one`
      : `${name} is not a folder`,
  );
}

function lacksVariant(name: string, variant: string, variants: readonly string[]): Failure {
  const near = nearest(variant, variants);
  const correction =
    variants.length === 0
      ? "it has no variants"
      : near === null
        ? `it has ${variants.join(", ")}`
        : `did you mean "${near}"?`;
  return new Failure(`${name}: there is no variant "${variant}"; ${correction}`);
}

/** Weir's translators have the extension of this file, source or compiled; a user's may have either. */
const TRANSLATORS = [`translate${extname(import.meta.filename)}`, "translate.ts", "translate.js"];

async function loadTranslator(folder: string): Promise<Translate | null | Failure> {
  const file = TRANSLATORS.map((name) => join(folder, name)).find((each) => existsSync(each));
  if (file === undefined) return null;
  let translate: unknown;
  try {
    ({ translate } = (await loadModule(file)) as { readonly translate?: unknown });
  } catch (error) {
    return new Failure(`${file} cannot be loaded: ${messageOf(error)}; correct the file`);
  }
  if (typeof translate !== "function")
    return new Failure(`${file} has no translate; export a function translate(wanted, site)`);
  return (wanted, site) => {
    let translation: unknown;
    try {
      translation = translate(wanted, site);
    } catch (error) {
      throw new Error(
        `${file} failed: ${messageOf(error)}; correct translate, or let it return { cannot: ["sentence"] }`,
        { cause: error },
      );
    }
    return decodeTranslation(file, translation);
  };
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
