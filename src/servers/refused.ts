import { Refusal } from "../management/operation.ts";

export const MOST_BYTES = 1_048_576; // MGT-C1

/** What went wrong, without anything that is nobody's business (MGT-C1). */
export function asRefusal(
  thrown: unknown,
): Pick<Refusal, "status" | "message" | "problems" | "headers"> {
  if (thrown instanceof Refusal) return thrown;
  const { statusCode } = thrown as { statusCode?: number };
  if (statusCode === 413)
    return {
      status: 413,
      message: `A body has at most ${MOST_BYTES} bytes`,
      problems: [],
      headers: { Connection: "close" },
    };
  if (statusCode === 415)
    return { status: 415, message: "A body is application/json", problems: [], headers: {} };
  if (statusCode === 400)
    return { status: 400, message: "The request is not sound", problems: [], headers: {} };
  return {
    status: 500,
    message: "This is a fault of the gateway itself",
    problems: [],
    headers: {},
  };
}
