// One process over records: what it obeys it looks up there by itself, and keeps up with.
import { keepUp } from "./keep-up.node.ts";
import type { Settings } from "../settings/table.ts";
import {
  gatewayProcess,
  type OneProcess,
  type Payload,
  type Surroundings,
} from "./gateway-process.node.ts";
import type { Held } from "./records.node.ts";
import { startWebhooks } from "./webhooks.node.ts";

export interface Governing {
  readonly held: Held;
  readonly settings: () => Settings; // asked again each time, because a reload may change them
  readonly log: (line: string) => void;
}

/** A text says why it does not start; the records are still open then. */
export async function governedProcess(
  payload: Payload,
  { held, settings, log }: Governing,
  surroundings: Surroundings,
): Promise<OneProcess | string> {
  const { records, inForce, management } = held;
  let masked = new Set(payload.hidden);
  const isCredential = (text: string): boolean =>
    inForce.configuration().keys.has(text) || masked.has(text);
  const { secrets } = management;
  const webhooks = startWebhooks({ records, secrets, settings, isCredential, log });
  const obeying = { ...payload, configuration: inForce.configuration(), keys: inForce, webhooks };
  const gateway = await gatewayProcess(obeying, surroundings);
  if (typeof gateway === "string") {
    await webhooks.stop(0);
    return gateway;
  }
  inForce.onChange(({ configuration, forgotten }) => {
    if (configuration !== null) gateway.obey(configuration);
    gateway.forget(forgotten);
  });
  const leave = isShared(payload.settings) ? keepUp(records, inForce) : () => {};
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
      leave();
      return gateway.drain();
    },
    stop: () => {
      leave();
      return gateway.stop();
    },
  };
}

/** Whether somebody else may write there. */
export const isShared = ({ records }: Settings): boolean => records.startsWith("postgres");
