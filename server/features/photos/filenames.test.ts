import { describe, expect, test } from 'vitest'
import { promisedMs } from '../../test/statistics.ts'
import { cleanFilename, guestFilename, ownerFilename } from './filenames.ts'

const hostile = [
  '../../etc/passwd',
  '..\\..\\windows\\system32',
  '/etc/passwd',
  'C:\\photo.jpg',
  'a\0b.jpg',
  'CON',
  'con.jpg',
  'lpt1.png',
  '.hidden.jpg',
  '-rf.jpg',
  '...',
  '',
  '   ',
  '\u202egpj.exe',
  'a\u2028b.jpg',
  'x'.repeat(5000) + '.jpg',
  '👩‍🚀'.repeat(200) + '.png',
  'a\r\nSet-Cookie: x=1.jpg',
  '"quoted".jpg',
  'semi;colon.jpg',
  '%0d%0aX: y.jpg',
  '<script>.jpg',
  'a/b/c.jpg',
  '\ud800.jpg',
  'ｆｕｌｌｗｉｄｔｈ.jpg',
  'photo.jpg.',
  '~',
  '*?|.jpg',
]

describe('cleanFilename', () => {
  test.each(hostile)('makes %j safe to show and to save', (name) => {
    const clean = cleanFilename(name)
    expect(clean).not.toMatch(/[/\\\0\r\n"<>|*?]/)
    expect(clean).not.toMatch(/^[.-]/)
    expect(clean).not.toMatch(/\p{Cc}|(?!\u200d)\p{Cf}|\p{Cs}/u)
    expect(clean).not.toMatch(/\u200d([.\u200d]|$)/)
    expect(clean.length).toBeGreaterThan(0)
    expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(255)
  })

  test('keeps ordinary names', () => {
    for (const name of ['IMG_4380.jpg', 'Ballonnen ingang feestzaal.heic', 'Été à Liège.png', '写真.webp'])
      expect(cleanFilename(name)).toBe(name)
  })

  test('keeps joiners where emoji or a script need them, and nowhere else', () => {
    for (const name of ['👨‍👩‍👧.jpg', '❤️‍🔥.png', 'می‌خواهم.jpg', 'क्‍ष.webp']) expect(cleanFilename(name)).toBe(name)
    for (const [name, clean] of [
      ['\u200d.hid\u200dden.j\u200cpg', 'hidden.jpg'],
      ['con\u200d.jpg', '_con.jpg'],
      ['é\u200d\u200dé\u200d.jpg', 'éé.jpg'],
      ['\u200d\u200c', 'photo'],
      ['é\u200d\u202eé.jpg', 'é\u200dé.jpg'],
      [`${'é'.repeat(200)}.jpg`.replace('éé', 'é\u200dé'), `é\u200d${'é'.repeat(123)}.jpg`],
    ] as const)
      expect(cleanFilename(name)).toBe(clean)
  })

  test.each([400, 100_000])('keeps the extension of a name of %i characters', (length) => {
    expect(cleanFilename(`${'é'.repeat(length)}.jpeg`)).toMatch(/^é+\.jpeg$/)
  })

  test.each(['.', ' ', '. ', '/', '\u2028', 'a.', '\u0344', '\u200d', 'é\u200d'])(
    'cleans 100,000 times %j in a few milliseconds',
    (text) => {
      const startedAt = performance.now()
      expect(Buffer.byteLength(cleanFilename(`a${text.repeat(100_000)}z.jpg`))).toBeLessThanOrEqual(255)
      expect(performance.now() - startedAt).toBeLessThan(promisedMs(20))
    },
  )
})

test('the owner’s download has the uploaded name and the extension of the actual type', () => {
  expect(ownerFilename('IMG_1.HEIC', 'image/jpeg')).toBe('IMG_1.jpg')
  expect(ownerFilename('page.html', 'image/png')).toBe('page.png')
  expect(ownerFilename('noextension', 'image/gif')).toBe('noextension.gif')
})

test('a guest’s download is named after the time of the upload', () => {
  const createdAt = new Date('2026-11-14T23:41:09Z')
  for (const [timeZone, time] of [
    ['UTC', '2026-11-14-2341'],
    ['Europe/Brussels', '2026-11-15-0041'],
    ['America/New_York', '2026-11-14-1841'],
  ] as const)
    expect(guestFilename({ createdAt, timeZone }, 'image/jpeg')).toBe(`keepsnap-${time}.jpg`)
  for (const timeZone of [null, 'Europe/Nowhere'])
    expect(guestFilename({ createdAt, timeZone }, 'image/png')).toMatch(/^keepsnap-2026-11-1[45]-\d{4}\.png$/)
})
