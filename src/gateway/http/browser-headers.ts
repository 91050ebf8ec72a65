// What every answer of a listener for operators says to browsers: its text is of the type that it says, no page may
// hold it in a frame or load it as a part, no link out of it says where it was, and no cache keeps it.
export const BROWSER_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
} as const;
