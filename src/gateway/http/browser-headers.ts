// Headers of every response of an operator's listener.

/** Browsers must not guess the type; no page may embed or load the response; no referrer, no cache. */
export const BROWSER_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
} as const;

/** The names of these headers in lower case. */
export const BROWSER_HEADER_NAMES: readonly string[] = Object.keys(BROWSER_HEADERS).map((name) =>
  name.toLowerCase(),
);
