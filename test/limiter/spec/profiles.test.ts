// The table of profiles, next to the implementations that have them and to its page.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readImplementationsProof } from "#src/studies/implementations/proof.ts";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";
import { PROFILE_NAMES, PROFILES } from "#src/limiter/spec/profiles.ts";
import { IMITATE } from "#src/limiter/world/members.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/reference/profiles.md"), "utf8");

test("each profile is that of the implementation with its name, but for Tyk's", async () => {
  for (const name of PROFILE_NAMES.filter((each) => each !== "tyk")) {
    const found = await findImplementation(name);
    expect(isFailure(found) ? found.message : found.manifest.model).toEqual({ profile: name });
  }
});

const proofs = PROFILE_NAMES.filter((each) => each !== "tyk").map((name) => {
  const file = join(import.meta.dirname, `../../../reports/implementations/proofs/${name}.json`);
  const [proof] = requireValue(
    readImplementationsProof(readFileSync(file, "utf8")),
  ).implementations;
  return proof!;
});

test("each profile but Tyk's is proved, and the page has those in real time with what is open", () => {
  expect(
    proofs.filter(({ verdict, counts }) => verdict !== "proved" || counts.worlds < 1_000),
  ).toEqual([]);
  const real = proofs.filter(({ clock }) => clock === "real");
  const [, names, least, most] =
    /^- In real time .* 1,000 worlds: ([^.]*)\. Between (\d+) and (\d+) % /m.exec(
      page.replaceAll("\n  ", " "),
    )!;
  expect([...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!).toSorted()).toEqual(
    real.map(({ id }) => id).toSorted(),
  );
  const open = real.map(({ counts }) => Math.round((100 * counts.open) / counts.decisions));
  expect([Number(least), Number(most)]).toEqual([Math.min(...open), Math.max(...open)]);
});

test("the page has each profile with its words, and each word", () => {
  for (const [name, profile] of Object.entries(PROFILES)) {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\` `));
    const words = Object.entries("imitate" in profile ? profile.imitate : {});
    expect(row).toContain(`algorithm: ${profile.options.algorithm}`);
    for (const [word, value] of words) expect(row).toContain(`${word}: ${value}`);
  }
  for (const word of IMITATE.read) expect(page).toContain(`| \`${word}\` `);
});
