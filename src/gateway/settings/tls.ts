// Settings for TLS of the listeners. A reload reads the files again, so that a renewed certificate needs no restart.
import { text } from "../../kit/reading/shape.ts";
import { setting, type Setting } from "./setting.ts";

const file = (doc: string): Setting<string | null> =>
  setting(text, null, { doc, isFile: true, takesEffect: "reload" });

const PRIVATE_KEY = "Private key of that certificate, in PEM.";

export const TLS = {
  "listen.tls_cert": file(
    "Certificate for clients, with its chain, in PEM. With it clients must use TLS 1.2 or 1.3; without it they use plain HTTP.",
  ),
  "listen.tls_key": file(PRIVATE_KEY),
  "admin.tls_cert": file(
    "Certificate of the admin listener and of the ports of management interfaces, with its chain, in PEM.",
  ),
  "admin.tls_key": file(PRIVATE_KEY),
} as const;
