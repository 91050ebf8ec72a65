// Every code that reading weir.yaml, the variables and flags over it, and the file of the world can raise. What a
// world says is judged by whoever reads configurations, with codes of its own.

export const SETTINGS_CODES = {
  "SET-YAML": "The file is not YAML 1.2 (or JSON), so nothing behind this place was read.",
  "SET-YAML-FEATURE":
    "The file uses a part of YAML that is left out here: anchors, aliases, tags, merge keys, several documents.",
  "SET-DUPLICATE-FIELD": "The same name is given twice in one map.",
  "SET-UNKNOWN-FIELD": "The name is no setting.",
  "SET-UNKNOWN-VARIABLE": "Warning: A variable of the environment is almost called like a setting.",
  "SET-VALUE": "The value is of the wrong type, or outside what the setting can hold.",
  "SET-MISSING": "A setting is not set, and nothing can be served without it.",
  "SET-BARE-KEY": "Warning: A key of the world has no `key_id`, so what a client shows is public.",
  "SET-OPEN-WORLD":
    "Warning: The file of the world has credentials of keys, and other users can read it.",
  "SET-OPEN-ADMIN":
    "Warning: The admin listener can be reached from other machines, and its secret crosses the network as it is.",
  "SET-CERTIFICATE":
    "A certificate or its key cannot be used. Warning: A certificate has expired, or is not valid yet.",
  "SET-TOGETHER": "Two settings do not go together.",
} as const satisfies Readonly<Record<string, string>>;

export type SettingsCode = keyof typeof SETTINGS_CODES;
