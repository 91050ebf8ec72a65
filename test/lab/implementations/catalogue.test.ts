// Which folders are implementations, and by which names.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  findImplementation,
  findImplementations,
  ownImplementations,
} from "#src/lab/implementations/catalogue.node.ts";
import { homeOf } from "#src/lab/implementations/home.node.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";

const MANIFEST = `name: Two windows
about: Two ways to count.
version: 1.0.0
kind: decide
install: { registry: none }
start: [node, "{folder}/limiter.ts", "{variant}"]
clock: virtual
model: { rate_limit_headers: "off", algorithm: sliding_log }
capabilities: { scopes: [key] }
claims: { five-of-ten: { holds: true, sentence: It holds., source: README } }
variants:
  fixed:
    about: A window of the clock.
    model: { algorithm: fixed_window, fixed_window_start: clock }
    claims: { twenty-keys: { holds: false, sentence: It does not., source: README } }
  log: { about: A log. }
`;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "weir-catalogue-"));
  mkdirSync(join(dir, "windows"));
  writeFileSync(join(dir, "windows", "manifest.yaml"), MANIFEST);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function problemOf(name: string): Promise<string> {
  const found = await findImplementation(name);
  if (!isFailure(found)) throw new Error(`${name} exists`);
  return found.message;
}

test("every folder of Weir's own has a manifest that can be read", async () => {
  const names = ownImplementations();
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) requireValue(await findImplementations(name));
});

test("a variant has the manifest of its folder, with what it changes, and the same installation", async () => {
  const fixed = requireValue(await findImplementation(`${dir}/windows/fixed`));
  const log = requireValue(await findImplementation(`${dir}/windows/log`));
  expect(fixed.id).toBe("windows/fixed");
  expect(fixed.manifest.about).toBe("A window of the clock.");
  expect(fixed.manifest.model).toEqual({
    rate_limit_headers: "off",
    algorithm: "fixed_window",
    fixed_window_start: "clock",
  });
  expect(Object.keys(fixed.manifest.claims)).toEqual(["five-of-ten", "twenty-keys"]);
  expect(log.manifest.model["algorithm"]).toBe("sliding_log");
  expect(homeOf(log)).toBe(homeOf(fixed));
});

test("the name of a folder with variants means all of them, and a run needs one", async () => {
  const all = requireValue(await findImplementations(`${dir}/windows`));
  expect(all.map(({ id }) => id)).toEqual(["windows/fixed", "windows/log"]);
  expect(await problemOf(`${dir}/windows`)).toBe(
    `${dir}/windows has variants; use one of ${dir}/windows/fixed, ${dir}/windows/log`,
  );
});

test("a variant or a name that does not exist gets the nearest one", async () => {
  expect(await problemOf(`${dir}/windows/fixd`)).toBe(
    `${dir}/windows/fixd: there is no variant "fixd"; did you mean "fixed"?`,
  );
  expect(await problemOf("nginx/nothing-like-it")).toMatch(/^nginx.*there is no variant/);
  expect(await problemOf("ngnx")).toMatch(/did you mean "nginx"\?$/);
  expect(await problemOf("./nowhere")).toBe("./nowhere is not a folder");
  expect(await problemOf(dir)).toMatch(
    / has no manifest.yaml; weir implementations new NAME writes one$/,
  );
});

test("a limiter that decides by lines cannot claim several limits for a request", async () => {
  const file = join(dir, "windows", "manifest.yaml");
  writeFileSync(file, MANIFEST.replace("{ scopes: [key] }", "{ scopes: [key, api], levels: 2 }"));
  expect(await problemOf(`${dir}/windows/log`)).toMatch(
    /manifest\.yaml:9:\d+ error IMPL-VALUE a limiter that decides by lines evaluates one limit for each request; remove levels/,
  );
});

test("a claim about a behaviour that does not exist is an error with its line", async () => {
  const file = join(dir, "windows", "manifest.yaml");
  writeFileSync(
    file,
    MANIFEST.replace("claims: { five-of-ten", "claims: { five-of-tenn").replace(
      "claims: { twenty-keys",
      "claims: { behaviours/most-in-any-window",
    ),
  );
  const problems = (await problemOf(`${dir}/windows`)).split("\n");
  expect(problems[0]).toMatch(
    /manifest\.yaml:10:11 error IMPL-UNKNOWN-FIELD no behaviour is called "five-of-tenn"; did you mean "five-of-ten"\?$/,
  );
  expect(problems[1]).toMatch(
    /manifest\.yaml:15:15 error IMPL-UNKNOWN-FIELD no behaviour is called "behaviours\/most-in-any-window"; .*has the list/,
  );
});
