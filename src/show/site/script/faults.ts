// The buttons below the timeline: each lets something happen at its moment.
import { html } from "../../html/html.ts";
import { replaceContents } from "../../page/script/insert.ts";
import type { ChangeableLimit } from "../change-limit.ts";
import { SITE_FAULTS, type SiteFault } from "../with-fault.ts";

export interface FaultForm {
  readonly setLimits: (limits: readonly ChangeableLimit[]) => void;
}

export interface Injections {
  readonly inject: (fault: SiteFault) => void;
  readonly change: (limit: ChangeableLimit, rate: number) => void;
}

export function followFaults(form: HTMLFormElement, { inject, change }: Injections): FaultForm {
  const ofLimits = form.querySelector<HTMLElement>('[data-part="limits"]')!;
  const choice = form.querySelector("select")!;
  const rate = form.elements.namedItem("rate") as HTMLInputElement;
  let limits: readonly ChangeableLimit[] = [];
  const suggest = (): void => {
    rate.value = String(2 * (limits[Number(choice.value)]?.rate ?? 1));
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("click", ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    const index = target.dataset["inject"];
    if (index !== undefined) inject(SITE_FAULTS[Number(index)]!);
    const limit = limits[Number(choice.value)];
    if (target.name === "change" && limit !== undefined && rate.reportValidity())
      change(limit, rate.valueAsNumber);
  });
  choice.addEventListener("change", suggest);
  return {
    setLimits: (found) => {
      const isSame = JSON.stringify(found) === JSON.stringify(limits);
      limits = found;
      ofLimits.hidden = found.length === 0;
      if (isSame) return;
      replaceContents(
        choice,
        html`${found.map(({ name }, index) => html`<option value="${index}">${name}</option>`)}`,
      );
      choice.closest<HTMLElement>("label")!.hidden = found.length < 2;
      suggest();
    },
  };
}
