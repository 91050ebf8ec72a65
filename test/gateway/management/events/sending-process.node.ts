// A gateway's queue as a process that kills itself (-9) at a step: node sending-process.node.ts FILE STEP. The step is also
// the name of its events' API. Before its end it prints which events are durable.
import { writeSync } from "node:fs";
import { courier, type CourierPorts } from "#src/gateway/management/events/courier.ts";
import type { Records } from "#src/gateway/management/records/records.ts";
import { recordsInFile } from "#src/gateway/management/records/sqlite.node.ts";
import { sign, webhookSender } from "#src/gateway/management/http/webhook-sender.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { HERE } from "../http/receivers.ts";
import { event, IN_BRACES, SECOND_US, START_US } from "./couriers.ts";

const [, , file = "", lastStep = ""] = process.argv;

let step = 0;

/** Adds a step before the work. A kill between two steps has no other effect than one at the next step. */
const stepBefore =
  <Given extends readonly unknown[], T>(work: (...given: Given) => Promise<T>) =>
  (...given: Given): Promise<T> => {
    if (step++ === Number(lastStep)) process.kill(process.pid, "SIGKILL");
    return work(...given);
  };

const withSteps = ({ bounds, deliveries, read }: Records): CourierPorts["records"] => ({
  bounds,
  read: stepBefore(read),
  deliveries: {
    ...deliveries,
    queue: stepBefore(async (...given) => {
      const lost = await deliveries.queue(...given);
      writeSync(1, "queued\n"); // at once, because a killed process prints nothing
      return lost;
    }),
    claim: stepBefore(deliveries.claim),
    settle: stepBefore(deliveries.settle),
  },
});

const records = requireValue(await recordsInFile(file));
const sender = webhookSender({ readAllowedReceivers: () => HERE });
const send = stepBefore(sender.send);
const by = courier({
  records: withSteps(records),
  nowUs: () => START_US,
  random: () => 0.5,
  bounds: () => ({ cooldownUs: SECOND_US, mostWaiting: 100 }),
  sign,
  secrets: IN_BRACES,
  isCredential: () => false,
});
by.accept(event("StoreUnavailable", { api: lastStep }));
by.accept(event("RatelimitExceeded", { api: lastStep, atS: -2 })); // its cooldown is over
for (;;) {
  const { letters } = await by.turn();
  if (letters.length === 0) break;
  for (const letter of letters) await by.recordReceipt(letter, await send(letter));
}
await sender.close();
await records.close();
writeSync(1, `${step} steps\n`);
