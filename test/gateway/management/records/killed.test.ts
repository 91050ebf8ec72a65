// A gateway or a database is killed during a write: answered writes are stored, and no write is stored in part.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Records } from "#src/gateway/management/records/records.ts";
import { recordsInPostgres } from "#src/gateway/management/records/postgres.node.ts";
import { recordsInFile } from "#src/gateway/management/records/sqlite.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { createFolder, inFile, kindsOf, postgres } from "./every-database.ts";

interface Killed {
  readonly answered: readonly number[];
  readonly code: number | null;
}

/** Until `end` resolves, and a writer that has not ended by itself then is killed. */
async function writing(where: string, first: number, end: () => Promise<void>): Promise<Killed> {
  const program = join(import.meta.dirname, "writer.node.ts");
  const child = spawn(process.execPath, [program, where, String(first)], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  const gone = once(child, "close");
  await once(child.stdout, "data");
  await end();
  child.kill("SIGKILL");
  const [code] = (await gone) as [number | null];
  const whole = out.slice(0, out.lastIndexOf("\n"));
  return { answered: whole.split("\n").map(Number), code };
}

/** Missing and partial writes, given the numbers of those that were answered. */
async function problemsIn(
  records: Records,
  answered: readonly number[],
): Promise<readonly string[]> {
  const { records: all } = await records.list("keys", null);
  const numbers = (name: string): Set<number> =>
    new Set(
      all.filter(({ id }) => id.startsWith(name)).map(({ document }) => Number(document["number"])),
    );
  const [ones, twos] = [numbers("one "), numbers("two ")];
  const counted = all
    .filter(({ id }) => id.startsWith("count "))
    .reduce((sum, { document }) => sum + Number(document["count"]), 0);
  const changes = (await records.changesSince(0)) ?? [];
  return [
    ...answered.filter((number) => !ones.has(number)).map((number) => `${number} is lost`),
    ...[...ones, ...twos]
      .filter((number) => !ones.has(number) || !twos.has(number))
      .map((number) => `${number} is half there`),
    ...(counted === ones.size ? [] : [`${ones.size} writes have counted ${counted}`]),
    ...(changes.length === ones.size * 3 ? [] : [`${ones.size} writes: ${changes.length} changes`]),
  ];
}

const LONGEST_MS = 150;

describe.each(kindsOf(inFile))("a gateway over $name", ({ name }) => {
  test("that is killed at any moment loses no answered write, and stores none in part", async () => {
    const isFile = name === inFile.name;
    const where = isFile
      ? join(await createFolder(), "weir.db")
      : await (await postgres()).database("killed");
    const answered: number[] = [];
    for (const waitMs of [0, 40, LONGEST_MS]) {
      const { answered: more } = await writing(where, answered.length * 100, () => sleep(waitMs));
      answered.push(...more);
    }
    const records = requireValue(await (isFile ? recordsInFile(where) : recordsInPostgres(where)));
    expect(answered.length).toBeGreaterThanOrEqual(3);
    expect(await problemsIn(records, answered)).toEqual([]);
    await records.close();
  });
});

describe.each(kindsOf())("$name", () => {
  test("that is killed in the middle of writes has what it has answered", async () => {
    const server = await postgres();
    const records = requireValue(await recordsInPostgres(await server.database("server_killed")));
    const answered: number[] = [];
    let next = 0;
    const write = async (): Promise<void> => {
      for (;;) {
        const number = next++;
        await records.write({ actor: "", operation: "", atUs: number }, async ({ insert }) => {
          const nothing = { unique: null, text: null };
          await insert("keys", `one ${number}`, { number }, nothing);
          await insert("keys", `two ${number}`, { number }, nothing);
          await insert("keys", `count ${number}`, { count: 1 }, nothing);
        });
        answered.push(number);
      }
    };
    const ended = Promise.allSettled(Array.from({ length: 10 }, write));
    while (answered.length < 20) await sleep(5);
    await server.kill();
    expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(["rejected"]));
    await server.restart();
    expect(await problemsIn(records, answered)).toEqual([]);
    await records.close();
  });
});
