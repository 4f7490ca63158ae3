import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { plainWords } from './exif.ts'
import { names, partsOf } from './test/structure.ts'
import { sharedPool, type Outcome } from './test/making.ts'
import {
  artist,
  canary,
  copyright,
  fixture,
  jpeg,
  opened,
  quartered,
  tellingExif,
  tellingJpeg,
  tellingXmp,
  withChunks,
} from './test/pictures.ts'

const images = sharedPool()
const picture = () => opened(quartered(320, 240))
const writing = { xmp: tellingXmp, text: Buffer.from(`Comment\0${canary} words`) }

/** Tags of an EXIF block's directories, read by a walk of its own; pointers are followed. */
function tagsOf(exif: Buffer): number[] {
  const b = exif.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif
  const little = b[0] === 0x49
  const u16 = (at: number): number => (little ? b.readUInt16LE(at) : b.readUInt16BE(at))
  const u32 = (at: number): number => (little ? b.readUInt32LE(at) : b.readUInt32BE(at))
  const walk = (at: number): number[] => {
    const tags: number[] = []
    for (let i = 0; i < u16(at); i++) {
      const entry = at + 2 + i * 12
      tags.push(u16(entry))
      if ([0x8769, 0x8825, 0xa005].includes(u16(entry))) tags.push(...walk(u32(entry + 8)))
    }
    const next = u32(at + 2 + u16(at) * 12)
    return next ? [...tags, ...walk(next)] : tags
  }
  return walk(u32(4))
}

const allowedParts: Record<string, RegExp> = {
  'image/jpeg': /^(e0|e1|e2|db|c4|c0|c1|c2|dd|da|scan|d9)$/,
  'image/png': /^(IHDR|eXIf|IDAT|IEND|pHYs|gAMA|cHRM|sRGB|bKGD|sBIT)$/,
  'image/gif': /^(frame|f9|ff|fe)$/,
}

