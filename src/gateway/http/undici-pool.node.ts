// Connects undici as client of one upstream.
import { Pool } from "undici";
import type { PoolOptions, UpstreamPool } from "../upstream/pool.node.ts";

export function undiciPool(origin: string, options: PoolOptions): UpstreamPool {
  const pool = new Pool(origin, { allowH2: false, ...options });
  return {
    dispatch: (request, handler) =>
      pool.dispatch(request, {
        onRequestStart: (control) => handler.onRequestStart(control),
        onRequestSent: () => handler.onRequestSent(),
        onResponseStart: (control, status, headers) =>
          handler.onResponseStart(control, status, listOf(headers)),
        onResponseData: (control, chunk) => handler.onResponseData(control, chunk),
        onResponseEnd: () => handler.onResponseEnd(),
        onResponseError: (control, error) => handler.onResponseError(control, error),
      }),
    close: () => pool.close(),
    destroy: () => pool.destroy(),
  };
}

/** Headers as name, value, name, value. */
function listOf(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((each) => [name, each]),
  );
}
