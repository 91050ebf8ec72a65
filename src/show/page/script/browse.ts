// Filters scenarios, shows variants and highlights expectations. The address of the page contains this state.
import { addressOf, hashOf, isNamed, NOWHERE, type Address } from "../../html/address.ts";
import { findable, isFound, NOTHING_SOUGHT, type Sought } from "../../html/find.ts";
import { anchorOf, formatCount, many } from "../../html/parts.ts";
import { insideHtml, optionsHtml, variantHtml } from "../../html/scenario.ts";
import { sourceHtml } from "../../html/source.ts";
import { variantsHtml } from "../../html/variants.ts";
import { worstVariant } from "../../html/overview.ts";
import type { Report } from "../../../lab/report/model.ts";
import type { Charts } from "./charts.ts";
import { appendTo, replaceContents } from "./insert.ts";
import type { RefusalWith } from "./refusals.ts";
import { remember } from "./scheme.ts";
import { announce } from "./notices.ts";
import { sortOnClick } from "./sort.ts";

interface Shown {
  readonly section: HTMLElement;
  readonly listed: HTMLElement;
  variant: number;
}

const FIELDS = ["text", "outcome", "folder", "requirement", "algorithm"] as const;

export function browse(
  { scenarios }: Report,
  { lookAt, leave }: Charts,
  refusalWith: RefusalWith,
): void {
  const all = scenarios.map((scenario, index): Shown => ({
    section: document.querySelector<HTMLElement>(`[data-scenario="${index}"]`)!,
    listed: document.querySelector<HTMLElement>(`[data-listed="${index}"]`)!,
    variant: worstVariant(scenario),
  }));
  const main = document.getElementById("contents")!;
  const form = document.querySelector<HTMLFormElement>(".overview form")!;
  const clear = form.querySelector<HTMLButtonElement>("[type=reset]")!;
  const hits = form.querySelector("output")!;
  const nothing = form.querySelector<HTMLElement>(".nothing")!;
  const field = (name: (typeof FIELDS)[number]): HTMLInputElement | HTMLSelectElement =>
    form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
  for (const index of all.keys()) nameVariants(index);
  let finds: ReturnType<typeof findable>[] | null = null;
  let address = NOWHERE;

  function nameVariants(index: number): void {
    const { section, variant } = all[index]!;
    const choice = section.querySelector("select");
    if (choice === null) return;
    replaceContents(choice, optionsHtml(scenarios[index]!));
    choice.value = String(variant);
  }

  /** Opens a scenario that has only its beginning, and adds the rest. */
  function openInside(index: number): void {
    const inside = all[index]!.section.querySelector<HTMLDetailsElement>(":scope > .inside");
    if (inside === null) return;
    inside.open = true;
    if (inside.childElementCount > 1) return;
    appendTo(inside, insideHtml(scenarios[index]!, index));
    nameVariants(index);
    lookAt(inside);
  }

  /** Goes to an address. The browser's "back" returns to the previous address. */
  function go(to: Address): void {
    const hash = hashWithScheme(to);
    if (hash === location.hash) arrive();
    else location.hash = hash;
  }

  function arrive(): void {
    const to = addressOf(location.hash);
    if (
      to.anchor !== address.anchor ||
      JSON.stringify(to.sought) !== JSON.stringify(address.sought)
    )
      filter(to.sought);
    address = to;
    const index = scenarios.findIndex((scenario) => anchorOf(scenario) === to.anchor);
    for (const { listed, section } of all) {
      listed.removeAttribute("aria-current");
      section.classList.remove("here");
    }
    main.querySelector(":scope > .lost")?.remove();
    showTabOf(to.anchor);
    if (index >= 0) {
      point(index, to);
      return;
    }
    const named = to.anchor === "" ? null : document.getElementById(to.anchor);
    openAround(named);
    if (to.anchor === "" || named !== null) return;
    main.prepend(buildNotice(`${unknown(to.anchor)}.`));
    main.scrollIntoView();
  }

  function buildNotice(words: string): HTMLElement {
    const notice = document.createElement("p");
    notice.className = "notice lost";
    notice.setAttribute("role", "status");
    notice.textContent = words;
    return notice;
  }

  function point(index: number, to: Address): void {
    const { variant, line, refusal } = to;
    const { section, listed } = all[index]!;
    const { variants } = scenarios[index]!;
    const named = variants.findIndex(({ name }) => isNamed(name, to));
    const shown = named < 0 ? worstVariant(scenarios[index]!) : named;
    openInside(index);
    showVariant(index, shown);
    section.hidden = false;
    listed.setAttribute("aria-current", "true");
    listed.scrollIntoView({ block: "nearest" });
    section.classList.add("here");
    section.focus({ preventScroll: true });
    section.scrollIntoView();
    const rows = [...section.querySelectorAll<HTMLElement>("[data-line]")];
    const marked = rows.filter((row) => row.dataset["line"] === String(line));
    for (const row of rows)
      (row.closest("tr") ?? row).classList.toggle("here", marked.includes(row));
    const target =
      refusal === null ? marked[0] : refusalWith({ scenario: index, variant: shown }, refusal);
    section.querySelector(".lost")?.remove();
    const missing =
      variant !== null && named < 0
        ? `The variant that this address names is not in this report, or it has another name now: ${variant}.`
        : target || (line === null && refusal === null)
          ? null
          : "The line or refusal of this address is not in this report.";
    if (missing !== null) section.querySelector(".variant")!.before(buildNotice(missing));
    if (!target) return;
    openAround(target);
    target.scrollIntoView({ block: "center" });
  }

  function showVariant(index: number, variant: number): void {
    const shown = all[index]!;
    if (shown.variant === variant) return;
    shown.variant = variant;
    const place = shown.section.querySelector(".variant")!;
    leave(place);
    replaceContents(place, variantHtml(scenarios[index]!, { scenario: index, variant }, new Map()));
    lookAt(place);
    const select = shown.section.querySelector("select");
    if (select !== null) select.value = String(variant);
  }

  function filter(sought: Sought): void {
    for (const name of FIELDS)
      if (field(name).value !== sought[name]) field(name).value = sought[name];
    const isAny = FIELDS.every((name) => sought[name].trim() === "");
    finds ??= isAny ? null : scenarios.map(findable);
    let found = 0;
    for (const [index, { section, listed }] of all.entries()) {
      const isHit = isAny || isFound(finds![index]!, sought);
      section.hidden = !isHit;
      listed.hidden = !isHit;
      if (isHit) found += 1;
    }
    for (const group of document.querySelectorAll<HTMLElement>(".group"))
      group.hidden = group.querySelector("li:not([hidden])") === null;
    hits.textContent = isAny
      ? many(scenarios.length, "scenario")
      : `${formatCount(found)} of ${many(scenarios.length, "scenario")}`;
    clear.hidden = isAny;
    nothing.hidden = found > 0;
  }

  function seek(sought: Sought): void {
    filter(sought);
    // Without this, a reader further down would see an empty page and no explanation.
    if (!nothing.hidden) nothing.scrollIntoView({ block: "nearest" });
    address = { ...NOWHERE, sought };
    remember(hashWithScheme(address), "replace");
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    const sought = { ...NOTHING_SOUGHT };
    for (const name of FIELDS) sought[name] = field(name).value;
    seek(sought);
  });
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    seek(NOTHING_SOUGHT);
    field("text").focus();
  });
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    const isTyping =
      target instanceof Element && target.closest("input, select, textarea") !== null;
    if (key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field("text").focus();
  });

  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || target.dataset["variants"] === undefined) return;
    choose(Number(target.dataset["variants"]), Number(target.value));
  });
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const step = event.target.closest<HTMLElement>("[data-step]");
    const link = event.target.closest("a");
    if (step !== null) {
      const index = Number(step.closest<HTMLElement>("[data-scenario]")!.dataset["scenario"]);
      const count = scenarios[index]!.variants.length;
      choose(index, (all[index]!.variant + Number(step.dataset["step"]) + count) % count);
    } else if (link?.getAttribute("href")?.startsWith("#") === true) {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      // The search stays, unless it would hide the target.
      event.preventDefault();
      const to = addressOf(link.hash);
      const index = scenarios.findIndex((scenario) => anchorOf(scenario) === to.anchor);
      const isHidden = index >= 0 && all[index]!.listed.hidden;
      go({ ...to, sought: isHidden ? NOTHING_SOUGHT : address.sought });
    }
  });

  function choose(index: number, variant: number): void {
    const scenario = scenarios[index]!;
    const { name, outcome } = scenario.variants[variant]!;
    showVariant(index, variant);
    announce(`${name}: ${outcome}`);
    address = { ...address, anchor: anchorOf(scenario), variant: name, line: null, refusal: null };
    remember(hashWithScheme(address), "push");
  }

  // Renders the content of a details element when the reader opens the element.
  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.open) return;
      const { inside, table, source, refusal } = target.dataset;
      if (inside !== undefined) return openInside(Number(inside));
      if (refusal !== undefined) {
        const [index, variant, entry] = refusal.split(".").map(Number);
        const scenario = scenarios[index!]!;
        const { name, refusals } = scenario.variants[variant!]!;
        address = {
          ...address,
          anchor: anchorOf(scenario),
          variant: name,
          line: null,
          refusal: refusals.entries[entry!]!.first.row,
        };
        remember(hashWithScheme(address), "replace");
      }
      if (target.childElementCount > 1) return;
      if (table !== undefined) appendTo(target, variantsHtml(scenarios[Number(table)]!));
      if (source !== undefined) appendTo(target, sourceHtml(scenarios[Number(source)]!));
    },
    true,
  );
  sortOnClick(document);
  addEventListener("hashchange", arrive);
  arrive();
}

function unknown(anchor: string): string {
  const [, kind, name] = /^([rs])-(.*)/.exec(anchor) ?? [];
  const what =
    kind === undefined ? "What" : kind === "s" ? "The scenario that" : "The requirement that";
  return `${what} this address names is not in this report: ${name ?? anchor}`;
}

/** The fragment for an address. It keeps the colour scheme of the current address, which `scheme.ts` sets. */
const hashWithScheme = (to: Address): string =>
  hashOf({ ...to, scheme: addressOf(location.hash).scheme });

function openAround(element: Element | null): void {
  for (let each = element; each !== null; each = each.parentElement)
    if (each instanceof HTMLDetailsElement) each.open = true;
  element?.scrollIntoView();
  if (element instanceof HTMLElement && element.tabIndex >= -1)
    element.focus({ preventScroll: true });
}

/** Shows the tab that contains the element with this id, or the scenarios if neither does. */
function showTabOf(anchor: string): void {
  const isMatrix = (document.getElementById(anchor)?.closest(".matrix") ?? null) !== null;
  document.documentElement.dataset["tab"] = isMatrix ? "requirements" : "scenarios";
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".tabs a"))
    if (link.hash === (isMatrix ? "#requirements" : "#scenarios"))
      link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
}
