// What every management interface has a setting for (MGT-10).
import { text } from "../reading/shape.ts";
import { hidden, setting, type Setting } from "./setting.ts";
import { base, port, secret } from "./shapes.ts";

type Guarded<Name extends string> = {
  readonly [Each in `${Name}.base`]: Setting<string>;
} & {
  readonly [Each in `${Name}.secret` | `${Name}.secret_file`]: Setting<string | null>;
};
type WithPort<Name extends string> = Guarded<Name> & {
  readonly [Each in `${Name}.port`]: Setting<number | null>;
} & {
  readonly [Each in `${Name}.host`]: Setting<string | null>;
};

/** `shows` is where the interface looks for its secret. */
export const guarded = <Name extends string>(
  name: Name,
  below: string,
  shows: string,
): Guarded<Name> =>
  ({
    [`${name}.base`]: setting(base, below, {
      value: "/PATH",
      doc: `What the addresses of the ${name} interface begin with.`,
    }),
    [`${name}.secret`]: setting(secret, null, {
      value: "TEXT",
      doc: `What ${shows} has to say. Where it is not set, \`${name}.secret_file\` holds it.`,
      shown: hidden,
      takesEffect: "reload",
    }),
    [`${name}.secret_file`]: setting(text, null, {
      value: "FILE",
      doc: `Holds the secret where \`${name}.secret\` is not set; \`${name}-secret\` in the data folder where this is not set either. Made at the first start, with mode 0600.`,
      isFile: true,
      takesEffect: "reload",
    }),
  }) as unknown as Guarded<Name>;

export const withPort = <Name extends string>(
  name: Name,
  below: string,
  shows: string,
): WithPort<Name> =>
  ({
    ...guarded(name, below, shows),
    [`${name}.port`]: setting(port, null, {
      value: "N",
      doc: `A port for the ${name} interface; 0 takes any that is free. Interfaces with one number and one host share it. Where it is not set, the admin listener serves it.`,
    }),
    [`${name}.host`]: setting(text, null, {
      value: "HOST",
      doc: `Where the port of the ${name} interface is; \`admin.host\` where this is not set.`,
    }),
  }) as unknown as WithPort<Name>;

/** Where the port of an interface is. */
export const hostOf = (
  settings: { readonly "admin.host": string } & {
    readonly [name: `${string}.host`]: string | null;
  },
  name: string,
): string => settings[`${name}.host`] ?? settings["admin.host"];
