// Puts what is looked at into the address. A browser has no event for it, so the page emits one: the page around it in
// `weir run --serve` shows the same address to its reader.

export const REMEMBERED = "remembered";

/** Pushed, "back" leads to what was looked at before. */
export function remember(hash: string, how: "push" | "replace"): void {
  if (how === "push") history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
  dispatchEvent(new Event(REMEMBERED));
}
