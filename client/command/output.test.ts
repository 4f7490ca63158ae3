import { expect, test } from 'vitest'
import { createOutput, type OutputStream } from './output.ts'

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
