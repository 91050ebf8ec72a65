// testScenarios in a project of its own, as vitest reports it.
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { folderWith, quietEnvironment } from "../cli/weir.ts";

const root = join(import.meta.dirname, "../..");

const SCENARIO = `title: a key has 5 requests per second
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
traffic: [{ as: alice, send: GET /orders, burst: 6 }]
expect: [{ id: some, count: { status: 429 }, equals: 1 }]
`;

const TESTS = `import { expect, test } from "vitest";
import { testScenarios } from ${JSON.stringify(join(root, "src/library/vitest.node.ts"))};
testScenarios(["good.yaml", "bad.yaml", "none.yaml"]);
test("a test of the project", () => expect(1 + 1).toBe(2));
`;

const Report = z.object({
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({
          title: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()),
        }),
      ),
    }),
  ),
});

test("a file with an error fails its own test, and all others run", () => {
  const folder = folderWith({
    "good.yaml": SCENARIO,
    "bad.yaml": SCENARIO.replace("burst: 6", "burts: 6").replace("rate: 5", "rate: five"),
    "limits.test.ts": TESTS,
  });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  spawnSync(
    process.execPath,
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      "--reporter=json",
      "--outputFile=result.json",
    ],
    { cwd: folder, encoding: "utf8", env: quietEnvironment, timeout: 50_000 },
  );
  const [file] = Report.parse(
    JSON.parse(readFileSync(join(folder, "result.json"), "utf8")),
  ).testResults;
  const found = file?.assertionResults.map(({ title, status }) => `${status} ${title}`);
  expect(found?.toSorted()).toEqual([
    "failed bad.yaml can be read",
    "failed scenario files can be read",
    "passed a key has 5 requests per second",
    "passed a test of the project",
  ]);
  const messages = file!.assertionResults.flatMap(({ failureMessages }) => failureMessages).join();
  expect(messages).toContain("bad.yaml:4:");
  expect(messages).toContain('did you mean "burst"?');
  expect(messages).toContain("none.yaml: there is no such file or folder");
  expect(messages).toContain("limits.test.ts:3:1"); // of the caller
});
