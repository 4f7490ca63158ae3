import { readJpeg, rebuildJpeg } from '../jpeg/jpeg.ts'
import { filePartsOf, type FilePart } from './file-parts.ts'
import { segment } from './sample-images.ts'

/** Why a JPEG is unsupported, or `lossless`. */
export const reasonOf = (file: Buffer): string => {
  const read = readJpeg(file)
  return read.lossless ? 'lossless' : read.reason
}
export const rebuilt = (file: Buffer): Buffer => {
  const read = readJpeg(file)
  if (!read.lossless) throw new Error(read.reason)
  return Buffer.concat(rebuildJpeg(read))
}

/** A file with its parts changed. */
export function changed(file: Buffer, change: (parts: FilePart[]) => FilePart[]): Buffer {
  const parts = change(filePartsOf(file)).map(({ name, bytes }) => {
    if (name === 'scan' || name === 'trailing') return bytes
    return name === 'd9' ? Buffer.from([0xff, 0xd9]) : segment(Number.parseInt(name, 16), bytes)
  })
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts])
}
export const without = (name: string) => (parts: FilePart[]) => parts.filter((part) => part.name !== name)
export const withPartBefore = (before: string, name: string, bytes: Buffer) => (parts: FilePart[]) =>
  parts.flatMap((part) => (part.name === before ? [{ name, bytes }, part] : [part]))
/** Changes the payload of the first part with this name. */
export const edited = (name: string, edit: (bytes: Buffer) => void) => (parts: FilePart[]) => {
  const part = parts.find((one) => one.name === name)!
  const bytes = Buffer.from(part.bytes)
  edit(bytes)
  return parts.map((one) => (one === part ? { name, bytes } : one))
}
