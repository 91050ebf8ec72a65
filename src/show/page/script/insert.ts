// The only file of the script that writes markup into the page, and it takes nothing but `Html`.
import type { Html } from "../../html/html.ts";

export function replaceContents(element: Element, contents: Html): void {
  element.innerHTML = String(contents);
}

export function appendTo(element: Element, contents: Html): void {
  element.insertAdjacentHTML("beforeend", String(contents));
}

export function insertAfter(element: Element, contents: Html): void {
  element.insertAdjacentHTML("afterend", String(contents));
}