/** Nothing told by a photo may be found in what is served, but the credit on the full image. */
async function expectSilence({ thumb, full, made }: Outcome, hasCredit = true): Promise<void> {
  for (const image of [thumb, full]) {
    expect(image.includes(canary)).toBe(false)
    expect(image.includes(Buffer.from(canary, 'utf16le'))).toBe(false)
    expect(/ns\.adobe|Photoshop|xmpmeta|MPF\0|GPS/.test(image.toString('latin1'))).toBe(false)
    const meta = await sharp(image).metadata()
    expect([meta.xmp, meta.iptc, meta.tifftagPhotoshop, meta.gainMap]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  }
  expect(names(thumb).every((name) => /^(VP8 |VP8L|VP8X|ALPH)$/.test(name))).toBe(true)
  expect((await sharp(thumb).metadata()).exif).toBeUndefined()
  expect(names(full).filter((name) => !allowedParts[made.full.type]!.test(name))).toEqual([])
  expect(full.includes(artist) && full.includes(copyright)).toBe(hasCredit)
  expect(thumb.includes(artist)).toBe(false)
  const { exif } = await sharp(full).metadata()
  const tags = exif ? tagsOf(exif) : []
  expect(tags.filter((tag) => ![0x0112, 0x013b, 0x8298].includes(tag))).toEqual([])
}

describe('where, with what and by whom a photo was taken does not leave the house', () => {
  test.each([1, 6])('JPEG, kept, orientation %i', async (orientation) => {
    const outcome = await images().make(tellingJpeg(await jpeg(), orientation))
    expect(outcome.made.full.kept).toBe(true)
    await expectSilence(outcome)
    const { exif } = await sharp(outcome.full).metadata()
    expect(tagsOf(exif!)).toEqual(orientation === 1 ? [0x013b, 0x8298] : [0x0112, 0x013b, 0x8298])
  })
  test('JPEG, progressive, kept', async () => {
    await expectSilence(await images().make(tellingJpeg(await jpeg({ progressive: true }))))
  })
  test('JPEG, encoded anew', async () => {
    const outcome = await images().make(tellingJpeg(await picture().toColourspace('cmyk').jpeg().toBuffer(), 6))
    expect(outcome.made.full.kept).toBe(false)
    await expectSilence(outcome)
  })
  test('PNG with every kind of text, opaque and transparent', async () => {
    for (const alpha of [1, 0.5]) {
      const file = withChunks(
        await picture().ensureAlpha(alpha).png().toBuffer(),
        ['eXIf', tellingExif()],
        ['tEXt', writing.text],
        ['iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${tellingXmp}`)],
        ['tIME', Buffer.from([7, 234, 5, 1, 12, 0, 0])],
        ['caNd', Buffer.from(`${canary} private chunk`)],
      )
      const outcome = await images().make(file)
      expect(outcome.made.full.type).toBe(alpha === 1 ? 'image/jpeg' : 'image/png')
      await expectSilence(outcome)
    }
  })
  test('WebP, AVIF and TIFF', async () => {
    const telling = (): Sharp =>
      picture()
        .withExif({
          IFD0: { Artist: artist, Copyright: copyright, Make: `${canary} make` },
          IFD3: { GPSMapDatum: canary },
        })
        .withXmp(tellingXmp)
    await expectSilence(await images().make(await telling().webp().toBuffer()))
    await expectSilence(await images().make(await telling().avif({ effort: 0 }).toBuffer()))
    await expectSilence(await images().make(await picture().withXmp(tellingXmp).tiff().toBuffer()), false)
  })
  test('HEIC', async () => {
    await expectSilence(await images().make(fixture('turned-by-exif.heic')))
    await expectSilence(await images().make(fixture('turned-by-itself.heic')))
  })
  test('animations', async () => {
    const film = sharp(Buffer.concat([quartered(60, 40).data, quartered(60, 40, 90).data]), {
      raw: { width: 60, height: 80, channels: 3, pageHeight: 40 },
    })
    const gif = await film.gif().toBuffer()
    const comment = Buffer.from(`\x21\xfe${String.fromCharCode(canary.length)}${canary}\0`, 'latin1')
    const end = gif.length - 1
    const outcome = await images().make(Buffer.concat([gif.subarray(0, end), comment, gif.subarray(end)]))
    expect(outcome.made.full.type).toBe('image/gif')
    await expectSilence(outcome, false)
    const credited = film.withExif({ IFD0: { Artist: artist, Copyright: copyright, Make: canary } }).withXmp(tellingXmp)
    await expectSilence(await images().make(await credited.webp().toBuffer()))
  })
})

describe('the credit', () => {
  test('is read again as it was written, however long it was', () => {
    for (let length = 190; length < 205; length++) {
      const once = plainWords(Buffer.from(`${'x'.repeat(length)} and more`))!
      expect(plainWords(Buffer.from(once))).toBe(once)
    }
  })
  const credited = async (main: [number, string][]): Promise<string> => {
    const { exifBlock } = await import('./test/exif-block.ts')
    const { exifSegment, withSegments } = await import('./test/pictures.ts')
    const { full } = await images().make(withSegments(await jpeg(), exifSegment(exifBlock({ main }))))
    const found = partsOf(full).find(({ name }) => name === 'e1')
    return found?.bytes.toString('latin1') ?? ''
  }
  test('is plain words, whatever was written', async () => {
    const words = await credited([
      [0x013b, '\u00a9 \xc3\x84nne\x07 \x1b[31mM\xfcller <script>'],
      [0x8298, `x\0editor`],
    ])
    expect(words).toContain('x; editor')
    // After the marks of the block: its head of eight bytes, and a directory of two.
    expect(words.slice(6 + 8 + 2 + 2 * 12 + 4)).toMatch(/^[\0 -~]+$/)
  })
  test('is bounded', async () => {
    expect((await credited([[0x013b, 'a'.repeat(20_000)]])).length).toBeLessThan(300)
  })
  test('is absent when there is none', async () => {
    const { full } = await images().make(await jpeg())
    expect(names(full)).not.toContain('e1')
  })
})
