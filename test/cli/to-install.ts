// Folders of implementations that are installed without a registry.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { folderWith } from "./weir.ts";

/** Needs no registry: its build is its installation. */
export const installable = (build: string): string => `name: Built here
about: Nothing.
version: 1.0.0
kind: decide
install: { registry: maven, packages: [], build: ${build} }
start: [node]
clock: virtual
model: {}
capabilities: { scopes: [key] }
`;

/** A registry that this machine has in any case. */
export const mvn = "#!/bin/sh\nmkdir -p lib\n";

export function folderToInstall(builds: Readonly<Record<string, string>>): {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
} {
  const folder = folderWith({
    "bin/mvn": mvn,
    ...Object.fromEntries(
      Object.entries(builds).map(([name, build]) => [`${name}/manifest.yaml`, installable(build)]),
    ),
  });
  chmodSync(join(folder, "bin/mvn"), 0o755);
  const environment = {
    WEIR_IMPLEMENTATIONS: join(folder, "cache"),
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
  };
  return { folder, environment };
}
