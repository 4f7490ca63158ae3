import type { CodeSample } from '@keepsnap/contract/api-docs.ts'

const shell = `# SECRET is whsec_...; ID, TIMESTAMP and SIGNATURE are the three headers.
key=$(printf %s "\${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
expected=$(printf %s "$ID.$TIMESTAMP.$BODY" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
case " $SIGNATURE " in *" v1,$expected "*) echo genuine ;; *) echo forged ;; esac`

const typeScript = `import { createHmac, timingSafeEqual } from "node:crypto";

/** body: the text of the request as it arrived. secret: whsec_... */
export function isGenuine(headers: Headers, body: string, secret: string): boolean {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map(
    (name) => headers.get("webhook-" + name) ?? "",
  );
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key)
    .update(id + "." + timestamp + "." + body)
    .digest();
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  return isFresh && signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature.replace("v1,", ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`

/** How a receiver checks the signature of an event. */
export const verificationSamples: CodeSample[] = [
  { lang: 'Shell', label: 'Shell', source: shell },
  { lang: 'TypeScript', label: 'TypeScript', source: typeScript },
]
