import { Readable } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../lib/ids.ts'
import { parseEmail } from './smtp-server.ts'
import type { Mail, Message } from '../ports/mail/mail.ts'

/** An email for tests. */
export const emailTo = (address: string, more: Partial<Message> = {}): Message => ({
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

/** An implementation, and access to what it sent. */
interface TestedMail {
  mail: Mail
  /** The bytes of an email that was sent; null when it was not. */
  bytesOf(message: Message): Promise<Buffer | null>
}

/** Tests of the mail port, run against every implementation. */
export function testMailPort(open: () => Promise<TestedMail>): void {
  let tested: TestedMail
  const sent = async (message: Message) => {
    expect(await tested.mail.send(message)).toMatchObject({ kind: 'sent' })
    const bytes = await tested.bytesOf(message)
    if (!bytes) throw new Error('the email was not sent')
    return bytes
  }
  beforeAll(async () => {
    tested = await open()
  })

  test('sends a subject and names that look like encoded words as they were written', async () => {
    const encoded = '=?utf-8?B?DQpCY2M6IHhAZXZpbC50ZXN0?=' // CR LF and another header
    const message = emailTo('ann@guest.test', {
      subject: `Hi ${encoded}`,
      replyTo: { name: encoded, address: 'ben@guest.test' },
    })
    const { subject, replyTo, bcc } = await parseEmail(await sent(message))
    const shown = (text = ''): string => text.replaceAll('\u2060', '')
    expect([shown(subject), shown(replyTo?.[0]?.name), bcc]).toEqual([`Hi ${encoded}`, encoded, undefined])
  })

  test('delivers plain text, HTML and the attachment unchanged', async () => {
    const picture = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) & 255))
    const message = emailTo('ann@guest.test', { attachments: [attached(picture)] })
    const email = await parseEmail(await sent(message))
    expect(email).toMatchObject({
      from: { name: 'Keepsnap', address: 'photos@photos.test' },
      to: [{ address: 'ann@guest.test' }],
      subject: 'Your photo',
      messageId: `<${message.id}@photos.test>`,
    })
    expect(email.text?.trim()).toBe('Here it is.')
    expect(email.html?.trim()).toBe('<p>Here it is.</p>')
    expect(email.attachments).toMatchObject([{ filename: 'photo.jpg', mimeType: 'image/jpeg' }])
    const [file] = email.attachments
    expect(Buffer.from(file?.content as ArrayBuffer).equals(picture)).toBe(true) // bytes, not text
  })

  test('adds only the necessary headers: when it was sent, and that it was generated automatically', async () => {
    const email = await parseEmail(await sent(emailTo('ann@guest.test')))
    expect(Math.abs(Date.parse(email.date ?? '') - Date.now())).toBeLessThan(60_000)
    expect(email.headers.map(({ key }) => key).toSorted()).toEqual([
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
    expect(email.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
  })

  test('delivers every character in subjects, texts, names and file names', async () => {
    const unusual = 'Привет 🎉 "quoted", <b>&amp;</b> {{x}} 漢字'
    const email = await parseEmail(
      await sent(
        emailTo('ann@guest.test', {
          from: { name: unusual, address: 'photos@photos.test' },
          subject: unusual,
          text: `${unusual}\n.\n..dots`,
          html: `<p>${'long '.repeat(400)}é</p>`,
          attachments: [attached(Buffer.alloc(2_000, 9), 'фото "день" 🎂.jpg')],
        }),
      ),
    )
    expect(email.subject).toBe(unusual)
    expect(email.from?.name).toBe(unusual)
    expect(email.text?.trim().replaceAll('\r', '')).toBe(`${unusual}\n.\n..dots`)
    expect(email.html?.trim()).toBe(`<p>${'long '.repeat(400)}é</p>`)
    expect(email.attachments[0]?.filename).toBe('фото "день" 🎂.jpg')
  })

  test('breaks lines at the length that mail servers accept, and ends them with CRLF', async () => {
    const bytes = await sent(
      emailTo('ann@guest.test', { html: `<p>${'x'.repeat(5_000)}</p>`, subject: 'y '.repeat(900) }),
    )
    const text = bytes.toString('latin1')
    expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  test('writes an international domain name in ASCII', async () => {
    const email = await parseEmail(await sent(emailTo('ann@bücher.test')))
    expect(email.to?.[0]?.address).toBe('ann@xn--bcher-kva.test')
  })

  test('sends nothing to what is not a plain address, nor with a line break where there is one line', async () => {
    const refused = async (more: Partial<Message>, reason: string): Promise<void> => {
      const message = emailTo('ann@guest.test', more)
      await expect(tested.mail.send(message)).rejects.toThrow(reason)
      expect(await tested.bytesOf(message)).toBeNull()
    }
    await refused({ to: { address: 'ann@guest.test\r\nBcc: evil@x.test' } }, 'not a plain address')
    await refused({ attachments: [attached(Buffer.alloc(10), 'a\r\nBcc: evil@x.test')] }, 'line break')
  })

  test('sends no email whose attachment cannot be read to its end', async () => {
    async function* failing() {
      yield Buffer.alloc(200_000)
      throw new Error('the store is unavailable')
    }
    const message = emailTo('ann@guest.test', {
      attachments: [{ filename: 'photo.jpg', type: 'image/jpeg', open: async () => Readable.from(failing()) }],
    })
    await expect(tested.mail.send(message)).rejects.toThrow('could not be read')
    expect(await tested.bytesOf(message)).toBeNull()
    await sent(emailTo('ann@guest.test'))
  })

  test('reports that emails can be sent', async () => {
    expect(await tested.mail.check()).toBe(true)
  })
}
