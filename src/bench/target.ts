// A gateway that is somebody else's: whether it may be asked at all, and how much at most.

/** Whoever starts a run against a target has these, whatever the suite says. */
export const CAPS: Spent = { requests: 1_000_000, seconds: 600 };

export interface Spent {
  readonly requests: number;
  readonly seconds: number;
}

/** Why there is no further repeat: a sentence. */
export function overCap(spent: Spent, nextSeconds: number, caps: Spent): string | null {
  if (spent.seconds + nextSeconds > caps.seconds)
    return `the cap of ${caps.seconds} s against a target is reached`;
  return spent.requests >= caps.requests ? noneLeft(caps) : null;
}

export const noneLeft = ({ requests }: Spent): string =>
  `the cap of ${requests} requests against a target is reached`;

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
