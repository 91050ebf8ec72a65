// Buttons that copy the text before them.
import { announce } from "./notices.ts";

/** Also handles buttons that are added to the page later. */
export function copying(): void {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-copy]") : null;
    if (button !== null) void copy(button);
  });
}

async function copy(button: HTMLElement): Promise<void> {
  const source = button.previousElementSibling!;
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = "Copied";
    announce("copied");
  } catch {
    // If the browser forbids writing to the clipboard, the text is selected for the reader to copy.
    getSelection()!.selectAllChildren(source);
    announce("selected: copy it with your browser");
  }
}
