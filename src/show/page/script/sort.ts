// Sorts the cards of variants by the number whose button is pressed: first descending, then ascending.

export function sortOnClick(around: Document | HTMLElement): void {
  around.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>(".sort") : null;
    if (button !== null) sortBy(button);
  });
}

function sortBy(button: HTMLElement): void {
  const order = button.dataset["order"] === "descending" ? "ascending" : "descending";
  const buttons = button.parentElement!;
  const list = buttons.parentElement!.querySelector(".cards")!;
  const valueOf = (card: Element): string =>
    card.querySelectorAll(".value")[Number(button.dataset["by"])]!.textContent;
  const cards = [...list.children].toSorted((a, b) => compare(valueOf(a), valueOf(b)));
  list.append(...(order === "descending" ? cards.toReversed() : cards));
  for (const other of buttons.querySelectorAll<HTMLElement>(".sort")) {
    delete other.dataset["order"];
    other.setAttribute("aria-pressed", String(other === button));
  }
  button.dataset["order"] = order;
}

/** Reads a count from its text, which may continue with a share or a name. */
const numberOf = (text: string): number => Number.parseFloat(text.replaceAll(",", ""));

function compare(a: string, b: string): number {
  const [first, second] = [numberOf(a), numberOf(b)];
  const difference = first - second;
  return Number.isNaN(difference) ? a.localeCompare(b) : difference;
}
