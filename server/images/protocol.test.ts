import { expect, test } from 'vitest'
import { parseReply } from './protocol.ts'

test('what an image process says is taken for what it is', () => {
  expect(parseReply('{"tell":"ready"}')).toEqual({ tell: 'ready' })
  expect(parseReply('{"id":1,"tell":"sized","megapixels":12.5}')).toEqual({ id: 1, tell: 'sized', megapixels: 12.5 })
  expect(parseReply('{"id":1,"tell":"thumbnail","width":3,"height":4,"thumbhash":"abcd"}')).toMatchObject({ width: 3 })
  expect(parseReply('{"id":1,"tell":"full","type":"image/png","kept":false,"path":"/etc/passwd"}')).toEqual({
    id: 1,
    tell: 'full',
    type: 'image/png',
    kept: false,
    marked: false,
    untouched: false,
  })
  expect(parseReply('{"id":1,"tell":"picture","type":"image/png","width":3.2,"height":4}')).toEqual({
    id: 1,
    tell: 'picture',
    type: 'image/png',
    width: 3,
    height: 4,
  })
})

test.each([
  ['no JSON', 'hello'],
  ['a number', '7'],
  ['null', 'null'],
  ['an unknown word', '{"id":1,"tell":"other"}'],
  ['no id', '{"tell":"full","type":"image/png"}'],
  ['a type that we do not serve', '{"id":1,"tell":"full","type":"text/html"}'],
  ['a width that is no number', '{"id":1,"tell":"thumbnail","width":"3","height":4,"thumbhash":"abcd"}'],
  ['a width below nothing', '{"id":1,"tell":"thumbnail","width":-3,"height":4,"thumbhash":"abcd"}'],
  ['a hash with markup', '{"id":1,"tell":"thumbnail","width":3,"height":4,"thumbhash":"<b>x</b>"}'],
  ['endless megapixels', '{"id":1,"tell":"sized","megapixels":1e99}'],
  ['a reason that we do not know', '{"id":1,"tell":"refused","code":"because"}'],
])('%s from a stranger in an image process is no reply', (_, line) => {
  expect(parseReply(line)).toBeNull()
})

test('what goes into the log is plain and short', () => {
  const reply = parseReply(JSON.stringify({ id: 1, tell: 'broken', message: `\u001b[31m${'x'.repeat(9000)}` }))
  expect(reply).toMatchObject({ message: expect.stringMatching(/^\?\[31mx+$/) })
  expect(reply?.tell === 'broken' && reply.message.length).toBe(500)
})
