/** 128 random bits as 32 hexadecimal digits. Not crypto.randomUUID, which plain http over a LAN does not have. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
