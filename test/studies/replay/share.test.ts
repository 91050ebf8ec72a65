// Shares of a replay, added up, are the replay: whatever their number, for every kind of candidate.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { parseArguments } from "#src/cli/parse-arguments.node.ts";
import { OF_LOGS } from "#src/cli/commands-of-logs.ts";
import { replayQuestion } from "#src/cli/replay-question.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { describeFile, whyNotSame } from "#src/kit/reading/same-file.node.ts";
import { replayLogs, type ReplayOutcome } from "#src/studies/replay/replay-logs.node.ts";
import { buildReplayResult, type UnansweredReplay } from "#src/studies/replay/result.ts";
import type { ReplayQuestion } from "#src/studies/replay/replay.ts";
import { readWorldFile } from "#src/gateway/settings/world.ts";
import { folderWith } from "../../cli/weir.ts";

const PROGRESS = { isStopped: () => false, stop: new Promise<never>(() => {}), report: () => {} };

/** Bursts of some clients, among others: refused by any limit. */
function logOf(isWholeSeconds: boolean): string {
  const random = rng(3, "share");
  const lines: string[] = [];
  for (let at = 0; at < 3_000; at++) {
    const us = 1_700_000_000_000 + at * 97 + random.int(60);
    const time = new Date(us).toISOString();
    lines.push(
      JSON.stringify({
        time: isWholeSeconds ? `${time.slice(0, 19)}Z` : time,
        ip: `10.0.0.${random.int(3) === 0 ? random.int(200) : random.int(4)}`,
        method: "GET",
        path: "/orders",
        bytes: random.int(20),
        duration: random.int(3),
      }),
    );
  }
  return lines.join("\n");
}

const WORLD = `apis: { orders: { listen: /orders, keyless: true, rate: 3, per: 1 } }
gateway: { algorithm: fixed_window }
`;

const PLAIN = ["--limit", "2/1s,20/10s", "--algorithm", "all"];

describe.each([
  ["finer times", false],
  ["whole seconds", true],
])("with %s", (_, isWholeSeconds) => {
  test.each([
    ["every algorithm", PLAIN],
    ["a limiter that has few keys", ["--limit", "2/1s", "--profile", "nginx,envoy"]],
    ["clients that retry", ["--limit", "2/1s", "--clients", "backoff"]],
    ["costs before", ["--limit", "20/1s", "--cost", "field:bytes"]],
    ["costs after", ["--limit", "20/1s", "--cost", "field:bytes", "--charge", "after"]],
    ["a world", ["--world", "world.yaml", "--limit", "2/1s"]],
  ])("shares of %s are the whole", async (__, options) => {
    const folder = folderWith({ "world.yaml": WORLD });
    const file = join(folder, "log");
    writeFileSync(file, logOf(isWholeSeconds));
    const sources = [{ name: file, isFromFolder: false }];
    const replay = async (share: ReplayQuestion["share"]) => {
      const args = requireValue(parseArguments(OF_LOGS[0]!, [file, ...options]));
      const { configuration } = readWorldFile({ file: "world.yaml", text: WORLD });
      const worlds = options.includes("--world")
        ? new Map([["world.yaml", configuration!]])
        : new Map();
      const read = requireValue(replayQuestion(args, worlds, 1));
      const question = share === undefined ? read : { ...read, share };
      return { question, outcome: requireValue(await replayLogs(sources, question, PROGRESS)) };
    };
    const resultOf = (question: ReplayQuestion, outcome: ReplayOutcome): UnansweredReplay =>
      buildReplayResult({
        ...outcome,
        key: "ip",
        cost: null,
        clients: question.clients,
        isInterrupted: false,
        top: 1_000,
        rename: null,
      });
    const whole = await replay(undefined);
    const expected = resultOf(whole.question, whole.outcome);
    expect(expected.candidates[0]!.refused).toBeGreaterThan(100);
    for (const shares of [1, 3]) {
      const sum = await replay("none");
      for (let index = 0; index < shares; index++) {
        const { outcome } = await replay({ index, of: shares });
        sum.outcome.replay.add(structuredClone(outcome.replay.takeShare()));
      }
      expect(JSON.stringify(resultOf(sum.question, sum.outcome))).toBe(JSON.stringify(expected));
    }
  });
});

test("a file that another machine lacks, or has otherwise, is a sentence", async () => {
  const file = join(folderWith({ log: "one" }), "log");
  const described = await describeFile(file);
  expect(await whyNotSame(described)).toBeNull();
  writeFileSync(file, "two");
  expect(await whyNotSame(described)).toMatch(/^\S+log has other contents on \S+ than on the mach/);
  writeFileSync(file, "four");
  expect(await whyNotSame(described)).toMatch(/^\S+log has 4 bytes on \S+, and 3 on the machine/);
  expect(await whyNotSame({ ...described, path: `${file}s` })).toMatch(
    /^\S+logs: .+ \(on \S+\); all machines need this file at this path$/,
  );
});
