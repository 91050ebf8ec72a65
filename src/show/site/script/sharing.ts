// The scenario as an address and as a file: what a reader takes away from the playground.
import type { ScenarioReport } from "../../../lab/report/model.ts";
import { announce } from "../../page/script/notices.ts";
import { fragmentOf } from "../address.ts";
import { fileToSave } from "../file-to-save.ts";
import type { ScenarioText } from "../run-scenario.ts";

export interface Sharing {
  /** Writes the current scenario into the address of the page. */
  readonly write: () => void;
  /** The fragment that this page has written last. */
  readonly fragment: () => string;
  /** Copies the address of the current state. */
  readonly share: (button: HTMLElement) => Promise<void>;
  readonly save: (last: ScenarioReport | null) => void;
}

export function createSharing(current: () => ScenarioText): Sharing {
  let fragment = "";
  let addresses = 0; // number of addresses that `write` began
  let addressed: Promise<void> = Promise.resolve();

  async function writeAddress(): Promise<void> {
    const address = ++addresses;
    const written = await fragmentOf(current());
    // The compression of an older text may end after that of a newer text.
    if (address !== addresses) return;
    fragment = written;
    try {
      history.replaceState(null, "", fragment);
    } catch {
      // Some browsers limit how often a page may change its address. The next run tries again.
      announce("the browser has not changed the address yet: run again before you share it");
    }
  }

  return {
    write: () => {
      addressed = writeAddress();
    },
    fragment: () => fragment,
    share: async (button) => {
      // An address that is being written is waited for.
      let waited: Promise<void>;
      do {
        waited = addressed;
        await waited;
      } while (waited !== addressed);
      await copy(location.href, button, "Copy address");
    },
    save: (last) => {
      const { name, text } = fileToSave(current(), last);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href));
      announce(`saved as ${name}`);
    },
  };
}

/** `words` are those of the button before and after. */
export async function copy(text: string, button: HTMLElement, words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = words), 2_000);
    announce("copied");
  } catch {
    // If the browser forbids writing to the clipboard, its address bar has the address.
    announce("copy it with your browser");
    button.textContent = "Copy it with your browser";
  }
}
