import { connect } from "node:net";
import { type ExitCode, EXIT } from "./exit.ts";

const LONGEST_MS = 10_000;

/** Returns null if a target serves this key, else the reason. */
export async function whyNoTarget(
  url: URL,
  key: string | null,
): Promise<{ readonly sentence: string; readonly code: ExitCode } | null> {
  try {
    const headers = key === null ? {} : { authorization: key };
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(LONGEST_MS) });
    await answer.arrayBuffer();
    if (answer.ok || answer.status === 429) return null;
    const way =
      answer.status === 401 || answer.status === 403
        ? "; set WEIR_BENCH_KEY, which is sent as Authorization"
        : "";
    return { sentence: `${url.href} answers with ${answer.status}${way}`, code: EXIT.usage };
  } catch (error) {
    const { cause, message } = error as Error & {
      readonly cause?: { readonly code?: string; readonly message: string };
    };
    // fetch refuses to connect to some ports, with the message "bad port".
    return {
      sentence: `${url.href} does not answer: ${cause?.code ?? cause?.message ?? message}`,
      code: EXIT.unreachable,
    };
  }
}

/** Returns null if the target accepts a connection, else the reason. No request is sent: it would spend a budget. */
export function targetAway({ origin, hostname, port, protocol }: URL): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
      timeout: LONGEST_MS,
    });
    const end = (why: string | null): void => {
      socket.destroy();
      resolve(why === null ? null : `${origin} takes no connection (${why}); start the gateway`);
    };
    socket.on("connect", () => end(null));
    socket.on("timeout", () => end("timeout"));
    socket.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
