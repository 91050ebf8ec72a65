// The form of the playground: what a reader drags and chooses becomes a scenario at once.
import {
  FORM_CHOICES,
  FORM_NUMBERS,
  formScenario,
  type FormNames,
  type FormNumbers,
} from "../form.ts";

/** `write` gets the text of the scenario after each change. */
export function followForm(form: HTMLFormElement, write: (text: string) => void): void {
  const field = (name: string): HTMLInputElement | HTMLSelectElement =>
    form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
  const labelNumbers = (): void => {
    for (const { name, unit } of FORM_NUMBERS) {
      const output = form.querySelector(`output[for="form-${name}"]`)!;
      output.textContent = `${field(name).value} ${unit}`.trim();
    }
  };
  form.addEventListener("input", () => {
    labelNumbers();
    const numbers = Object.fromEntries(
      FORM_NUMBERS.map(({ name }) => [name, Number(field(name).value)]),
    ) as FormNumbers;
    const names = Object.fromEntries(
      FORM_CHOICES.map(({ name }) => [name, field(name).value]),
    ) as FormNames;
    write(formScenario(numbers, names));
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  // A browser restores what was dragged before the page was loaded again.
  labelNumbers();
}
