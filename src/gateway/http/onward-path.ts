// The target of a request at its upstream: the path that limits were matched with, and the query as received.
import type { ApiDefinition } from "../../limiter/core/config.ts";

/** Empty for the listen path itself, if it is stripped. */
export const onwardPath = ({ stripListenPath, listenPath }: ApiDefinition, path: string): string =>
  !stripListenPath || listenPath === "/" ? path : path.slice(listenPath.length);

/** With its question mark, and without a fragment, which is not for servers. */
export function queryOf(target: string): string {
  const start = target.indexOf("?");
  if (start < 0) return "";
  const end = target.indexOf("#");
  if (end < 0) return target.slice(start);
  return end < start ? "" : target.slice(start, end);
}
