import { Readable } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../../domain/ids.ts'
import { parseLetter } from '../../../test/smtp-server.ts'
import { messageIdOf } from '../compose.ts'
import type { Mail, Message } from '../mail.ts'

/** A letter for tests. */
export const letterTo = (address: string, more: Partial<Message> = {}): Message => ({
  id: newId(),
  from: { name: 'Keepsnap', address: 'photos@photos.test' },
  to: { address },
  subject: 'Your photo',
  html: '<p>Here it is.</p>',
  text: 'Here it is.',
  ...more,
})

/** An attachment of these bytes. */
export const attached = (bytes: Buffer, filename = 'photo.jpg') => ({
  filename,
  type: 'image/jpeg',
  open: async () => Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)]),
})

/** An implementation, and the bytes of a letter that it let go; null when it did not. */
export interface Trial {
  mail: Mail
  bytesOf(message: Message): Promise<Buffer | null>
}

/** The promises of the port; run against every implementation. */
export function keepsItsPromises(open: () => Promise<Trial>): void {
  let trial: Trial
  const sent = async (message: Message) => {
    expect(await trial.mail.send(message)).toEqual({ kind: 'sent' })
    return (await trial.bytesOf(message))!
  }
  beforeAll(async () => {
    trial = await open()
  })

  test('a letter arrives whole, in plain text and HTML, with its attachment', async () => {
    const picture = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) & 255))
    const message = letterTo('ann@guest.test', { attachments: [attached(picture)] })
    const letter = await parseLetter(await sent(message))
    expect(letter).toMatchObject({
      from: { name: 'Keepsnap', address: 'photos@photos.test' },
      to: [{ address: 'ann@guest.test' }],
      subject: 'Your photo',
      messageId: `<${message.id}@photos.test>`,
    })
    expect(letter.text?.trim()).toBe('Here it is.')
    expect(letter.html?.trim()).toBe('<p>Here it is.</p>')
    expect(letter.attachments).toMatchObject([{ filename: 'photo.jpg', mimeType: 'image/jpeg' }])
    expect(Buffer.from(letter.attachments[0]!.content as ArrayBuffer).equals(picture)).toBe(true)
  })

  test('it says when it was written and that no person wrote it, and nothing else about us', async () => {
    const letter = await parseLetter(await sent(letterTo('ann@guest.test')))
    expect(Math.abs(Date.parse(letter.date!) - Date.now())).toBeLessThan(60_000)
    expect(letter.headers.map(({ key }) => key).toSorted()).toEqual([
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
      'x-auto-response-suppress',
    ])
    expect(letter.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
  })

  test('every character in subjects, texts, names and file names arrives', async () => {
    const odd = 'Привет 🎉 "quoted", <b>&amp;</b> {{x}} 漢字'
    const letter = await parseLetter(
      await sent(
        letterTo('ann@guest.test', {
          from: { name: odd, address: 'photos@photos.test' },
          subject: odd,
          text: `${odd}\n.\n..dots`,
          html: `<p>${'long '.repeat(400)}é</p>`,
          attachments: [attached(Buffer.alloc(2_000, 9), 'фото "день" 🎂.jpg')],
        }),
      ),
    )
    expect(letter.subject).toBe(odd)
    expect(letter.from?.name).toBe(odd)
    expect(letter.text?.trim().replaceAll('\r', '')).toBe(`${odd}\n.\n..dots`)
    expect(letter.html?.trim()).toBe(`<p>${'long '.repeat(400)}é</p>`)
    expect(letter.attachments[0]?.filename).toBe('фото "день" 🎂.jpg')
  })

  test('no line of a letter is longer than mail servers take, and every line ends as they expect', async () => {
    const bytes = await sent(
      letterTo('ann@guest.test', { html: `<p>${'x'.repeat(5_000)}</p>`, subject: 'y '.repeat(900) }),
    )
    const text = bytes.toString('latin1')
    expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  test('a domain in another script is written in the one that mail servers understand', async () => {
    const letter = await parseLetter(await sent(letterTo('ann@bücher.test')))
    expect(letter.to?.[0]?.address).toBe('ann@xn--bcher-kva.test')
  })

  test('the same letter sent again has the same Message-ID', async () => {
    const message = letterTo('ann@guest.test')
    const ids = [await sent(message), await sent({ ...message, subject: 'changed' })].map(
      (bytes) => /^message-id: (.*)\r$/im.exec(bytes.toString())?.[1],
    )
    expect(ids).toEqual([messageIdOf(message), messageIdOf(message)])
  })

  test.each([
    'ann@guest.test\r\nBcc: evil@x.test',
    'ann@guest.test, evil@x.test',
    'ann@guest.test;evil@x.test',
    'group: evil@x.test;',
    'Ann <evil@x.test>',
    '"ann x"@guest.test',
    'ann@guest.test>',
    'ann@@guest.test',
    'ann@guest.test(evil@x.test)',
    'ann@guest',
    '',
  ])('nothing leaves for %j, which is no plain address', async (address) => {
    const message = letterTo('ann@guest.test')
    await expect(trial.mail.send({ ...message, to: { address } })).rejects.toThrow('plain address')
    expect(await trial.bytesOf(message)).toBeNull()
  })

  test.each<[string, Partial<Message>]>([
    ['subject', { subject: 'Hello\r\nBcc: evil@x.test' }],
    ['name', { to: { name: 'Ann\nBcc: evil@x.test', address: 'ann@guest.test' } }],
    ['header', { headers: { 'X-Thing': 'a\r\nBcc: evil@x.test' } }],
    ['file name', { attachments: [attached(Buffer.alloc(10), 'a\r\nBcc: evil@x.test')] }],
  ])('nothing leaves whose %s has two lines', async (_, more) => {
    const message = letterTo('ann@guest.test', more)
    await expect(trial.mail.send(message)).rejects.toThrow('line break')
    expect(await trial.bytesOf(message)).toBeNull()
  })

  test('nothing leaves when its attachment breaks off', async () => {
    async function* breaks() {
      yield Buffer.alloc(200_000)
      throw new Error('the store went away')
    }
    const message = letterTo('ann@guest.test', {
      attachments: [{ filename: 'photo.jpg', type: 'image/jpeg', open: async () => Readable.from(breaks()) }],
    })
    await expect(trial.mail.send(message)).rejects.toThrow('could not be read')
    expect(await trial.bytesOf(message)).toBeNull()
    await sent(letterTo('ann@guest.test'))
  })

  test('it says that letters can leave', async () => {
    expect(await trial.mail.check()).toBe(true)
  })
}
