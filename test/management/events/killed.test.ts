import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { LEASE_US } from "../../../src/management/events/courier.ts";
import { recordsInFile } from "../../../src/management/records/sqlite.node.ts";
import type { Records } from "../../../src/management/records/records.ts";
import { webhookSender } from "../../../src/servers/webhook-sender.node.ts";
import { atEnd, endAll, HERE, receiver, type Received } from "../../servers/receivers.ts";
import { SECOND_US, setting } from "./couriers.ts";

afterEach(endAll);

const PROGRAM = new URL("sending-process.node.ts", import.meta.url).pathname;
const NEVER = 1_000;

interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly said: string;
}

function run(file: string, step: number): Promise<Ended> {
  const program = spawn(process.execPath, [PROGRAM, file, String(step)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  program.stdout.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
  return new Promise((resolve) => program.on("close", (_, signal) => resolve({ signal, said })));
}

/** Records in a file with one webhook, and what its receiver has got. */
async function prepared(): Promise<{ readonly file: string; readonly received: Received[] }> {
  const folder = mkdtempSync(join(tmpdir(), "weir-killed-"));
  atEnd(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "weir.db");
  const { url, received } = await receiver();
  const records = await opened(file);
  const { keep } = await setting({ records });
  await keep("one", { URL: url, Events: ["StoreUnavailable", "RatelimitExceeded"] });
  await records.close();
  return { file, received };
}

async function opened(file: string): Promise<Records> {
  const records = await recordsInFile(file);
  if ("fault" in records) throw new Error(records.fault);
  return records;
}

/** Who comes after the one that was killed, when what that had taken is free again. */
async function sentAfterwards(file: string): Promise<void> {
  const records = await opened(file);
  const { courier, at } = await setting({ records });
  const { send } = webhookSender({ allowed: () => HERE });
  at(LEASE_US / SECOND_US + 1);
  const { letters } = await courier.turn();
  for (const letter of letters) await courier.ended(letter, await send(letter));
  await records.close();
}

async function killedAt(step: number): Promise<string> {
  const { file, received } = await prepared();
  const { signal, said } = await run(file, step);
  if (signal !== "SIGKILL") return `${step}: ended by itself`;
  await sentAfterwards(file);
  const events = Map.groupBy(received, ({ body }) => (JSON.parse(body) as { event: string }).event);
  const ids = [...events.values()].map((each) => new Set(each.map(({ id }) => id)).size);
  if (ids.some((count) => count > 1)) return `${step}: one event had several ids`;
  const isWhole = [...events.keys()].toSorted().join() === "RatelimitExceeded,StoreUnavailable";
  if (said.includes("queued") && !isWhole) return `${step}: what was queued is lost`;
  const isTwice = received.length > events.size;
  return said.includes("queued")
    ? `all is there${isTwice ? ", and something twice" : ""}`
    : "not yet";
}

test("a sender that is killed (-9) between any two steps loses nothing that was queued (EVT-C2)", async () => {
  const { file, received } = await prepared();
  const whole = await run(file, NEVER);
  expect(received).toHaveLength(2);
  const steps = Number(/(\d+) steps/.exec(whole.said)?.[1]);
  const outcomes = await Promise.all(Array.from({ length: steps }, (_, step) => killedAt(step)));
  expect(outcomes).toEqual([
    "not yet", // before it is queued
    "all is there", // before it is claimed
    "all is there", // before each webhook is read
    "all is there",
    "all is there", // before the first is sent
    "all is there, and something twice", // sent, and not yet settled
    "all is there",
    "all is there, and something twice",
  ]);
}, 120_000);
