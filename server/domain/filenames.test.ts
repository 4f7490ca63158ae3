import { describe, expect, test } from 'vitest'
import { cleanFilename, disposition, neutralName, ownName } from './filenames.ts'

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

describe('file names', () => {
  test.each(hostile)('%j becomes text that is safe to show and to save', (name) => {
    const clean = cleanFilename(name)
    expect(clean).not.toMatch(/[/\\\0\r\n"<>|*?]/)
    expect(clean).not.toMatch(/^[.-]/)
    expect(clean).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}/u)
    expect(clean.length).toBeGreaterThan(0)
    expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(255)
  })

  test.each([...hostile, 'Foto’s – mariée №1.jpg'])('%j makes one header that a browser reads back', (name) => {
    const header = disposition('attachment', cleanFilename(name))
    expect(header).toMatch(/^attachment; filename="[\x20-\x7e]*"(; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/)
    const [, encoded] = /filename\*=UTF-8''(.+)$/.exec(header) ?? []
    const [, plain = ''] = /filename="([^"]*)"/.exec(header) ?? []
    expect(encoded ? decodeURIComponent(encoded) : plain).toBe(cleanFilename(name))
  })

  test('ordinary names stay as they are', () => {
    for (const name of ['IMG_4380.jpg', 'Ballonnen ingang feestzaal.heic', 'Été à Liège.png', '写真.webp'])
      expect(cleanFilename(name)).toBe(name)
  })

  test('a long name keeps its extension', () => {
    expect(cleanFilename(`${'é'.repeat(400)}.jpeg`)).toMatch(/^é+\.jpeg$/)
  })

  test('downloads carry the extension of what is inside', () => {
    expect(ownName('IMG_1.HEIC', 'image/jpeg')).toBe('IMG_1.jpg')
    expect(ownName('page.html', 'image/png')).toBe('page.png')
    expect(ownName('noextension', 'image/gif')).toBe('noextension.gif')
  })

  test('strangers get a name that tells when and nothing else', () => {
    expect(neutralName(new Date('2026-11-14T22:41:09Z'), 'image/jpeg')).toBe('keepsnap-2026-11-14-2241.jpg')
  })
})
