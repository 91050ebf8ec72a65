// Limits requests in flight, for each client address and in total. Requests above a limit are rejected undecided.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Micros } from "../../kit/units.ts";
import { credentialIn } from "../credential.ts";
import { UNDECIDED } from "../outcome.ts";
import { addressCounts } from "./address-counts.ts";
import { writeRejection } from "./answer.node.ts";
import type { Observer } from "./observer.ts";
import { REJECTIONS, type RequestRejection } from "./rejections.ts";
import { clientOf, type TrustedProxies } from "./trusted.node.ts";
import { whenOver } from "./when-over.node.ts";
import type { Wire } from "./wire.ts";

/** Counts a request as in flight until it ends, or rejects it and returns false. */
type Admit = (from: IncomingMessage, to: ServerResponse, isExpecting: boolean) => boolean;

interface AdmissionOptions {
  readonly wire: Pick<Wire, "requestsPerAddress" | "requestsInFlight">;
  readonly trusted: TrustedProxies;
  readonly observer: Observer;
  readonly clock: () => Micros;
}

/** Null if neither number is limited, so that nothing has to be counted. */
export function admission({ wire, trusted, observer, clock }: AdmissionOptions): Admit | null {
  const { requestsPerAddress, requestsInFlight } = wire;
  if (requestsPerAddress === null && requestsInFlight === null) return null;
  const most = requestsInFlight ?? Number.POSITIVE_INFINITY;
  const counts = requestsPerAddress === null ? null : addressCounts(requestsPerAddress);
  let inFlight = 0;

  return (from, to, isExpecting) => {
    if (inFlight >= most) {
      reject(from, to, isExpecting, REJECTIONS.overload);
      return false;
    }
    const address = counts === null ? null : clientOf(from, trusted);
    if (address !== null && !counts!.enter(address)) {
      reject(from, to, isExpecting, REJECTIONS.requests);
      return false;
    }
    inFlight++;
    whenOver(from, to, () => {
      inFlight--;
      if (address !== null) counts!.leave(address);
    });
    return true;
  };

  function reject(
    from: IncomingMessage,
    to: ServerResponse,
    isExpecting: boolean,
    rejection: RequestRejection,
  ): void {
    const startUs = clock();
    const { reason, status } = rejection;
    observer.onRejection?.(reason, startUs);
    if (isExpecting) to.shouldKeepAlive = false; // after `Expect`, the client may or may not send the body
    const { onExchange } = observer;
    if (onExchange !== null) {
      const before = from.socket.bytesWritten;
      to.once("close", () =>
        onExchange({
          request: {
            method: from.method ?? "GET",
            target: from.url ?? "/",
            credential: credentialIn(from.headers),
          },
          outcome: null,
          status,
          startUs,
          endUs: clock(),
          upstream: null,
          upstreamUs: -1,
          bytesSent: from.socket.bytesWritten - before,
          clientAddress: clientOf(from, trusted),
          requestId: [from.headers["x-request-id"] ?? null].flat()[0] ?? null,
          rejected: reason,
          isWhole: to.writableFinished,
        }),
      );
    }
    observer.onResponse?.(UNDECIDED, status, -1);
    writeRejection(to, rejection, SOON_SECONDS);
  }
}

/** `Retry-After` of a rejected request: by then, requests that are now in flight may have ended. */
const SOON_SECONDS = 1;
