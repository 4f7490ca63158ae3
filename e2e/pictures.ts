import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { jpegWithMetadata } from '@keepsnap/server/images/test/sample-images.ts'
import { isRecord } from '@keepsnap/server/test/statistics.ts'
import { waitLimitMs } from './program.ts'

const run = promisify(execFile)
const recordFolder = join(import.meta.dirname, '../test-results')

/** A plain JPEG of a sample picture of the web app, by the name of its file, such as `dance-1200`. */
export const sampleJpeg = (name: string, width = 900): Promise<Buffer> =>
  sharp(join(import.meta.dirname, '../web/pictures', `${name}.webp`))
    .resize(width)
    .jpeg({ quality: 90 })
    .toBuffer()

/** A JPEG as a camera writes it: large, and with everything about the camera and its owner inside. */
export const cameraPhoto = async (name: string, width = 4000): Promise<Buffer> =>
  jpegWithMetadata(await sampleJpeg(name, width))

/** Whether two files are the same picture: every pixel, upright as their reader sees it, and no metadata in the second. */
export async function isSamePicture(original: Buffer, kept: Buffer): Promise<boolean> {
  const upright = (file: Buffer) => sharp(file).autoOrient().raw().toBuffer({ resolveWithObject: true })
  const [mine, theirs] = await Promise.all([upright(original), upright(kept)])
  const isSameSize = mine.info.width === theirs.info.width && mine.info.height === theirs.info.height
  return isSameSize && theirs.data.equals(mine.data) && !kept.includes('CANARY') && !kept.includes('GPS')
}

const isJpeg = (picture: Buffer): boolean => picture[0] === 0xff

/** What zbar, an independent reader, finds in a PNG or JPEG, in no order. Two codes with the same text count once. */
export async function codesIn(picture: Buffer): Promise<string[]> {
  // `binary`: otherwise zbar decodes some texts as Japanese (Shift JIS).
  const options = ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', '-Sqrcode.binary']
  const reading = run('zbarimg', [...options, isJpeg(picture) ? 'jpeg:-' : 'png:-'])
  reading.child.stdin?.end(picture)
  try {
    const { stdout } = await reading
    return [...new Set(stdout.split('\n').filter(Boolean))]
  } catch (error) {
    // zbarimg exits with 4 when it finds no code.
    if ((error as { code?: unknown }).code === 4) return []
    throw error
  }
}

/** A JPEG takes less time than a PNG. */
export const codesOn = async (page: Page): Promise<string[]> =>
  codesIn(await page.screenshot({ type: 'jpeg', quality: 90 }))

/** For `expect.poll`: reading a picture takes a while. */
export const codePolling = { interval: 300, timeout: waitLimitMs }

/** What zbar reads on the only page of a PDF, printed at 150 dpi, its picture, and its size in millimetres. */
export async function readPrint(bytes: Buffer, file: string) {
  await writeFile(file, bytes)
  const { stdout: facts } = await run('pdfinfo', [file])
  const { stdout: png } = await run('pdftoppm', ['-r', '150', '-png', file], {
    encoding: 'buffer',
    maxBuffer: 100_000_000,
  })
  const [, width, height] = /Page size: +([\d.]+) x ([\d.]+) pts/.exec(facts) ?? []
  const size = [width, height].map((points) => Math.round((Number(points) / 72) * 25.4 * 2) / 2)
  return { facts, size, pages: Number(/Pages: +(\d+)/.exec(facts)?.[1]), codes: (await codesIn(png)).toSorted(), png }
}

/** Keeps a picture to be looked at, in a record run, in test-results. */
export async function keepPicture(name: string, take: () => Promise<Buffer>): Promise<void> {
  if (!isRecord) return
  const picture = await take()
  const file = join(recordFolder, `${name.replaceAll(/[^\w./]+/g, '-')}.${isJpeg(picture) ? 'jpg' : 'png'}`)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, picture)
}
