// Pages of the documentation: the search, and lines to copy. The search runs in the browser and needs no server.
import { html, type Html } from "../../html/html.ts";
import { copying } from "../../page/script/copying.ts";
import { replaceContents } from "../../page/script/insert.ts";
import { announce } from "../../page/script/notices.ts";
import type { SearchEntry } from "../docs/document-page.ts";
import { buildSearch, type SearchHit } from "../docs/search.ts";

const root = document.body.dataset["root"]!;
const form = document.getElementById("search") as HTMLFormElement;
const field = document.getElementById("sought") as HTMLInputElement;
const place = document.getElementById("found")!;

const EXCERPT = 160;

/** Loads the search index of half a megabyte. Called on the first use of the search: most readers never search. */
async function loadIndex(): Promise<ReturnType<typeof buildSearch>> {
  const response = await fetch(`${root}assets/search.json`);
  if (!response.ok) throw new Error(`it cannot be loaded (${response.status})`);
  return buildSearch((await response.json()) as readonly SearchEntry[]);
}

let loading: ReturnType<typeof loadIndex> | undefined;

function excerptOf({ text, terms }: SearchHit): string {
  const at = Math.min(
    ...terms.map((term) => text.toLowerCase().indexOf(term)).filter((each) => each >= 0),
  );
  const from = Number.isFinite(at) ? Math.max(0, text.lastIndexOf(" ", Math.max(0, at - 40))) : 0;
  const end = text.length > from + EXCERPT ? "…" : "";
  return `${from > 0 ? "…" : ""}${text.slice(from, from + EXCERPT)}${end}`;
}

const resultsHtml = (found: readonly SearchHit[]): Html =>
  found.length === 0
    ? html`<p>Nothing was found. Try fewer or other words.</p>`
    : html`<ol>${found.map(
        (each) =>
          html`<li><a href="${root}${each.path}#${each.id}"><b>${each.heading}</b>${each.page === each.heading ? null : html` <span class="soft">${each.page}</span>`}<span class="excerpt">${excerptOf(each)}</span></a></li>`,
      )}</ol>`;

async function seek(): Promise<void> {
  const words = field.value.trim();
  if (words === "") {
    place.hidden = true;
    return;
  }
  try {
    const find = await (loading ??= loadIndex());
    // The reader may have typed more while the index was loading.
    if (field.value.trim() !== words) return;
    const found = find(words);
    replaceContents(place, resultsHtml(found));
    announce(`${found.length} found`);
  } catch (error) {
    loading = undefined;
    replaceContents(place, html`<p>The search does not work: ${(error as Error).message}.</p>`);
  }
  place.hidden = false;
}

field.addEventListener("input", () => void seek());
field.addEventListener("focus", () => void seek());
form.addEventListener("submit", (event) => {
  event.preventDefault();
  place.querySelector("a")?.click();
});
form.addEventListener("keydown", (event) => {
  const links = [...place.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (event.key === "Escape") {
    place.hidden = true;
    field.focus();
    place.hidden = true;
  } else if (event.key === "ArrowDown") links[Math.min(at + 1, links.length - 1)]?.focus();
  else if (event.key === "ArrowUp" && at > 0) links[at - 1]?.focus();
  else if (event.key === "ArrowUp") field.focus();
  else return;
  event.preventDefault();
});
document.addEventListener("click", ({ target }) => {
  if (
    target instanceof Element &&
    (target.closest("#search") === null || target.closest("#found a") !== null)
  )
    place.hidden = true;
});
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  const isTyping = target instanceof Element && target.closest("input, textarea, select") !== null;
  if (key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
});

// On a wide screen the list of pages is always open.
const wide = matchMedia("(min-width: 64rem)");
const list = document.querySelector<HTMLDetailsElement>(".all-pages");
const openWide = (): void => {
  if (list !== null) list.open = wide.matches;
};
wide.addEventListener("change", openWide);
openWide();
const current = list?.querySelector<HTMLElement>("[aria-current]");
// Scrolls the list only, not the page.
if (list && current) list.scrollTop = current.offsetTop - list.clientHeight / 2;

for (const block of document.querySelectorAll<HTMLElement>(".code")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", () => void copy(block, button));
  block.prepend(button);
}

/** Copies the typed commands without their output. */
async function copy(block: HTMLElement, button: HTMLElement): Promise<void> {
  const text = block.querySelector("code")!.textContent;
  const typed = text.split("\n").filter((line) => line.startsWith("$ "));
  try {
    await navigator.clipboard.writeText(
      typed.length === 0 ? text : typed.map((line) => line.slice(2)).join("\n"),
    );
    button.textContent = "Copied";
    announce("copied");
  } catch {
    getSelection()!.selectAllChildren(block.querySelector("code")!);
    announce("selected: copy it with your browser");
  }
}

copying();
