// What a request asks of its upstream: the path as it was judged, and the query as it came.
import type { ApiDefinition } from "../../core/config.ts";

/** Empty for the listen path itself, where that is taken off. */
export const onwardPath = ({ stripListenPath, listenPath }: ApiDefinition, path: string): string =>
  !stripListenPath || listenPath === "/" ? path : path.slice(listenPath.length);

/** With its question mark, and without a fragment, which no server is meant to see. */
export function queryOf(target: string): string {
  const start = target.indexOf("?");
  if (start < 0) return "";
  const end = target.indexOf("#");
  if (end < 0) return target.slice(start);
  return end < start ? "" : target.slice(start, end);
}
