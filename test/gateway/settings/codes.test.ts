import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorldWarning } from "#src/gateway/serving/open-world.node.ts";
import { SETTINGS_CODES } from "#src/gateway/settings/codes.ts";
import { readSettings } from "#src/gateway/settings/read.ts";
import { openListenersIn, conflictsIn } from "#src/gateway/settings/conflicts.ts";
import { bareKeyWarning, readWorldFile } from "#src/gateway/settings/world.ts";
import { folderWith, weir } from "../../cli/weir.ts";

const codesOf = (text: string, environment: Record<string, string> = {}): readonly string[] => {
  const file = { file: "weir.yaml", text };
  const inForce = readSettings({ file, environment, flags: new Map() });
  const { settings, errors, warnings } = inForce;
  const judged =
    settings === null
      ? []
      : [...conflictsIn(settings, inForce), ...openListenersIn(settings, inForce)];
  return [...errors, ...warnings, ...judged];
};

const RAISED: Readonly<
  Record<keyof typeof SETTINGS_CODES, () => readonly string[] | Promise<readonly string[]>>
> = {
  "SET-YAML": () => codesOf("["),
  "SET-YAML-FEATURE": () => codesOf("world: &a b"),
  "SET-DUPLICATE-FIELD": () => codesOf("world: a\nworld: b"),
  "SET-UNKNOWN-FIELD": () => codesOf("wolrd: a"),
  "SET-UNKNOWN-VARIABLE": () => codesOf("world: a", { WEIR_WOLRD: "b" }),
  "SET-VALUE": () => codesOf("drain: soon"),
  "SET-MISSING": async () =>
    (await weir(folderWith({ "weir.yaml": "records: off\n" }), ["config"])).err.trim().split("\n"),
  "SET-BARE-KEY": () =>
    bareKeyWarning("w.yaml", readWorldFile({ file: "w.yaml", text: "keys: { a: {} }" })),
  "SET-OPEN-WORLD": () => {
    const text = "keys: { a: {} }";
    const file = join(folderWith({ "w.yaml": text }), "w.yaml");
    chmodSync(file, 0o640);
    return openWorldWarning(file, readWorldFile({ file, text }));
  },
  "SET-OPEN-ADMIN": () => codesOf("admin: { host: 0.0.0.0 }"),
  "SET-CERTIFICATE": async () => {
    const files = {
      "weir.yaml": "records: memory\nlisten: { tls_cert: c.pem, tls_key: k.pem }\n",
      "c.pem": "c",
      "k.pem": "k",
    };
    return (await weir(folderWith(files), ["config"])).err.trim().split("\n");
  },
  "SET-TOGETHER": () => codesOf("workers: 2\nrecords: off"),
};

test.each(Object.entries(RAISED))("%s is raised, and no other code", async (code, raise) => {
  const meaning = SETTINGS_CODES[code as keyof typeof SETTINGS_CODES];
  const severity = meaning.startsWith("Warning:") ? "warning" : "error";
  expect((await raise()).map((line) => line.split(" ", 3).slice(1))).toEqual([[severity, code]]);
});

test("an admin listener on this machine alone is no reason to worry", () => {
  for (const host of ["127.0.0.1", "127.8.0.1", "'::1'", "localhost"])
    expect(codesOf(`admin: { host: ${host} }`)).toEqual([]);
});
