// Rules for a target, a gateway that Weir did not start: whether a run may put it under load, and how much.

/** They apply to every run against a target, whatever its suite needs. */
export const CAPS: LoadSpent = { requests: 1_000_000, seconds: 600 };

export interface LoadSpent {
  readonly requests: number;
  readonly seconds: number;
}

/** A message if a cap forbids another repeat, else null. */
export function findReachedCap(
  spent: LoadSpent,
  nextSeconds: number,
  caps: LoadSpent,
): string | null {
  if (spent.seconds + nextSeconds > caps.seconds)
    return `the cap of ${caps.seconds} s against a target is reached`;
  return spent.requests >= caps.requests ? requestCapReached(caps) : null;
}

export const requestCapReached = ({ requests }: LoadSpent): string =>
  `the cap of ${requests} requests against a target is reached`;

/** `allowedHost` is the value of --allow-target. Returns a message if the target must not be put under load. */
export function targetOf(address: string, allowedHost: string | undefined): URL | string {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    return `--target takes the address of a gateway, such as http://127.0.0.1:8080/orders, not "${address}"`;
  if (url.username !== "" || url.password !== "")
    return "--target takes no user and password: set WEIR_BENCH_KEY, which is sent as Authorization";
  if (isLoopback(url.hostname) || url.hostname === allowedHost) return url;
  return allowedHost === undefined
    ? `${url.hostname} is not this machine; if you may put it under load, add --allow-target ${url.hostname}`
    : `--allow-target allows ${allowedHost}, and the target is ${url.hostname}`;
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(?:\.\d+){3}$/.test(host);
