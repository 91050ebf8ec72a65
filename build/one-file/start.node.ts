// The first code of a single executable. `make.node.ts` bundles it as CommonJS, which is what Node 24 takes.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { getAsset, getRawAsset } from "node:sea";
import { pathToFileURL } from "node:url";
import { isFailure } from "../../src/kit/reading/failure.ts";
import { DIGEST, programOf, TARBALL } from "./program.ts";
import { IMPORTER, unpack } from "./unpack.node.ts";

interface Importer {
  readonly load: (url: string) => Promise<unknown>;
}

async function start(): Promise<void> {
  const { argv, execPath, env, stderr } = process;
  const folder = unpack(() => Buffer.from(getRawAsset(TARBALL)), getAsset(DIGEST, "utf8"), {
    env,
    uid: process.getuid!(),
  });
  if (isFailure(folder)) {
    stderr.write(`weir: ${folder.message}\n`);
    process.exitCode = 2;
    return;
  }
  const importer = join(folder, IMPORTER);
  const { load } = createRequire(importer)(importer) as Importer;
  const args = argv.slice(2);
  const program = programOf(args) ?? {
    imports: [],
    file: join(folder, "dist/cli/weir.node.js"),
    args,
  };
  const file = resolve(program.file);
  process.argv = [execPath, file, ...program.args];
  for (const url of program.imports) await load(url);
  await load(pathToFileURL(file).href);
}

void start();
