// Parts of the target of a request.
import type { RequestFacts } from "./reading.ts";

type Target = Pick<RequestFacts, "target">;

/** The path as it was sent, without the query. */
export const pathOf = ({ target }: Target): string => target.split("?", 1)[0]!;

/** Empty: the request has none. */
export const queryOf = ({ target }: Target): string => /\?(.*)$/s.exec(target)?.[1] ?? "";

export const parametersOf = (request: Target): URLSearchParams =>
  new URLSearchParams(queryOf(request));

/** Without escapes, or the text as it is if they are no UTF-8. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
