// Buttons that copy the text before them.
import { announce } from "./notices.ts";

/** Of whatever is written into the page later, too. */
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
    // A browser that does not let a page write there lets its reader.
    getSelection()!.selectAllChildren(source);
    announce("selected: copy it with your browser");
  }
}
