// Whatever is written somewhere is read, or refused with a sentence: nothing throws.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readSettings } from "#src/gateway/settings/read.ts";
import { SETTING_NAMES, settingNamed, variableOf } from "#src/gateway/settings/table.ts";
import { readWorldFile } from "#src/gateway/settings/world.ts";
import { holds } from "../../runs.ts";
import { ANY_CHARACTER } from "../../any-character.ts";

const LINE = /^(?:\S+:\d+:\d+|WEIR_[A-Z_]+|--[a-z-]+) (?:error|warning) (?:SET|CFG)-[A-Z-]+ .+/;

/** Maps that look like settings: right names with anything behind them, and names that are nearly right. */
const settingsLike = fc.dictionary(
  fc.constantFrom(...SETTING_NAMES.flatMap((name) => name.split(".")), "lisen", "__proto__"),
  fc.jsonValue({ maxDepth: 2 }),
  { maxKeys: 6 },
);

const texts = fc.oneof(
  fc.string({ unit: ANY_CHARACTER, maxLength: 60 }),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  settingsLike.map((value) => JSON.stringify(value)),
  fc
    .dictionary(fc.constantFrom("listen", "store", "admin", "limits"), settingsLike)
    .map((value) => JSON.stringify(value)),
);

test("any text is settings, or problems that each have a place and a code", () => {
  holds(
    fc.property(texts, (text) => {
      const { settings, errors } = readSettings({
        file: { file: "weir.yaml", text },
        environment: {},
        flags: new Map(),
      });
      expect(settings === null).toBe(errors.length > 0);
      for (const fault of errors) expect(fault).toMatch(LINE);
    }),
    300,
  );
});

test("any variable and any flag is a value, or a problem", () => {
  const variables = fc.dictionary(
    fc.constantFrom(...SETTING_NAMES.map(variableOf)),
    fc.string({ unit: ANY_CHARACTER, maxLength: 12 }),
  );
  const flags = fc.dictionary(
    fc.constantFrom(...SETTING_NAMES.flatMap((name) => settingNamed(name).flag?.name ?? [])),
    fc.string({ maxLength: 12 }),
  );
  holds(
    fc.property(variables, flags, (environment, given) => {
      const flags = new Map(Object.entries(given));
      const { settings, errors } = readSettings({ file: null, environment, flags });
      expect(settings === null).toBe(errors.length > 0);
      for (const fault of errors) expect(fault).toMatch(LINE);
    }),
    300,
  );
});

test("any text is a world, or problems", () => {
  holds(
    fc.property(texts, (text) => {
      const { configuration, errors } = readWorldFile({ file: "world.yaml", text });
      expect(configuration === null).toBe(errors.length > 0);
    }),
    300,
  );
});
