// A run in real time and the list of variants that it is known to leave inconclusive.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, weir } from "./weir.ts";

/** With 99 the expectation is false, and in real time late requests may be the reason for that. */
const TWO = `id: limits/two
title: two requests pass
proves: [LIM-1]
matrix: { n: [2, 99] }
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
  gateway: { algorithm: sliding_log }
traffic: [{ as: alice, send: GET /orders, every: 10ms, count: 2 }]
expect: [{ id: pass, count: { status: 200 }, equals: $n }]
`;
const RUN = ["run", "two.yaml", "--driver", "embedded", "--stretch", "1", "--quiet"];

test("an inconclusive variant fails the run until it is listed, and is reported once it is no longer inconclusive", async () => {
  const folder = folderWith({ "two.yaml": TWO });
  const withList = (...more: readonly string[]) =>
    weir(folder, [...RUN, "--inconclusive", "list.json", ...more]);

  const missing = await withList();
  expect([missing.code, missing.err]).toEqual([
    2,
    expect.stringContaining("--write creates it from this run"),
  ]);

  const list = { format: "weir-inconclusive/1", drivers: {} };
  const other = folderWith({ "two.yaml": TWO, "list.json": JSON.stringify(list) });
  const files = { json: "run.json", junit: "run.xml", markdown: "run.md", badge: "run.svg" };
  const outputs = Object.entries(files).flatMap(([form, file]) => ["-o", `${form}=${file}`]);
  const unlisted = await weir(other, [...RUN, "--inconclusive", "list.json", ...outputs]);
  expect(unlisted.code).toBe(1);
  expect(unlisted.out).toContain(
    "1 inconclusive variant not in list.json, which count as failed:\n  limits/two n=99\n",
  );
  expect(unlisted.out).toMatch(/\n1 passed, 1 failed, 0 skipped\n$/);
  const [document, junit, markdown, badge] = Object.values(files).map((file) =>
    readFileSync(join(other, file), "utf8"),
  );
  expect(JSON.parse(document!)).toMatchObject({
    footer: { passed: 1, failed: 1, skipped: 0, inconclusive: 0 },
  });
  // The run has a case of its own, which has the sentence.
  expect(junit).toContain('<testsuites name="weir" tests="3" failures="1" errors="1" skipped="0"');
  expect(markdown).toContain("## Weir: 1 passed, 1 failed, 0 skipped; the run failed");
  expect(badge).toContain("1 failed, 1 passed, run failed");

  expect((await withList("--write")).code).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, "list.json"), "utf8"))).toEqual({
    format: "weir-inconclusive/1",
    drivers: {
      embedded: {
        runs: 1,
        variants: [{ scenario: "limits/two", variant: "n=99", inconclusive: 1 }],
      },
    },
  });

  const listed = await withList("--json");
  expect(listed.code).toBe(0);
  expect(JSON.parse(listed.out)).toMatchObject({
    inconclusive: { file: "list.json", unlisted: [], decided: [], absent: [] },
    footer: { passed: 1, failed: 0, skipped: 0, inconclusive: 1 },
  });
  expect(listed.err).toMatch(/\n1 passed, 0 failed, 0 skipped, 1 inconclusive\n$/);

  const twice = {
    runs: 3,
    variants: [{ scenario: "limits/two", variant: "n=2", inconclusive: 1 }],
  };
  const more = JSON.stringify({ ...list, drivers: { embedded: twice } });
  const passing = folderWith({ "two.yaml": TWO, "list.json": more });
  const decided = await weir(passing, [...RUN, "--only", "n=2", "--inconclusive", "list.json"]);
  expect(decided.out).toContain(
    "decided in this run; if it is decided in every run, remove it from list.json:\n  limits/two n=2 (inconclusive in 1 of 3 runs)\n",
  );

  const only = await withList("--only", "n=2");
  expect(only.code).toBe(0);
  expect(only.out).toContain("not in this run; remove it from list.json:\n  limits/two n=99");
});

test("a list that cannot be written, or is the page too, is an error before anything runs", async () => {
  const list = JSON.stringify({ format: "weir-inconclusive/1", drivers: {} });
  const folder = folderWith({ "two.yaml": TWO, "list.html": list });
  const refusalOf = async (...more: readonly string[]): Promise<string> => {
    const { code, out, err } = await weir(folder, [...RUN, ...more]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    return err;
  };
  const unwritable = await refusalOf("--inconclusive", "two.yaml/list.json", "--write");
  expect(unwritable).toContain("two.yaml: a part of the path is not a folder");
  expect(unwritable).not.toContain("of traffic in"); // the last line of a run
  expect(await refusalOf("--inconclusive", "list.html", "--html", "list.html")).toContain(
    "list.html",
  );
});

test.each([
  [[], "--inconclusive is only for real time"],
  [["--driver", "embedded", "--write"], "--write is disabled if the variable CI is set"],
])("with %j the list is refused: %s", async (more, why) => {
  const folder = folderWith({ "two.yaml": TWO });
  const args = ["run", "two.yaml", "--inconclusive", "list.json", ...more];
  const { code, err } = await weir(folder, args, { CI: "true" });
  expect([code, err]).toEqual([2, expect.stringContaining(why)]);
});
