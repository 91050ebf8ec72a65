// Lists implementations: one line for each installation, and a sentence about how to use them.
import { basename, dirname } from "node:path";
import {
  argumentOf,
  OWN_FOLDER,
  type Implementation,
} from "../lab/implementations/catalogue.node.ts";
import { findObstacle } from "../lab/implementations/home.node.ts";
import { many } from "../kit/reading/legible.ts";
import { commandOf } from "../kit/command-line.ts";
import { shortVersion } from "../studies/implementations/table.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { wrap } from "../kit/reading/table.ts";
import type { Terminal } from "./terminal.ts";

const FORMAT = "weir-implementations/1";
const HEADS = ["implementation", "version", "clock", "size", "state"] as const;
const INDENT = "    ";

export function listImplementations(
  all: readonly Implementation[],
  isJson: boolean,
  { out, paint, columns }: Terminal,
): ExitCode {
  if (isJson) {
    out(JSON.stringify({ format: FORMAT, implementations: all.map(describe) }, null, 2));
    return EXIT.passed;
  }
  const folders = [...Map.groupBy(all, ({ folder }) => folder).values()];
  const rows = folders.map(([first]) => cellsOf(first!));
  const widths = HEADS.map((head, at) =>
    Math.max(...[head, ...rows.map((row) => row[at]!)].map(lengthOf)),
  );
  const lineOf = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join("  ")
      .trimEnd();
  out(paint("faint", lineOf(HEADS)));
  for (const [index, variants] of folders.entries()) {
    const [first] = variants;
    const line = lineOf(rows[index]!);
    out(findObstacle(first!) === null ? line : paint("faint", line));
    for (const { variant, manifest } of variants) {
      const sentence = variant === null ? manifest.about : `/${variant}: ${manifest.about}`;
      for (const part of wrap(sentence, columns - INDENT.length))
        out(paint("faint", INDENT + part));
    }
  }
  for (const sentence of sumsOf(
    all,
    folders.map(([first]) => first!),
  ))
    out(sentence);
  return EXIT.passed;
}

const lengthOf = ({ length }: string): number => length;

function describe(implementation: Implementation): Readonly<Record<string, string | null>> {
  const { id, manifest } = implementation;
  const { name, version, kind, language, clock, about, install } = manifest;
  const missing = findObstacle(implementation)?.sentence ?? null;
  return { id, name, version, kind, language, clock, size: install.size, about, missing };
}

function cellsOf(implementation: Implementation): readonly string[] {
  const { folder, manifest } = implementation;
  const { version, clock, install } = manifest;
  const state = findObstacle(implementation)?.brief ?? "ready";
  return [basename(folder), shortVersion(version), clock, install.size ?? "", state];
}

/** Lines with the number of implementations that can run, and with the command that installs the others. */
function sumsOf(
  all: readonly Implementation[],
  folders: readonly Implementation[],
): readonly string[] {
  const ready = all.filter((each) => findObstacle(each) === null).length;
  const missing = folders.filter((each) => findObstacle(each)?.isInstallable === true);
  const sizeMb = missing.reduce(
    (sum, { manifest }) => sum + Number.parseFloat(manifest.install.size ?? "0"),
    0,
  );
  const isOwn = missing.length > 1 && missing.every(({ folder }) => dirname(folder) === OWN_FOLDER);
  const names = isOwn
    ? ["--all"]
    : missing.map(({ folder }) => argumentOf({ folder, variant: null }));
  return [
    `${many(all.length, "implementation")}, of which ${ready} can be run`,
    ...(missing.length === 0
      ? []
      : [
          `install ${missing.length} more, ${Math.ceil(sizeMb)} MB: ${commandOf(["implementations", "install", ...names])}`,
        ]),
  ];
}
