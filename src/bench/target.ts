// A gateway that is somebody else's: whether it may be asked at all, and how much at most.

/** Whoever starts a run against a target has these, whatever the suite says. */
export const CAPS = { requests: 1_000_000, seconds: 600 } as const;

export interface Spent {
  readonly requests: number;
  readonly seconds: number;
}

/** One more repeat would go over a cap: a sentence. `fastest` is the most that was answered in a second so far. */
export function overCap(
  spent: Spent,
  next: { readonly seconds: number; readonly fastest: number },
): string | null {
  if (spent.seconds + next.seconds > CAPS.seconds)
    return `the cap of ${CAPS.seconds} s against a target is reached`;
  // A closed loop may be faster than it was.
  if (spent.requests + 2 * next.fastest * next.seconds > CAPS.requests)
    return `the cap of ${CAPS.requests} requests against a target is reached`;
  return null;
}

/** `allowed` is what --allow-target says. A sentence says why it may not be asked. */
export function targetOf(typed: string, allowed: string | undefined): URL | string {
  const url = URL.parse(typed);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    return `--target takes the address of a gateway, such as http://127.0.0.1:8080/orders, not "${typed}"`;
  if (url.username !== "" || url.password !== "")
    return "--target takes no user and password: WEIR_BENCH_KEY is sent as Authorization";
  if (isLoopback(url.hostname) || url.hostname === allowed) return url;
  return allowed === undefined
    ? `${url.hostname} is not this machine; where you may put it under load, say --allow-target ${url.hostname}`
    : `--allow-target allows ${allowed}, and the target is ${url.hostname}`;
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(?:\.\d+){3}$/.test(host);
