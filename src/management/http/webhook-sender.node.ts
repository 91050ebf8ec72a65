// Sends letters to the receivers of webhooks (EVT-3, EVT-C3). The name of a receiver may lead anywhere, and elsewhere
// the next moment: its addresses are looked at when a connection is made, and the connection is made to them.
import { createHmac } from "node:crypto";
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, request } from "undici";
import type { Receipt } from "../events/courier.ts";
import type { Letter, Sign } from "../events/letter.ts";
import type { AllowedReceivers } from "./allowed-receivers.node.ts";
import { refusedAmong } from "./receiver-addresses.node.ts";

export interface WebhookSender {
  /** Never fails: what went wrong is in the receipt. */
  readonly send: (letter: Letter) => Promise<Receipt>;
  /** At once: what is under way breaks off. */
  readonly close: () => Promise<void>;
}

export interface SenderOptions {
  readonly allowed: () => AllowedReceivers; // asked again each time, because a reload may change them
  readonly addressesOf?: (name: string) => Promise<readonly string[]>;
}

const LONGEST_CONNECT_MS = 30_000; // as the longest Timeout
const MOST_OF_ANSWER = 65_536; // nobody reads it

export function webhookSender({ allowed, addressesOf = resolved }: SenderOptions): WebhookSender {
  // A connection for each letter: one that stays open was checked by what was allowed long ago.
  const agent = new Agent({
    pipelining: 0,
    allowH2: false,
    maxHeaderSize: 16_384,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (to, connected) => {
      checked(to.hostname, portOf(to), addressesOf, allowed()).then(
        (addresses) => connectorTo(addresses)(to, connected),
        (error: unknown) => connected(asError(error), null),
      );
    },
  });
  return {
    send: async ({ url, method, headers, body, timeoutUs }) => {
      const signal = AbortSignal.timeout(Math.ceil(timeoutUs / 1_000));
      try {
        const answer = await request(url, {
          dispatcher: agent,
          method,
          headers: headers.flat(),
          body,
          signal,
        });
        const { statusCode: status } = answer;
        // Its status is all that counts: a receiver that never ends its answer has received.
        answer.body.dump({ limit: MOST_OF_ANSWER, signal }).catch(() => answer.body.destroy());
        return { status, error: status >= 200 && status < 300 ? null : `answered ${status}` };
      } catch (error) {
        return { status: null, error: signal.aborted ? "did not answer in time" : said(error) };
      }
    },
    close: () => agent.destroy(),
  };
}

export const portOf = ({
  port,
  protocol,
}: {
  readonly port?: string | null | undefined;
  readonly protocol: string;
}): number => Number(port || (protocol === "https:" ? 443 : 80));

const resolved = async (name: string): Promise<readonly string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);

async function checked(
  name: string,
  port: number,
  addressesOf: NonNullable<SenderOptions["addressesOf"]>,
  allowed: AllowedReceivers,
): Promise<readonly string[]> {
  const host = name.startsWith("[") ? name.slice(1, -1) : name;
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
  const refused = refusedAmong(addresses, port, allowed);
  if (refused !== null) throw new Error(refused);
  return addresses;
}

function connectorTo(addresses: readonly string[]): buildConnector.connector {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  const look: LookupFunction = (_, { all }, found) => {
    const [first] = known;
    if (first === undefined) found(new Error("the name has no address"), "");
    else if (all === true) found(null, known);
    else found(null, first.address, first.family);
  };
  return buildConnector({ allowH2: false, timeout: LONGEST_CONNECT_MS, lookup: look });
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

/** Several addresses fail with one error that holds theirs. */
function said(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return said(error.errors[0]);
  const { message } = asError(error);
  return message === "" ? String((error as { code?: unknown }).code) : message;
}

const STANDARD = "whsec_";

/** A secret in the form of the Standard Webhooks specification is base64; any other is taken letter by letter. */
export const sign: Sign = (secret, text) => {
  const key = secret.startsWith(STANDARD)
    ? Buffer.from(secret.slice(STANDARD.length), "base64")
    : Buffer.from(secret, "utf8");
  return createHmac("sha256", key).update(text, "utf8").digest("base64");
};
