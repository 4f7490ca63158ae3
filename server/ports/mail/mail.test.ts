import { describe, expect, test } from 'vitest'
import { emailTo } from '../../test/mail-port.ts'
import { createEmailThrottle, messageIdOf, mimeMessage, plainAddress, throttledSlices } from './mail.ts'

describe('mime message', () => {
  const noThrottle = async () => {}

  test.each([
    '',
    'ann',
    '@guest.test',
    'ann@guest',
    'ann@@guest.test',
    'ann@guest.test>',
    'ann@guest.test, ben@guest.test',
    'ann@guest.test;evil@x.test',
    'group: evil@x.test;',
    'Ann <ann@guest.test>',
    '"ann x"@guest.test',
    'ann@guest.test(evil@x.test)',
    'a\r\nb@guest.test',
  ])('%j is not one plain address', (address) => {
    expect(() => plainAddress(address)).toThrow('not a plain address')
  })

  test('the Message-ID depends only on the id of the email, when it was accepted before, and the domain of the sender', () => {
    const message = emailTo('ann@guest.test')
    expect(messageIdOf(message)).toBe(`<${message.id}@photos.test>`)
    expect(messageIdOf({ ...message, from: { name: 'Other', address: 'hi@photos.test' } })).toBe(messageIdOf(message))
    expect(messageIdOf({ ...message, sentBefore: new Date(1_700_000_000_123) })).toBe(
      `<${message.id}.1700000000123@photos.test>`,
    )
  })

  test('an image that the email shows is inline under its Content-ID; other files are attachments', () => {
    const open = () => Promise.reject(new Error('not read in this test'))
    const attachments = [
      { filename: 'logo.png', type: 'image/png', cid: 'logo', open },
      { filename: 'photo.jpg', type: 'image/jpeg', open },
    ]
    expect(mimeMessage(emailTo('ann@guest.test', { attachments }), noThrottle).attachments).toMatchObject([
      { filename: 'logo.png', contentType: 'image/png', contentDisposition: 'inline', cid: 'logo' },
      { filename: 'photo.jpg', contentType: 'image/jpeg', contentDisposition: 'attachment' },
    ])
  })

  test.each([
    ['subject', { subject: 'Photo\r\nBcc: x@evil.test' }],
    ['header', { headers: { 'X-Note': 'a\nb' } }],
    ['name', { from: { name: 'Keep\u2028snap', address: 'photos@photos.test' } }],
    ['id', { id: 'short' }],
  ])('an email with an invalid %s is refused', (_, change) => {
    expect(() => mimeMessage(emailTo('ann@guest.test', change), noThrottle)).toThrow(/of an email/)
  })
})

describe('throttle', () => {
  test('bytes are unchanged, in slices of at most 64 KiB, each after one call of the throttle', async () => {
    const source = [Buffer.alloc(150_000, 1), Buffer.alloc(10, 2)]
    const slices: Buffer[] = []
    let calls = 0
    const throttle = async (): Promise<void> => void calls++
    async function* chunks(): AsyncGenerator<Buffer> {
      yield* source
    }
    for await (const slice of throttledSlices(chunks(), throttle)) {
      slices.push(slice)
      expect(calls).toBe(slices.length)
    }
    expect(slices.map(({ length }) => length)).toEqual([65_536, 65_536, 18_928, 10])
    expect(Buffer.concat(slices).equals(Buffer.concat(source))).toBe(true)
  })

  test('after the event loop was busy, emails pause', async () => {
    const throttle = createEmailThrottle()
    for (const busyUntil = performance.now() + 110; performance.now() < busyUntil;);
    const startedAt = performance.now()
    await throttle()
    // 4 ms, less the rounding of timers.
    expect(performance.now() - startedAt).toBeGreaterThan(2.5)
  })
})
