// The settings that each management API has (MGT-10).
import { text } from "../../kit/reading/shape.ts";
import { hideSecret, setting, type Setting } from "./setting.ts";
import { base, port, secret } from "./shapes.ts";

type InterfaceSettings<Name extends string> = {
  readonly [Each in `${Name}.base`]: Setting<string>;
} & {
  readonly [Each in `${Name}.secret` | `${Name}.secret_file`]: Setting<string | null>;
};
type PortInterfaceSettings<Name extends string> = InterfaceSettings<Name> & {
  readonly [Each in `${Name}.port`]: Setting<number | null>;
} & {
  readonly [Each in `${Name}.host`]: Setting<string | null>;
};

/** `below`: the API's default base. `shows`: where a request has the secret, in words for the help. */
export const interfaceSettings = <Name extends string>(
  name: Name,
  below: string,
  shows: string,
): InterfaceSettings<Name> =>
  ({
    [`${name}.base`]: setting(base, below, {
      doc: `Prefix of every path of the ${name} interface.`,
    }),
    [`${name}.secret`]: setting(secret, null, {
      doc: `Secret that requests send as ${shows}. If unset, it is read from \`${name}.secret_file\`.`,
      redact: hideSecret,
      takesEffect: "reload",
    }),
    [`${name}.secret_file`]: setting(text, null, {
      doc: `File with the secret, if \`${name}.secret\` is unset; by default \`${name}-secret\` in the data folder. The first start creates it, with mode 0600.`,
      isFile: true,
      takesEffect: "reload",
    }),
  }) as unknown as InterfaceSettings<Name>;

export const interfaceSettingsWithPort = <Name extends string>(
  name: Name,
  below: string,
  shows: string,
): PortInterfaceSettings<Name> =>
  ({
    ...interfaceSettings(name, below, shows),
    [`${name}.port`]: setting(port, null, {
      doc: `Port of the ${name} interface; 0 takes any free one. Interfaces with the same port and host share it. If unset, the admin listener serves the interface.`,
    }),
    [`${name}.host`]: setting(text, null, {
      doc: `Host of that port; \`admin.host\` if unset.`,
    }),
  }) as unknown as PortInterfaceSettings<Name>;

/** The host on which a management API is served. */
export const hostOf = (
  settings: { readonly "admin.host": string } & {
    readonly [name: `${string}.host`]: string | null;
  },
  name: string,
): string => settings[`${name}.host`] ?? settings["admin.host"];
