import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../test/child-processes.ts'
import { createQrCodeCache, encodeQrCode, qrCodePng, qrCodeSvg } from './qr-codes.ts'

/** Decodes a QR code with zbar, which is independent of the encoder. */
function decodeQrCode(picture: Buffer): string {
  const path = join(scratchFolder(onTestFinished), 'code.png')
  writeFileSync(path, picture)
  const args = ['-q', '--raw', '-Sdisable', '-Sqrcode.enable', path]
  return execFileSync('zbarimg', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}

test.each([5, 40, 120, 300])('a code with %i characters can be decoded, as PNG and as SVG', async (length) => {
  const text = `https://a.example/${'k'.repeat(length)}`
  const modules = encodeQrCode(text)
  expect(decodeQrCode(qrCodePng(modules))).toBe(text)
  const svg = qrCodeSvg(modules)
  expect(svg).not.toMatch(/<script|href/)
  expect(decodeQrCode(await sharp(Buffer.from(svg), { density: 600 }).png().toBuffer())).toBe(text)
})

test('a code is dark on white, with a quiet zone of four modules, whole pixels per module, at least 512 pixels wide', async () => {
  const png = qrCodePng(encodeQrCode('https://a.example/d/code'))
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true })
  expect(info.width).toBeGreaterThanOrEqual(512)
  const pixel = (x: number, y: number): number => data.readUInt8(y * info.width + x)
  const indices = Array.from({ length: info.width }, (_, n) => n)
  const quietPixels = indices.findIndex((n) => pixel(n, n) < 128)
  expect(quietPixels % 4).toBe(0)
  expect(info.width % (quietPixels / 4)).toBe(0)
  const [inner, outer] = [quietPixels - 1, info.width - quietPixels]
  for (const n of indices)
    expect([pixel(n, inner), pixel(inner, n), pixel(n, outer), pixel(outer, n)]).toEqual([255, 255, 255, 255])
})

test('text that is not ASCII is refused', () => {
  expect(() => encodeQrCode('https://é.example/')).toThrow('ASCII')
})

test('a code is drawn once for each format, and its tag says which bytes it has', () => {
  const draw = createQrCodeCache()
  const [png, svg] = [draw('https://a.example/d/1', 'png'), draw('https://a.example/d/1', 'svg')]
  expect(draw('https://a.example/d/1', 'png')).toBe(png)
  expect(png.bytes).toEqual(qrCodePng(encodeQrCode('https://a.example/d/1')))
  expect(svg.bytes.toString()).toBe(qrCodeSvg(encodeQrCode('https://a.example/d/1')))
  const tags = [png, svg, draw('https://a.example/d/2', 'png')].map(({ entityTag }) => entityTag)
  expect(new Set(tags).size).toBe(3)
  expect(createQrCodeCache()('https://a.example/d/1', 'png').entityTag).toBe(png.entityTag)
})

test('a PNG has one bit a pixel and a palette of two colours', async () => {
  const png = qrCodePng(encodeQrCode('https://a.example/d/code'))
  expect(await sharp(png).metadata()).toMatchObject({ bitsPerSample: 1, isPalette: true })
  expect(png.length).toBeLessThan(1_500)
})
