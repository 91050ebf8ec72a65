// The responses to errors that operations or Fastify throw.
import { Rejection } from "../rejection.ts";

export const MOST_BYTES = 1_048_576; // of a body (MGT-C1)

/** Builds the response to an error, without details that clients must not see (MGT-C1). */
export function toRejection(
  thrown: unknown,
): Pick<Rejection, "status" | "message" | "problems" | "headers"> {
  if (thrown instanceof Rejection) return thrown;
  const statusCode = statusIn(thrown);
  if (statusCode === 413)
    return {
      status: 413,
      message: `A body has at most ${MOST_BYTES} bytes`,
      problems: [],
      headers: {},
    };
  if (statusCode === 415)
    return { status: 415, message: "A body is application/json", problems: [], headers: {} };
  // The documentation's pages throw these statuses for paths outside their folder.
  if (statusCode === 403 || statusCode === 404)
    return { status: 404, message: "Not Found", problems: [], headers: {} };
  if (statusCode === 400)
    return { status: 400, message: "The request is not sound", problems: [], headers: {} };
  return {
    status: 500,
    message: "Internal error of the gateway",
    problems: [],
    headers: {},
  };
}

const statusIn = (thrown: unknown): number | undefined =>
  (thrown as { readonly statusCode?: number } | null | undefined)?.statusCode;

/** The complete trace of an internal error, for the operator and never for a client. */
export const traceOf = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? String(thrown)) : String(thrown);

interface FailedRequest {
  readonly method: string;
  readonly id: string;
  /** The pattern of the route, because values in the path may be confidential. */
  readonly routeOptions: { readonly url?: string | undefined };
}

/** Like `toRejection`, but also logs an internal error. */
export function reportRejection(
  thrown: unknown,
  { method, id, routeOptions }: FailedRequest,
  log: (line: string) => void,
): ReturnType<typeof toRejection> {
  const rejection = toRejection(thrown);
  if (rejection.status === 500 && !(thrown instanceof Rejection))
    log(
      `weir: ${method} ${routeOptions.url ?? "somewhere"} (${id}) has failed: ${traceOf(thrown)}`,
    );
  return rejection;
}
