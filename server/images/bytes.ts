/**
 * Reads that cannot leave the array: past its end every number is NaN, which fails every comparison, and every text is
 * shorter than asked. Headers of strangers are read with these alone.
 */

export const be16 = (b: Uint8Array, at: number): number => (inside(b, at, 2) ? (b[at]! << 8) | b[at + 1]! : Number.NaN)

export const le16 = (b: Uint8Array, at: number): number => (inside(b, at, 2) ? b[at]! | (b[at + 1]! << 8) : Number.NaN)

export const be32 = (b: Uint8Array, at: number): number =>
  inside(b, at, 4) ? b[at]! * 0x1000000 + ((b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!) : Number.NaN

export const le32 = (b: Uint8Array, at: number): number =>
  inside(b, at, 4) ? b[at + 3]! * 0x1000000 + ((b[at + 2]! << 16) | (b[at + 1]! << 8) | b[at]!) : Number.NaN

/** Latin-1 text of at most `length` bytes. */
export function text(b: Uint8Array, at: number, length: number): string {
  let found = ''
  for (let i = Math.max(0, at); i < Math.min(b.length, at + length); i++) found += String.fromCharCode(b[i]!)
  return found
}

/** Whether `expected` (Latin-1) stands at `at`. */
export const startsWith = (b: Uint8Array, at: number, expected: string): boolean =>
  text(b, at, expected.length) === expected

/** Big-endian bytes: `[value, width]` pairs in a row. Width 1, 2 or 4. */
export function packed(...fields: (readonly [value: number, width: 1 | 2 | 4])[]): Uint8Array {
  const bytes: number[] = []
  for (const [value, width] of fields)
    for (let shift = width - 1; shift >= 0; shift--) bytes.push(Math.floor(value / 256 ** shift) & 0xff)
  return Uint8Array.from(bytes)
}

/** Latin-1 bytes. */
export const latin1 = (value: string): Uint8Array => Uint8Array.from(value, (char) => char.charCodeAt(0) & 0xff)

/** Everything in one array. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Gives the memory of an array back now, which nobody may use any more, rather than when a collector finds it. */
export function release({ buffer }: Uint8Array): void {
  // Small ones share theirs with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0)
}

const inside = (b: Uint8Array, at: number, width: number): boolean =>
  Number.isInteger(at) && at >= 0 && at + width <= b.length
