// The only file of the script that writes markup into the page. It accepts only `Html`.
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
