import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { artist, copyright, fixture } from '../test/sample-images.ts'
import { decodeHeic } from './heic.ts'

const dir = mkdtempSync(join(tmpdir(), 'keepsnap-heic-'))
const tiffPath = join(dir, 'pixels')
afterAll(() => rmSync(dir, { recursive: true }))

/** The metadata of the TIFF file that a fixture is decoded into. */
async function decodedMetadata(name: string) {
  await decodeHeic(fixture(`${name}.heic`), tiffPath, 1_000_000)
  return sharp(tiffPath).metadata()
}

describe('a HEIC file is decoded into a TIFF file', () => {
  test('of its size', async () => {
    expect(await decodedMetadata('plain')).toMatchObject({ format: 'tiff', width: 320, height: 240, hasAlpha: false })
  })
  test('of its primary image, even if it is not the first', async () => {
    expect(await decodedMetadata('second-is-primary')).toMatchObject({ width: 320, height: 240 })
  })
  test('with its transparency', async () => {
    expect(await decodedMetadata('transparent')).toMatchObject({ hasAlpha: true, channels: 4 })
  })
  test('with the profile of Display P3 when the file names that by number', async () => {
    expect((await decodedMetadata('display-p3-by-number')).icc?.toString('latin1')).toContain('acsp')
  })
  test('whose orientation is that of EXIF, unless the file itself was rotated or mirrored', async () => {
    expect((await decodedMetadata('rotated-by-exif')).autoOrient).toMatchObject({ width: 320, height: 240 })
    for (const name of ['rotated-by-irot', 'mirrored-by-imir'])
      expect(await decodedMetadata(name)).toMatchObject({ width: 320, height: 240, orientation: 1 })
  })
})

test('the credit of a HEIC file is returned', async () => {
  expect(await decodeHeic(fixture('rotated-by-exif.heic'), tiffPath, 1_000_000)).toEqual({ artist, copyright })
})

describe('a HEIC file is refused', () => {
  test('when it has more pixels than the limit', async () => {
    await expect(decodeHeic(fixture('plain.heic'), tiffPath, 320 * 240 - 1)).rejects.toMatchObject({ code: 'pixels' })
  })
  test('when it is damaged', async () => {
    const file = fixture('plain.heic')
    for (const fraction of [0.1, 0.5, 0.9]) {
      const damaged = file.subarray(0, file.length * fraction)
      await expect(decodeHeic(damaged, tiffPath, 1_000_000)).rejects.toMatchObject({ code: 'damaged' })
    }
  })
})
