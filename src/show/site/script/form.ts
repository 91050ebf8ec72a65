// The forms of the playground: whatever a reader drags, chooses or clicks becomes a scenario immediately.
import { html } from "../../html/html.ts";
import { replaceContents } from "../../page/script/insert.ts";
import type { ChangeableLimit } from "../change-limit.ts";
import {
  FORM_CHOICES,
  FORM_NUMBERS,
  type FormNames,
  type FormNumbers,
  type FormState,
} from "../form.ts";
import { SITE_FAULTS, type SiteFault } from "../with-fault.ts";

export interface FaultForm {
  readonly setEnd: (seconds: number) => void;
  readonly setLimits: (limits: readonly ChangeableLimit[]) => void;
}

export interface Injections {
  readonly inject: (fault: SiteFault, atSeconds: number) => void;
  readonly change: (limit: ChangeableLimit, rate: number, atSeconds: number) => void;
}

export function followFaults(form: HTMLFormElement, { inject, change }: Injections): FaultForm {
  const field = form.querySelector("input")!;
  const output = form.querySelector("output")!;
  const ofLimits = form.querySelectorAll<HTMLElement>("[data-limits]");
  const choice = form.querySelector("select")!;
  const rate = form.elements.namedItem("rate") as HTMLInputElement;
  let limits: readonly ChangeableLimit[] = [];
  const suggest = (): void => {
    rate.value = String(2 * (limits[Number(choice.value)]?.rate ?? 1));
  };
  const label = (): void => {
    output.textContent = `${Number(field.value)} s`;
  };
  form.addEventListener("input", label);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("click", ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    const index = target.dataset["inject"];
    if (index !== undefined) inject(SITE_FAULTS[Number(index)]!, Number(field.value));
    const limit = limits[Number(choice.value)];
    if (target.name === "change" && limit !== undefined && rate.reportValidity())
      change(limit, rate.valueAsNumber, Number(field.value));
  });
  choice.addEventListener("change", suggest);
  return {
    setEnd: (seconds) => {
      const isNew = field.max !== String(seconds);
      field.max = String(seconds);
      if (isNew) field.value = String(seconds / 2);
      label();
    },
    setLimits: (found) => {
      const isSame = JSON.stringify(found) === JSON.stringify(limits);
      limits = found;
      for (const each of ofLimits) each.hidden = found.length === 0;
      if (isSame) return;
      replaceContents(
        choice,
        html`${found.map(({ name }, index) => html`<option value="${index}">${name}</option>`)}`,
      );
      suggest();
    },
  };
}

/** `write` receives each new state. Returns a function that displays a state. */
export function followForm(
  form: HTMLFormElement,
  write: (position: FormState) => void,
): (position: FormState) => void {
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
    write({ numbers, names });
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  // After a reload, a browser restores the dragged values but not their labels.
  labelNumbers();
  return ({ numbers, names }) => {
    for (const [name, value] of Object.entries({ ...numbers, ...names }))
      field(name).value = String(value);
    labelNumbers();
    form.closest("details")!.open = true;
  };
}
