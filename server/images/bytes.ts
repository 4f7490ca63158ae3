/**
 * Reads from untrusted headers. No read leaves the array: a number past its end is NaN, which fails every comparison, and a
 * text past its end is shorter than requested.
 */

export const byteAt = (bytes: Uint8Array, offset: number): number => bytes[offset] ?? Number.NaN

export const be16 = (bytes: Uint8Array, offset: number): number =>
  byteAt(bytes, offset) * 0x100 + byteAt(bytes, offset + 1)

export const le16 = (bytes: Uint8Array, offset: number): number =>
  byteAt(bytes, offset) + byteAt(bytes, offset + 1) * 0x100

export const be32 = (bytes: Uint8Array, offset: number): number =>
  be16(bytes, offset) * 0x10000 + be16(bytes, offset + 2)

export const le32 = (bytes: Uint8Array, offset: number): number =>
  le16(bytes, offset) + le16(bytes, offset + 2) * 0x10000

/** Latin-1 text of at most `length` bytes. */
export function latin1At(bytes: Uint8Array, offset: number, length: number): string {
  let text = ''
  for (const byte of bytes.subarray(Math.max(0, offset), Math.max(0, offset + length)))
    text += String.fromCharCode(byte)
  return text
}

/** Whether this text (Latin-1) is at an offset. */
export function hasText(bytes: Uint8Array, offset: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[offset + at] !== text.charCodeAt(at)) return false
  return true
}

/** Encodes numbers in big-endian order, each with its width in bytes. */
export function packNumbers(...fields: (readonly [value: number, width: 1 | 2 | 4])[]): Uint8Array {
  const bytes: number[] = []
  for (const [value, width] of fields)
    for (let shift = width - 1; shift >= 0; shift--) bytes.push(Math.floor(value / 256 ** shift) & 0xff)
  return Uint8Array.from(bytes)
}

export const latin1Bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0) & 0xff)

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const part of parts) {
    all.set(part, end)
    end += part.length
  }
  return all
}
