import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { decodeQR } from 'qr/decode.js'
import { createOutput, drawQrCode, type OutputStream } from './output.ts'

describe('output', () => {
  function streamWith(more: Partial<OutputStream>) {
    let text = ''
    return { stream: { write: (part: string) => (text += part), ...more }, text: () => text }
  }

  test('a terminal has one line that changes below the lines that stay', () => {
    const { stream, text } = streamWith({ isTTY: true, columns: 20 })
    const output = createOutput(stream, { qr: false })
    output.progress('a.jpg: 10 %')
    output.line('done')
    output.progress('')
    const [first, rest] = text().split('\r\u001b[2K')
    expect(first).toBe('a.jpg: 10 %')
    expect(rest).toMatch(/^\d\d:\d\d:\d\d {2}done\na\.jpg: 10 %$/)
    expect(text().endsWith('\r\u001b[2K')).toBe(true)
  })

  test('a progress line is cut to the width of the terminal', () => {
    const { stream, text } = streamWith({ isTTY: true, columns: 10 })
    createOutput(stream, { qr: false }).progress('x'.repeat(50))
    expect(text()).toBe('x'.repeat(9))
  })

  test('without a terminal there are lines only', () => {
    const { stream, text } = streamWith({})
    const output = createOutput(stream, { qr: true })
    output.progress('a.jpg: 10 %')
    output.qrCode('https://photos.example/d/x')
    output.line('done')
    expect(text()).toMatch(/^[\d:]{8} {2}done\n$/)
  })

  test('names of files cannot control the terminal', () => {
    const { stream, text } = streamWith({})
    createOutput(stream, { qr: false }).line('evil\u001b[2J\r.jpg')
    expect(text()).toContain('evil?[2J?.jpg')
  })

  test('the QR code is drawn in a terminal, unless it is not wanted', () => {
    const drawing = streamWith({ isTTY: true, columns: 80 })
    createOutput(drawing.stream, { qr: true }).qrCode('https://photos.example/d/x')
    expect(drawing.text().split('\n').length).toBeGreaterThan(10)
    const none = streamWith({ isTTY: true, columns: 80 })
    createOutput(none.stream, { qr: false }).qrCode('https://photos.example/d/x')
    expect(none.text()).toBe('')
  })
})

describe('qr drawing', () => {
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
    expect(
      lines.every((line) => line.startsWith('\u001b[38;5;16m\u001b[48;5;231m') && line.endsWith('\u001b[0m')),
    ).toBe(true)
  })

  test('a terminal that is too narrow gets no drawing', () => {
    expect(drawQrCode('https://photos.example.com/d/x', 20)).toBeNull()
  })
})
