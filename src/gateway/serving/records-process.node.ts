// Starts a gateway process whose configuration is in records, and applies later changes of the records.
import { type Failure, isFailure } from "../../kit/reading/failure.ts";
import { followRecords } from "./follow-records.node.ts";
import type { Settings } from "../settings/table.ts";
import {
  startGatewayProcess,
  type OneProcess,
  type Payload,
  type ProcessSurroundings,
} from "./gateway-process.node.ts";
import type { ServedRecords } from "./records.node.ts";
import { startWebhooks } from "./webhooks.node.ts";

interface RecordsProcessOptions {
  readonly served: ServedRecords;
  readonly settings: () => Settings; // read each time, because a reload may change them
  readonly log: (line: string) => void;
}

/** Starts the process. If that fails, the records stay open for the caller. */
export async function startRecordsProcess(
  payload: Payload,
  { served, settings, log }: RecordsProcessOptions,
  surroundings: ProcessSurroundings,
): Promise<OneProcess | Failure> {
  const { records, inForce, management } = served;
  let masked = new Set(payload.hidden);
  const isCredential = (text: string): boolean =>
    inForce.configuration().keys.has(text) || masked.has(text);
  const { secrets } = management;
  const webhooks = startWebhooks({ records, secrets, settings, isCredential, log });
  const recordsPayload = {
    ...payload,
    configuration: inForce.configuration(),
    keys: inForce,
    webhooks,
  };
  const gateway = await startGatewayProcess(recordsPayload, surroundings);
  if (isFailure(gateway)) {
    await webhooks.stop(0);
    return gateway;
  }
  inForce.onChange(({ configuration, forgotten }) => {
    if (configuration !== null) gateway.apply(configuration);
    gateway.forget(forgotten);
  });
  const stopFollowing = isShared(payload.settings) ? followRecords(records, inForce) : () => {};
  return {
    ...gateway,
    reload: (next) => {
      masked = new Set(next.hidden);
      return gateway.reload({ ...next, configuration: inForce.configuration() });
    },
    follow: async (written = []) => {
      inForce.applyOwnWrites(written);
      await inForce.applyChanges();
    },
    drain: () => {
      stopFollowing();
      return gateway.drain();
    },
    stop: () => {
      stopFollowing();
      return gateway.stop();
    },
  };
}

/** Whether other processes can write to the records. */
const isShared = ({ records }: Settings): boolean => records.startsWith("postgres");
