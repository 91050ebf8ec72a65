import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { LEASE_US } from "#src/gateway/management/events/courier.ts";
import { recordsInFile } from "#src/gateway/management/records/sqlite.node.ts";
import type { Records } from "#src/gateway/management/records/records.ts";
import { webhookSender } from "#src/gateway/management/http/webhook-sender.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { atEnd, endAll, HERE, receiver, type Received } from "../http/receivers.ts";
import { SECOND_US, setting } from "./couriers.ts";

afterEach(endAll);

const PROGRAM = new URL("sending-process.node.ts", import.meta.url).pathname;
const NEVER = 1_000;

interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

function run(file: string, step: number): Promise<Ended> {
  const program = spawn(process.execPath, [PROGRAM, file, String(step)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  program.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  return new Promise((resolve) => program.on("close", (_, signal) => resolve({ signal, output })));
}

async function openFile(file: string): Promise<Records> {
  const records = requireValue(await recordsInFile(file));
  return records;
}

interface Receiving {
  readonly fileFor: (step: number) => string; // of records with one webhook, a copy for each
  readonly deliveriesOf: (step: number) => readonly Received[];
}

async function prepare(): Promise<Receiving> {
  const folder = mkdtempSync(join(tmpdir(), "weir-killed-"));
  atEnd(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "weir.db");
  const { url, received } = await receiver();
  const records = await openFile(file);
  const { keep } = await setting({ records });
  await keep("one", { URL: url, Events: ["StoreUnavailable", "RatelimitExceeded"] });
  await records.close();
  return {
    fileFor: (step) => {
      const copy = join(folder, `${step}.db`);
      copyFileSync(file, copy);
      return copy;
    },
    deliveriesOf: (step) => received.filter(({ body }) => bodyOf(body).api_id === String(step)),
  };
}

interface EventBody {
  readonly event: string;
  readonly api_id: string;
}
const bodyOf = (body: string): EventBody => JSON.parse(body) as EventBody;

/** Sends the remaining deliveries as the next process, when the leases of the killed one have ended. */
async function sendRest(file: string): Promise<void> {
  const records = await openFile(file);
  const { courier, at } = await setting({ records });
  const { send } = webhookSender({ readAllowedReceivers: () => HERE });
  at(LEASE_US / SECOND_US + 1);
  const { letters } = await courier.turn();
  for (const letter of letters) await courier.recordReceipt(letter, await send(letter));
  await records.close();
}

async function killAt(step: number, { fileFor, deliveriesOf }: Receiving): Promise<string> {
  const file = fileFor(step);
  const first = await run(file, step);
  if (first.signal !== "SIGKILL") return `${step}: ended by itself`;
  const wasQueued = first.output.includes("queued");
  await sendRest(file);
  const received = deliveriesOf(step);
  const events = Map.groupBy(received, ({ body }) => bodyOf(body).event);
  const ids = [...events.values()].map((each) => new Set(each.map(({ id }) => id)).size);
  if (ids.some((count) => count > 1)) return `${step}: one event had several ids`;
  const isWhole = [...events.keys()].toSorted().join() === "RatelimitExceeded,StoreUnavailable";
  if (wasQueued && !isWhole) return `${step}: what was queued is lost`;
  if (!wasQueued) return "not yet";
  return received.length > events.size ? "all is there, and something twice" : "all is there";
}

test("a sender that is killed (-9) between any two steps loses nothing that was queued (EVT-C2)", async () => {
  const all = await prepare();
  const whole = await run(all.fileFor(NEVER), NEVER);
  expect(all.deliveriesOf(NEVER)).toHaveLength(2);
  const steps = Number(/(\d+) steps/.exec(whole.output)?.[1]);
  const outcomes = await Promise.all(Array.from({ length: steps }, (_, step) => killAt(step, all)));
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
});
