// Loads a module of a user. Node strips types; what it cannot strip or find is loaded by tsx, if the user has installed it.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** Errors of Node before any code of the module has run. Decorators and JSX are a SyntaxError without a code. */
const NOT_STRIPPED: ReadonlySet<string | undefined> = new Set([
  "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX", // enums, namespaces, parameter properties
  "ERR_INVALID_TYPESCRIPT_SYNTAX",
  "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING",
  "ERR_MODULE_NOT_FOUND", // paths of tsconfig.json, imports without an ending
  "ERR_UNSUPPORTED_DIR_IMPORT",
  "ERR_UNKNOWN_FILE_EXTENSION",
]);

interface Tsx {
  readonly tsImport: (
    url: string,
    options: { readonly parentURL: string; readonly tsconfig: string | false },
  ) => Promise<object>;
}

const needsTsx = (file: string, error: unknown): boolean =>
  /\.[cm]?ts$/.test(file) &&
  error instanceof Error &&
  (error instanceof SyntaxError || NOT_STRIPPED.has((error as NodeJS.ErrnoException).code));

/** The user's tsx, as a module of the same folder finds it; null: there is none. */
async function findTsx(file: string): Promise<Tsx | null> {
  let api: string;
  try {
    api = createRequire(file).resolve("tsx/esm/api");
  } catch {
    return null;
  }
  return (await import(pathToFileURL(api).href)) as Tsx;
}

/** The nearest tsconfig.json, with the paths and the kind of decorators; false: there is none. */
function findConfiguration(folder: string): string | false {
  const file = join(folder, "tsconfig.json");
  if (existsSync(file)) return file;
  return dirname(folder) === folder ? false : findConfiguration(dirname(folder));
}

/** Throws the error of the module. If tsx may help and is missing, its message ends with the command that installs it. */
export async function loadModule(file: string): Promise<object> {
  const url = pathToFileURL(file).href;
  try {
    return (await import(url)) as object;
  } catch (error) {
    if (!needsTsx(file, error)) throw error;
    const tsx = await findTsx(file);
    // By itself tsx reads the configuration of the folder of the process.
    if (tsx !== null)
      return tsx.tsImport(url, { parentURL: url, tsconfig: findConfiguration(dirname(file)) });
    const { message } = error as Error;
    throw new Error(
      `${message.split("\n")[0]}; if this is TypeScript that Node cannot strip, run npm i -D tsx in ${dirname(file)}`,
      { cause: error },
    );
  }
}
