import { expect, test } from 'vitest'
import { parseReply } from './protocol.ts'

test('parses every kind of reply and drops unknown fields', () => {
  expect(parseReply('{"type":"ready"}')).toEqual({ type: 'ready' })
  expect(parseReply('{"id":1,"type":"sized","megapixels":12.5,"animated":true}')).toEqual({
    id: 1,
    type: 'sized',
    megapixels: 12.5,
    animated: true,
  })
  expect(parseReply('{"id":1,"type":"thumbnail","width":3,"height":4,"thumbhash":"abcd"}')).toMatchObject({ width: 3 })
  expect(parseReply('{"id":1,"type":"full","contentType":"image/png","lossless":false,"path":"/etc/passwd"}')).toEqual({
    id: 1,
    type: 'full',
    contentType: 'image/png',
    lossless: false,
    watermarked: false,
    inputUnchanged: false,
    capturedAt: null,
  })
  const capturedAt = { clockMs: Date.UTC(2026, 10, 14), offsetMinutes: 60 }
  const full = (captured: unknown) =>
    parseReply(JSON.stringify({ id: 1, type: 'full', contentType: 'image/png', capturedAt: captured }))
  expect(full({ ...capturedAt, path: '/etc/passwd' })).toMatchObject({ capturedAt })
  for (const wrong of [
    '2026',
    { clockMs: 1 },
    { ...capturedAt, offsetMinutes: 1e9 },
    { ...capturedAt, clockMs: 1e300 },
  ])
    expect(full(wrong)).toMatchObject({ capturedAt: null })
  expect(
    parseReply('{"id":1,"type":"image","contentType":"image/png","width":3.2,"height":4,"lowContrast":{"onPaper":2}}'),
  ).toEqual({
    id: 1,
    type: 'image',
    contentType: 'image/png',
    width: 3,
    height: 4,
    lowContrast: null,
  })
})

test.each([
  ['text that is not JSON', 'hello'],
  ['a number', '7'],
  ['null', 'null'],
  ['an unknown type', '{"id":1,"type":"other"}'],
  ['a missing id', '{"type":"full","contentType":"image/png"}'],
  ['a content type that is never served', '{"id":1,"type":"full","contentType":"text/html"}'],
  ['a width that is a string', '{"id":1,"type":"thumbnail","width":"3","height":4,"thumbhash":"abcd"}'],
  ['a negative width', '{"id":1,"type":"thumbnail","width":-3,"height":4,"thumbhash":"abcd"}'],
  ['a ThumbHash with markup', '{"id":1,"type":"thumbnail","width":3,"height":4,"thumbhash":"<b>x</b>"}'],
  ['an absurd number of megapixels', '{"id":1,"type":"sized","megapixels":1e99}'],
  ['an unknown refusal code', '{"id":1,"type":"refused","code":"because"}'],
])('refuses %s', (_, line) => {
  expect(parseReply(line)).toBeNull()
})

test('limits log messages to 500 printable characters', () => {
  const reply = parseReply(JSON.stringify({ id: 1, type: 'failed', message: `\u001b[31m${'x'.repeat(9000)}` }))
  expect(reply).toMatchObject({ message: expect.stringMatching(/^\?\[31mx+$/) })
  expect(reply?.type === 'failed' && reply.message.length).toBe(500)
})
