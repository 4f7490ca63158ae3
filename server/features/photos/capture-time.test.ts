import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { readHeif } from '../../images/formats/heif-boxes.ts'
import {
  exifBlock,
  exifSegment,
  fixture,
  jpeg,
  quadrantPixels,
  sharpFrom,
  withSegments,
} from '../../images/test/sample-images.ts'
import { tiffFile } from '../../images/test/tiff-file.ts'
import { useServer } from '../../test/harness.ts'
import { makeUser, type TestUser, upload } from '../../test/test-data.ts'

const server = useServer()
const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)

const hourMs = 3_600_000
/** An hour ago, to the second, by a clock that is ahead of UTC by so many minutes, as EXIF has it. */
const taken = new Date(Math.floor((Date.now() - hourMs) / 1000) * 1000)
const clock = (offsetMinutes = 0, time = taken): string =>
  new Date(time.getTime() + offsetMinutes * 60_000).toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ')

const exifOf = (text: string, offset?: string): Buffer =>
  exifBlock({ exif: [[0x9003, text], ...(offset === undefined ? [] : [[0x9011, offset] as [number, string]])] })
const jpegOf = async (exif: Buffer, options = {}): Promise<Buffer> =>
  withSegments(await jpeg(options), exifSegment(exif))

/** A HEIC file with another EXIF block. */
function heicOf(exif: Buffer): Buffer {
  const file = fixture('rotated-by-irot.heic')
  const { start, end } = readHeif(file)!.exif!
  file.fill(0, start + 4, end)
  exif.copy(file, start + 4)
  file.writeUInt32BE(0, start)
  return file
}

/** A TIFF file whose EXIF directory is at its end. */
function tiffOf(text: string): Buffer {
  const { width, height, data } = quadrantPixels(64, 48)
  const file = (at: number): Buffer =>
    tiffFile({ width, height }, [data], { more: [{ tag: 0x8769, type: 4, values: [at] }] })
  const { length } = file(0)
  const directory = Buffer.alloc(18)
  directory.writeUInt16LE(1, 0)
  directory.writeUInt16LE(0x9003, 2)
  directory.writeUInt16LE(2, 4)
  directory.writeUInt32LE(20, 6)
  directory.writeUInt32LE(length + 18, 10)
  return Buffer.concat([file(length), directory, Buffer.from(`${text}\0`)])
}

const capturedAt = async (id: string): Promise<Date | null> =>
  (await query('select captured_at from photos where id = $1', [id])).rows[0].captured_at

async function ready(user: TestUser, file: Buffer): Promise<string> {
  const { id } = (await upload(server, user, file)).json<Photo>()
  await server.work()
  return id
}

test('is stored, whatever the format, and is in no file', async () => {
  const user = await makeUser(server)
  const ofLibvips = sharpFrom(quadrantPixels(64, 48)).withExif({ IFD2: { DateTimeOriginal: clock() } })
  for (const file of [
    // Cleaned while it is received, rebuilt, and encoded again.
    await jpegOf(exifOf(clock())),
    await jpegOf(exifOf(clock()), { progressive: true }),
    Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 8]),
      Buffer.from('Exif\0x'),
      (await jpegOf(exifOf(clock()))).subarray(2),
    ]),
    await ofLibvips.clone().webp().toBuffer(),
    heicOf(exifOf(clock())),
    tiffOf(clock()),
  ]) {
    const id = await ready(user, file)
    expect(await capturedAt(id)).toEqual(taken)
    const { rows } = await query('select full_key, thumb_key from photos where id = $1', [id])
    for (const key of [rows[0].full_key, rows[0].thumb_key]) {
      const stored = await buffer((await server.app.deps.storage.open(key))!)
      expect(stored.includes(clock())).toBe(false)
      expect((await sharp(stored).metadata()).exif).toBeUndefined()
    }
  }
})

test('is by the clock of the account where the file has no offset', async () => {
  const user = await makeUser(server)
  await query("update users set time_zone = 'Asia/Kathmandu' where id = $1", [user.id])
  expect(await capturedAt(await ready(user, await jpegOf(exifOf(clock(345)))))).toEqual(taken)
  expect(await capturedAt(await ready(user, await jpegOf(exifOf(clock(-420), '-07:00'))))).toEqual(taken)
  // A time zone that the database does not know.
  await query("update users set time_zone = 'Mars/Olympus' where id = $1", [user.id])
  expect(await capturedAt(await ready(user, await jpegOf(exifOf(clock()))))).toEqual(taken)
})

test('is not stored when it is more than a day after the upload, and stays through a retry', async () => {
  const user = await makeUser(server)
  const later = (hours: number): string => clock(0, new Date(Date.now() + hours * hourMs))
  expect(await capturedAt(await ready(user, await jpegOf(exifOf(later(25)))))).toBeNull()
  expect(await capturedAt(await ready(user, await jpegOf(exifOf(later(23)))))).not.toBeNull()

  const whole = await jpegOf(exifOf(clock()))
  const id = await ready(user, whole.subarray(0, Math.floor(whole.length * 0.6)))
  expect(await capturedAt(id)).toEqual(taken)
  await query("update photos set retry_helps = true where id = $1 and state = 'failed'", [id])
  const retried = await server.request({ method: 'POST', url: `/photos/${id}/retry`, token: user.token })
  expect(retried.statusCode).toBe(200)
  await server.work()
  expect(await capturedAt(id)).toEqual(taken)
})
