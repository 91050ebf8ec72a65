// TLS of the listeners. A reload reads the files again, so that a renewed certificate needs no start.
import { text } from "../../kit/reading/shape.ts";
import { setting } from "./setting.ts";

export const TLS = {
  "listen.tls_cert": setting(text, null, {
    value: "FILE",
    doc: "Certificate for clients, with its chain, in PEM. With it clients must use TLS 1.2 or 1.3; without it they use plain HTTP.",
    isFile: true,
    takesEffect: "reload",
  }),
  "listen.tls_key": setting(text, null, {
    value: "FILE",
    doc: "Private key of that certificate, in PEM.",
    isFile: true,
    takesEffect: "reload",
  }),
  "admin.tls_cert": setting(text, null, {
    value: "FILE",
    doc: "Certificate of the admin listener and of the ports of management interfaces, with its chain, in PEM.",
    isFile: true,
    takesEffect: "reload",
  }),
  "admin.tls_key": setting(text, null, {
    value: "FILE",
    doc: "Private key of that certificate, in PEM.",
    isFile: true,
    takesEffect: "reload",
  }),
} as const;
