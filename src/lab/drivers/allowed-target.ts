// Decides which foreign servers may receive requests of Weir, by one rule for every command that takes a URL.
import { Failure } from "../../kit/reading/failure.ts";

/** Words for messages: the name of the URL, and where to give a credential, which the URL must not contain. */
export interface TargetWords {
  readonly url: string;
  readonly credential: string;
}

/** `allowedHosts` has the values of --allow-target. Returns a failure if the URL must not receive requests. */
export function readTarget(
  address: string,
  allowedHosts: readonly string[],
  { url: name, credential }: TargetWords,
): URL | Failure {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    return new Failure(
      `${name} takes the address of a gateway, such as http://127.0.0.1:8080/orders, not "${address}"`,
    );
  if (url.username !== "" || url.password !== "")
    return new Failure(`${name} takes no user and password: ${credential}`);
  if (isLoopback(url.hostname) || allowedHosts.some((host) => isHost(host, url))) return url;
  return allowedHosts.length === 0
    ? new Failure(
        `${url.hostname} is not this machine; if you may put it under load, add --allow-target ${url.hostname}`,
      )
    : new Failure(
        `--allow-target allows ${allowedHosts.join(" and ")}, and the target is ${url.hostname}`,
      );
}

/** True for names that mean this machine on every system; any other name may be resolved to another machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(?:\.\d+){3}$/.test(host);

/** Whether the URL has the allowed host. In a URL, a host is in lower case, and an IPv6 address in brackets. */
const isHost = (allowed: string, { hostname }: URL): boolean =>
  allowed.toLowerCase() === hostname || `[${allowed.toLowerCase()}]` === hostname;
