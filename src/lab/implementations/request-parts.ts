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

/** A host in lower case, without its port. */
export const plainHost = (host: string): string => host.toLowerCase().replace(/:\d+$/, "");

/**
 * Tests plain hosts by a host, or by a pattern with an asterisk for the parts on one side: `*.example.com`. A log may
 * lack hosts, so that an empty one fits.
 */
export function hostPattern(pattern: string): (host: string) => boolean {
  const own = plainHost(pattern);
  if (own.startsWith("*")) return (host) => host === "" || host.endsWith(own.slice(1));
  if (own.endsWith("*")) return (host) => host === "" || host.startsWith(own.slice(0, -1));
  return (host) => host === "" || host === own;
}
