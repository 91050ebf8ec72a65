// What every management interface has a setting for (MGT-10).
import { text } from "../scenario/read/shape.ts";
import { hidden, setting, type Setting } from "./setting.ts";
import { base, port, secret } from "./shapes.ts";

type Guarded<Name extends string> = {
  readonly [Each in `${Name}.base`]: Setting<string>;
} & {
  readonly [Each in `${Name}.secret` | `${Name}.secret_file`]: Setting<string | null>;
};
type WithPort<Name extends string> = Guarded<Name> & {
  readonly [Each in `${Name}.port`]: Setting<number | null>;
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
      doc: `A port for the ${name} interface, at \`admin.host\`; 0 takes any that is free. Interfaces with one number share it. Where it is not set, the admin listener serves it.`,
    }),
  }) as unknown as WithPort<Name>;
