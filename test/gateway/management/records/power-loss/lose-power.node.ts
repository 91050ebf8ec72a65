// Simulates power losses at moments of a log, chosen by a seed, and starts a gateway on each resulting disk.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rng } from "#src/kit/chance/rng.ts";
import { Disk, lossBy, NOTHING_LOST } from "./disk.ts";
import { readDiskLog, type DiskOperation } from "./disk-log.ts";
import { stateAfter, type ExpectedState, type Note } from "./expected.ts";
import { problemsInImage, UNSTARTED, writeImage } from "./image.node.ts";

export interface PowerLosses {
  readonly log: Uint8Array;
  /** The folder that the log is of, to see whether nothing has gone past the log. Null: it is not here any more. */
  readonly root: string | null;
  readonly folder: string; // where images are started
  readonly seed: number;
  readonly from: number;
  readonly images: number;
  readonly progress: (done: number, all: number) => void;
}

export interface PowerLossResult {
  readonly images: number;
  readonly failures: readonly string[];
  readonly unstarted: number;
  readonly operations: number;
  readonly syncs: number;
  readonly answers: number;
}

const STEP = 100;

export async function losePower(powerLosses: PowerLosses): Promise<PowerLossResult> {
  const { folder, seed, from, images, progress } = powerLosses;
  const operations = readDiskLog(powerLosses.log);
  const rootOfLog = rootIn(operations);
  const moments = Array.from({ length: images }, (_, i) => {
    const random = rng(seed, `image ${from + i}`);
    return { image: from + i, random, after: momentIn(operations, random.int) };
  }).toSorted((one, other) => one.after - other.after);
  const disk = new Disk(rootOfLog);
  let state: ExpectedState = { secrets: null, records: new Map() };
  let at = 0;
  const goTo = (after: number): void => {
    for (; at < after; at++) {
      const operation = operations[at]!;
      disk.apply(operation);
      if (operation.kind === "note") state = stateAfter(state, JSON.parse(operation.text) as Note);
    }
  };
  const failures: string[] = [];
  let unstarted = 0;
  let done = 0;
  for (const { image, random, after } of moments) {
    goTo(after);
    const loss = lossBy(random);
    writeImage(disk.image(random, loss), rootOfLog, folder, random);
    const problems = await problemsInImage(folder, state);
    const isUnstarted = state.secrets === null && problems.some((one) => one.startsWith(UNSTARTED));
    if (isUnstarted) unstarted++;
    if (problems.length > 0 && !isUnstarted)
      failures.push(
        [
          `image ${image}, after ${after} of ${operations.length}, ${JSON.stringify(loss)}`,
          ...problems.slice(0, 5),
        ].join("\n  "),
      );
    if (++done % STEP === 0) progress(done, images);
  }
  goTo(operations.length);
  if (powerLosses.root !== null) checkNothingWentPast(disk, powerLosses.root);
  const countOf = (kind: DiskOperation["kind"]): number =>
    operations.filter((one) => one.kind === kind).length;
  return {
    images,
    failures,
    unstarted,
    operations: operations.length - countOf("note"),
    syncs: countOf("sync") + countOf("sync folder"),
    answers: operations.filter((one) => one.kind === "note" && one.text.includes("answered"))
      .length,
  };
}

/** Half of them just before or behind a sync or an answer, where promises begin. */
function momentIn(operations: readonly DiskOperation[], draw: (below: number) => number): number {
  const any = draw(operations.length + 1);
  if (draw(2) === 0) return any;
  for (let i = any; i < operations.length; i++) {
    const { kind } = operations[i]!;
    if (kind === "sync" || kind === "sync folder" || kind === "note") return i + draw(2);
  }
  return any;
}

function rootIn(operations: readonly DiskOperation[]): string {
  const first = operations.find((one) => one.kind === "make folder");
  if (first?.kind !== "make folder") throw new Error("the log is of no start of weir serve");
  return first.path.slice(0, first.path.lastIndexOf("/"));
}

/** The real disk equals the log, byte for byte; otherwise some way to write is not logged. */
function checkNothingWentPast(disk: Disk, root: string): void {
  const { files } = disk.image(rng(0, "whole"), NOTHING_LOST);
  const names = (paths: readonly string[]): string => paths.toSorted().join(", ");
  const data = join(root, "data");
  const there = readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  if (names(there) !== names([...files.keys()]))
    throw new Error(`the log has ${names([...files.keys()])}, and the disk ${names(there)}`);
  for (const [path, bytes] of files)
    if (!path.endsWith("-shm") && !readFileSync(path).equals(bytes))
      throw new Error(`${path} is not what the log says`);
}
