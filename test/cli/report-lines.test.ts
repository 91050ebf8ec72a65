// The lines that a report offers to copy are typed into a shell, and run as promised.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { explainLine } from "#src/show/html/refusals.ts";
import { verdictsHtml } from "#src/show/html/verdicts.ts";
import type { Report } from "#src/lab/report/model.ts";
import { entry } from "../built.ts";
import { folderWith, quietEnvironment, weir } from "./weir.ts";

const FILE = "it's one/limits/one.yaml";
const TEXT = `id: limits/one
title: one of two fails
about: one
proves: [LIM-1]
matrix: { n: ["my 'first'", second] }
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
traffic:
  - { name: $n, as: alice, send: GET /orders, burst: 8 }
expect:
  - { id: everybody passes, sequence: {}, equals: 8*200 }
`;

const linesIn = (html: string): readonly string[] =>
  [...html.matchAll(/<code class="line">(.*?)<\/code>/g)].map(([, line]) =>
    line!.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  );

test("again shows the failing variant alone, and explain the request", async () => {
  const folder = folderWith({ [FILE]: TEXT });
  const run = await weir(folder, ["run", FILE, "--seed", "7", "--html", "out.html", "--quiet"]);
  expect(run.err + run.out).toContain("0 passed, 2 failed");
  const report = JSON.parse(readFileSync(`${folder}/out.json`, "utf8")) as Report;
  const [scenario] = report.scenarios;
  const variant = scenario!.variants[0]!;
  const runLine = (line: string): string => {
    const { stdout, stderr } = spawnSync(
      "sh",
      ["-c", `weir() { '${process.execPath}' '${entry()}' "$@"; }; ${line}`],
      { cwd: folder, encoding: "utf8", env: quietEnvironment },
    );
    return `${stdout}${stderr}`;
  };
  const [again] = linesIn(String(verdictsHtml(scenario!, { scenario: 0, variant: 0 })));
  expect(runLine(again!)).toContain("0 passed, 1 failed");
  const { request } = variant.refusals.entries[0]!.first;
  const [explain] = linesIn(String(explainLine(scenario!, variant, request!)));
  expect(runLine(explain!)).toContain("my 'first':6, GET /orders as alice at 0 s: 429");
});
