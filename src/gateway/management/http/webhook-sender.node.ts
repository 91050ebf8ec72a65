// Sends letters to the receivers of webhooks (EVT-3, EVT-C3). A receiver's name may resolve to different addresses from
// one moment to the next: addresses are checked for each connection, and the connection uses the checked addresses.
import { createHmac } from "node:crypto";
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import type { Receipt } from "../events/courier.ts";
import type { Letter, Sign } from "../events/letter.ts";
import { addressProblem, portOf, type AllowedReceivers } from "./receiver-addresses.ts";

export interface WebhookSender {
  /** Never rejects: errors are in the receipt. */
  readonly send: (letter: Letter) => Promise<Receipt>;
  /** Closes immediately and aborts running deliveries. */
  readonly close: () => Promise<void>;
}

export interface SenderOptions {
  readonly readAllowedReceivers: () => AllowedReceivers; // read again each time, because a reload may change them
  readonly addressesOf?: (name: string) => Promise<readonly string[]>;
}

const LONGEST_CONNECT_MS = 30_000; // as long as the longest Timeout
const MOST_OF_ANSWER = 65_536; // bytes of a response that are received and ignored

export function webhookSender({
  readAllowedReceivers,
  addressesOf = resolveName,
}: SenderOptions): WebhookSender {
  // Every letter needs a new connection: an open one was checked against a list of allowed receivers that may be old.
  const agent = new Agent({
    pipelining: 0,
    allowH2: false,
    maxHeaderSize: 16_384,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (to, connected) => {
      resolveReceiver(to.hostname, portOf(to), addressesOf, readAllowedReceivers()).then(
        (addresses) => connectorTo(addresses)(to, connected),
        (error: unknown) => connected(asError(error), null),
      );
    },
  });
  return {
    send: async ({ url, method, headers, body, timeoutUs }) => {
      const signal = AbortSignal.timeout(Math.ceil(timeoutUs / 1_000));
      try {
        const { origin, pathname, search } = new URL(url);
        const response = await agent.request({
          origin,
          path: `${pathname}${search}`,
          method,
          headers: headers.flat(),
          body,
          signal,
        });
        const { statusCode: status } = response;
        // Only the status matters: the receiver has the letter even if its response never ends.
        response.body.dump({ limit: MOST_OF_ANSWER, signal }).catch(() => response.body.destroy());
        return { status, error: status >= 200 && status < 300 ? null : `answered ${status}` };
      } catch (error) {
        return {
          status: null,
          error: signal.aborted ? "did not answer in time" : messageOf(error),
        };
      }
    },
    close: () => agent.destroy(),
  };
}

const resolveName = async (name: string): Promise<readonly string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);

async function resolveReceiver(
  name: string,
  port: number,
  addressesOf: NonNullable<SenderOptions["addressesOf"]>,
  allowed: AllowedReceivers,
): Promise<readonly string[]> {
  const host = name.startsWith("[") ? name.slice(1, -1) : name;
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
  const problem = addressProblem(addresses, port, allowed);
  if (problem !== null) throw new Error(problem);
  return addresses;
}

function connectorTo(addresses: readonly string[]): buildConnector.connector {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookUp: LookupFunction = (_, { all }, report) => {
    const [first] = entries;
    if (first === undefined) report(new Error("the name has no address"), "");
    else if (all === true) report(null, entries);
    else report(null, first.address, first.family);
  };
  return buildConnector({ allowH2: false, timeout: LONGEST_CONNECT_MS, lookup: lookUp });
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

/** The error's message. If several addresses failed, the message is that of the first one's error. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  const { message } = asError(error);
  return message === "" ? String((error as { code?: unknown }).code) : message;
}

const STANDARD_PREFIX = "whsec_";

/** Signs by HMAC-SHA-256. A secret with the prefix of Standard Webhooks is base64; any other is used unchanged. */
export const sign: Sign = (secret, text) => {
  const key = secret.startsWith(STANDARD_PREFIX)
    ? Buffer.from(secret.slice(STANDARD_PREFIX.length), "base64")
    : Buffer.from(secret, "utf8");
  return createHmac("sha256", key).update(text, "utf8").digest("base64");
};
