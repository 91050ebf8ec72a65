// The forms of the playground: what a reader drags, chooses and clicks becomes a scenario at once.
import {
  FORM_CHOICES,
  FORM_NUMBERS,
  formScenario,
  type FormNames,
  type FormNumbers,
} from "../form.ts";
import { SITE_FAULTS, type SiteFault } from "../with-fault.ts";

/** `write` gets the text of the scenario after each change. */
/** `inject` gets an injected fault and its time in seconds. Returns what sets the end of the time. */
export function followFaults(
  form: HTMLFormElement,
  inject: (fault: SiteFault, atSeconds: number) => void,
): (seconds: number) => void {
  const field = form.querySelector("input")!;
  const output = form.querySelector("output")!;
  const label = (): void => {
    output.textContent = `${Number(field.value)} s`;
  };
  form.addEventListener("input", label);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("click", ({ target }) => {
    const index = target instanceof HTMLElement ? target.dataset["inject"] : undefined;
    if (index !== undefined) inject(SITE_FAULTS[Number(index)]!, Number(field.value));
  });
  return (seconds) => {
    const isNew = field.max !== String(seconds);
    field.max = String(seconds);
    if (isNew) field.value = String(seconds / 2);
    label();
  };
}

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
