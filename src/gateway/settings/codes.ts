// All codes of problems in weir.yaml, environment variables, flags and the world file. Problems of the configuration
// that a world file contains have other codes.

export const SETTINGS_CODES = {
  "SET-YAML": "The file is not YAML 1.2 (or JSON), so nothing after this place was read.",
  "SET-YAML-FEATURE":
    "The file uses a part of YAML that settings do not support: anchors, aliases, tags, merge keys, several documents.",
  "SET-DUPLICATE-FIELD": "The same name is given twice in one map.",
  "SET-UNKNOWN-FIELD": "There is no setting of this name.",
  "SET-UNKNOWN-VARIABLE":
    "Warning: The name of an environment variable is almost that of a setting.",
  "SET-VALUE": "The value is of the wrong type, or outside what the setting can hold.",
  "SET-MISSING": "A required setting is unset.",
  "SET-BARE-KEY": "Warning: A key of the world has no `key_id`, so its credential is public.",
  "SET-OPEN-WORLD": "Warning: The world file has credentials of keys, and other users can read it.",
  "SET-OPEN-ADMIN":
    "Warning: The admin listener can be reached from other machines, and its secret crosses the network unencrypted.",
  "SET-CERTIFICATE":
    "A certificate or its key cannot be used. Warning: A certificate has expired, or is not valid yet.",
  "SET-TOGETHER": "Two settings contradict each other, or one needs the other.",
} as const satisfies Readonly<Record<string, string>>;

export type SettingsCode = keyof typeof SETTINGS_CODES;
