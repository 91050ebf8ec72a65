// The settings as a JSON Schema, for editors.
import type { Schema } from "../../kit/reading/shape.ts";
import { GROUPS, isGroup, settingNamed, type SettingName } from "./table.ts";

const settingSchema = (name: SettingName): Schema => {
  const { shape, doc, fallback } = settingNamed(name);
  return {
    ...shape.schema,
    description: doc,
    ...(fallback === null ? {} : { default: fallback }),
  };
};

export function settingsSchema(): Schema {
  const properties = [...GROUPS].map(([group, names]): readonly [string, Schema] => {
    if (!isGroup(group)) return [group, settingSchema(names[0]!)];
    const inner = names.map((name) => [name.slice(group.length + 1), settingSchema(name)] as const);
    return [
      group,
      { type: "object", properties: Object.fromEntries(inner), additionalProperties: false },
    ];
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "The settings of a Weir gateway",
    type: "object",
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}
