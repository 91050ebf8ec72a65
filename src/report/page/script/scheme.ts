// Light or dark: as the system has it, until somebody says otherwise. The address remembers it, so that nothing is kept.
import { addressOf, hashOf } from "../../html/address.ts";
import { remember } from "./remember.ts";

export function scheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = document.createElement("button");
  button.id = "scheme";
  button.type = "button";
  let asked: "light" | "dark" | null = null;
  const current = (): "light" | "dark" => asked ?? (dark.matches ? "dark" : "light");
  const obey = (): void => {
    asked = addressOf(location.hash).scheme ?? asked;
    if (asked === null) delete document.documentElement.dataset["scheme"];
    else document.documentElement.dataset["scheme"] = asked;
    button.textContent = current() === "dark" ? "Light" : "Dark";
    button.title = `Show the page ${current() === "dark" ? "light" : "dark"}`;
  };
  button.addEventListener("click", () => {
    const address = addressOf(location.hash);
    const other = current() === "dark" ? "light" : "dark";
    remember(hashOf({ ...address, scheme: other }), "replace");
    obey();
  });
  dark.addEventListener("change", obey);
  addEventListener("hashchange", obey);
  document.querySelector("main")!.before(button);
  obey();
}
