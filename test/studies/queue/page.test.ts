// The commands of docs/inside/many-machines.md: those of the queue run, those of shards are accepted.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { OF_MEASURING } from "#src/cli/commands-of-measuring.ts";
import { requestOf } from "#src/cli/pareto-question.ts";
import { parseArguments } from "#src/cli/parse-arguments.node.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";
import { sourceEntry } from "../../built.ts";
import { readOutput } from "../../cli/output.ts";
import { folderWith, quietEnvironment, weir } from "../../cli/weir.ts";
import { startRedis } from "../../redis/server.ts";
import { redisIsThere } from "../../redis/there.ts";

const page = readFileSync(
  join(import.meta.dirname, "../../../docs/inside/many-machines.md"),
  "utf8",
);

const blocksOf = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(
    ([, text]) => text!,
  );

describe.skipIf(!redisIsThere)("the first commands of the page", () => {
  test("are a worker and a sweep that it computes", async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const [worker, sweep, ...more] = blocksOf("sh")[0]!.trimEnd().split("\n");
    expect(more).toEqual([]);
    const wordsOf = (line: string): readonly string[] =>
      line.replace("redis://10.0.0.5", redis.url).replace("100000", "3").split(" ").slice(1);
    const child = spawn(process.execPath, [sourceEntry, ...wordsOf(worker!)], {
      cwd: folderWith({}),
      env: quietEnvironment,
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await readOutput([child.stdout, child.stderr], once(child, "close")).waitFor("for sweeps of ");
    const shared = await weir(folderWith({}), wordsOf(sweep!));
    const alone = await weir(folderWith({}), ["run", "--swarm", "3"]);
    const lastLineOf = ({ out }: typeof shared): string => out.trimEnd().split("\n").at(-1)!;
    expect(shared.code).toBe(0);
    expect(lastLineOf(alone)).toMatch(/^[1-3] passed, 0 failed, [0-2] skipped$/);
    expect(lastLineOf(shared)).toBe(lastLineOf(alone));
  });
});

/** All strings in a document, at any depth. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

test("a Job of Kubernetes and a matrix of GitHub have commands that weir accepts", () => {
  const pareto = OF_MEASURING.find(({ name }) => name === "pareto")!;
  const kinds = blocksOf("yaml").map((block) => {
    const commands = textsIn(parse(block)).flatMap((text) => {
      const [, words] = /^(?:npm run weir -- |weir )(.*)$/.exec(text) ?? [];
      return words === undefined
        ? []
        : words
            .replace("$((JOB_COMPLETION_INDEX + 1))", "1")
            .replaceAll("${{ matrix.shard }}", "1")
            .split(" && ", 1)[0]!
            .split(" ");
    });
    const first = commands.slice(0, commands.lastIndexOf("pareto") || commands.length);
    const last = commands.slice(commands.lastIndexOf("pareto"));
    return [first, last].map(([, ...words]) => {
      const request = requestOf(requireValue(parseArguments(pareto, words)), 1);
      return isFailure(request) ? request.message : request.kind;
    });
  });
  expect(kinds).toEqual([
    ["run", "run"],
    ["run", "merge"],
  ]);
});
