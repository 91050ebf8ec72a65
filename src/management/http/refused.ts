import { Rejection } from "../rejection.ts";

export const MOST_BYTES = 1_048_576; // MGT-C1

/** What went wrong, without anything that is nobody's business (MGT-C1). */
export function asRefusal(
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
  // Of a page of the documentation whose path leads elsewhere.
  if (statusCode === 403 || statusCode === 404)
    return { status: 404, message: "Not Found", problems: [], headers: {} };
  if (statusCode === 400)
    return { status: 400, message: "The request is not sound", problems: [], headers: {} };
  return {
    status: 500,
    message: "This is a fault of the gateway itself",
    problems: [],
    headers: {},
  };
}

const statusIn = (thrown: unknown): number | undefined =>
  (thrown as { readonly statusCode?: number } | null | undefined)?.statusCode;

/** For whoever runs the gateway, and for nobody else: the whole of what is a fault of Weir itself. */
export const traceOf = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? String(thrown)) : String(thrown);

export interface Asking {
  readonly method: string;
  readonly id: string;
  /** As it was hung in: what varies in it may be anybody's business, or nobody's. */
  readonly routeOptions: { readonly url?: string | undefined };
}

/** As `asRefusal`, and what is a fault of Weir itself is told. */
export function refusalTold(
  thrown: unknown,
  { method, id, routeOptions }: Asking,
  log: (line: string) => void,
): ReturnType<typeof asRefusal> {
  const refusal = asRefusal(thrown);
  if (refusal.status === 500 && !(thrown instanceof Rejection))
    log(
      `weir: ${method} ${routeOptions.url ?? "somewhere"} (${id}) has failed: ${traceOf(thrown)}`,
    );
  return refusal;
}
