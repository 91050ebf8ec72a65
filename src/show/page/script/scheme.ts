// Light or dark: as the system is set, until the reader changes it. Only the address stores the choice.
import { addressOf, hashOf } from "../../html/address.ts";

export function scheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = document.createElement("button");
  button.id = "scheme";
  button.type = "button";
  let chosen: "light" | "dark" | null = null;
  const current = (): "light" | "dark" => chosen ?? (dark.matches ? "dark" : "light");
  const applyScheme = (): void => {
    chosen = addressOf(location.hash).scheme ?? chosen;
    if (chosen === null) delete document.documentElement.dataset["scheme"];
    else document.documentElement.dataset["scheme"] = chosen;
    button.textContent = current() === "dark" ? "Light" : "Dark";
    button.title = `Show the page ${current() === "dark" ? "light" : "dark"}`;
  };
  button.addEventListener("click", () => {
    const address = addressOf(location.hash);
    const other = current() === "dark" ? "light" : "dark";
    remember(hashOf({ ...address, scheme: other }), "replace");
    applyScheme();
  });
  dark.addEventListener("change", applyScheme);
  addEventListener("hashchange", applyScheme);
  document.querySelector("main")!.before(button);
  applyScheme();
}

/**
 * Browsers have no event for a changed address, so the page emits this one: the surrounding page in `weir run --serve`
 * displays the same address.
 */
export const REMEMBERED = "remembered";

/** Changes the address to this fragment. After "push", the browser's "back" returns to the previous address. */
export function remember(hash: string, how: "push" | "replace"): void {
  if (how === "push") history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
  dispatchEvent(new Event(REMEMBERED));
}
