// Light or dark: as the system is set, until the reader changes it. Runs before anything is drawn, so that nothing
// flashes. When the page has loaded, registers the service worker, with which the site works without a network.

const NAME = "weir-scheme";
const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");

/** A browser may forbid storage: then the choice lasts only for this page. */
function read(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

function write(scheme: string): void {
  try {
    localStorage.setItem(NAME, scheme);
  } catch {
    // The choice applies even if it cannot be stored.
  }
}

const chosen = read();
if (chosen === "light" || chosen === "dark") root.dataset["scheme"] = chosen;

const isDark = (): boolean =>
  (root.dataset["scheme"] ?? (dark.matches ? "dark" : "light")) === "dark";

addEventListener("DOMContentLoaded", () => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "scheme";
  const label = (): void => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.title = `Show the page ${isDark() ? "light" : "dark"}`;
  };
  button.addEventListener("click", () => {
    root.dataset["scheme"] = isDark() ? "light" : "dark";
    write(root.dataset["scheme"]);
    label();
  });
  dark.addEventListener("change", label);
  label();
  document.querySelector("header.site")!.append(button);
});

/** No service worker here: `weir site` uses changing ports, and a browser would retain sites that are gone. */
const OF_A_COMMAND = "127.0.0.1";

// Registered after everything that the page itself needs has loaded.
addEventListener("load", () => {
  // Old browsers, private windows and pages without TLS have no service worker: then the site needs its network.
  if (!("serviceWorker" in navigator) || location.hostname === OF_A_COMMAND) return;
  const address = `${document.body.dataset["root"]!}service-worker.js`;
  navigator.serviceWorker.register(address).catch(() => {});
});
