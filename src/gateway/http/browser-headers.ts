// The headers of every response of an operator's listener.

/** Browsers do not guess its type, no page embeds it or loads it as a part, its links send no referrer, no cache stores it. */
export const BROWSER_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
} as const;

/** In lower case. */
export const BROWSER_HEADER_NAMES: readonly string[] = Object.keys(BROWSER_HEADERS).map((name) =>
  name.toLowerCase(),
);
