// Light or dark: as the system has it, until the reader changes it. Only the address stores the choice.
import { addressOf, hashOf } from "../../html/address.ts";
import { remember } from "./remember.ts";

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
