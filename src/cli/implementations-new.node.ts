// Writes the folder of a new implementation.
import { existsSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { implementationName } from "../lab/implementations/manifest.ts";
import { newImplementation } from "../lab/implementations/new-implementation.node.ts";
import { newServer } from "../lab/implementations/new-server.node.ts";
import { whyUnreadable } from "../kit/reading/text-file.node.ts";
import { commandOf } from "../kit/command-line.ts";
import { createFolder } from "../kit/reading/folder.node.ts";
import type { Refuse } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import type { Terminal } from "./terminal.ts";

/** For each `--kind`, the function that returns the files of a working limiter. */
const FILES = { decide: newImplementation, http: newServer } as const;

const isKind = (kind: string): kind is keyof typeof FILES => Object.hasOwn(FILES, kind);

export function writeImplementation(
  names: readonly string[],
  kind: string,
  { out }: Terminal,
  refuse: Refuse,
): ExitCode {
  const [folder, ...more] = names;
  if (folder === undefined || more.length > 0)
    return refuse("weir implementations new needs one NAME, which becomes a folder");
  if (!isKind(kind))
    return refuse(`--kind must be one of ${Object.keys(FILES).join(", ")}; got "${kind}"`);
  const name = basename(folder);
  if (implementationName.read(name, [], []) === undefined)
    return refuse(
      `"${name}" is no name of an implementation; use small letters, digits and hyphens, such as my-limiter`,
    );
  if (existsSync(folder)) return refuse(`${folder} already exists; choose another name`);
  const noFolder = createFolder(folder);
  if (noFolder !== null) return refuse(noFolder);
  for (const [file, text] of Object.entries(FILES[kind](name)))
    try {
      writeFileSync(join(folder, file), text, { flag: "wx" });
    } catch (error) {
      return refuse(`${join(folder, file)}: ${whyUnreadable(error)}`);
    }
  const path = /^[./]/.test(folder) ? folder : `./${folder}`;
  out(`wrote ${folder}; examine it: ${commandOf(["implementations", "run", path])}`);
  return EXIT.passed;
}
