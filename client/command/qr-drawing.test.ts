import { stripVTControlCharacters } from 'node:util'
import { decodeQR } from 'qr/decode.js'
import { expect, test } from 'vitest'
import { drawQrCode } from './output.ts'

/** What a camera sees: 4 pixels for each module. */
function pictureOf(lines: string[]): { width: number; height: number; data: Uint8Array } {
  const rows = lines.flatMap((line) => {
    const blocks = Array.from(stripVTControlCharacters(line))
    return [blocks.map((block) => '▀█'.includes(block)), blocks.map((block) => '▄█'.includes(block))]
  })
  const scale = 4
  const width = (rows[0]?.length ?? 0) * scale
  const height = rows.length * scale
  const data = new Uint8Array(width * height * 4).fill(255)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (rows[Math.floor(y / scale)]?.[Math.floor(x / scale)])
        data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
  return { width, height, data }
}

test('the drawing is a QR code of the link, dark on light', () => {
  const link = `https://photos.example.com/d/${'aB3'.repeat(7)}x`
  const lines = drawQrCode(link, 80)
  if (!lines) throw new Error('no drawing')
  expect(decodeQR(pictureOf(lines))).toBe(link)
  expect(lines.every((line) => line.startsWith('\u001b[38;5;16m\u001b[48;5;231m') && line.endsWith('\u001b[0m'))).toBe(
    true,
  )
})

test('a terminal that is too narrow gets no drawing', () => {
  expect(drawQrCode('https://photos.example.com/d/x', 20)).toBeNull()
})
