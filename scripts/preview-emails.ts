/**
 * Writes every kind of email with sample values as HTML, plain text and .eml files, in all languages:
 * `npm run emails [-- FOLDER]`.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { languages } from '../contract/languages.ts'
import { unsubscribeHeaders } from '../server/features/guests/emails.ts'
import { outboxMail } from '../server/ports/mail/outbox.ts'
import { contextIn, mailFrom, samplePictures, sampleRenderer, samplesIn, withPictures } from './email-samples.ts'

const folder = resolve(process.argv[2] ?? join(tmpdir(), 'keepsnap-emails'))
const renderer = await sampleRenderer()
const pictures = await samplePictures()
for (const language of languages) {
  const languageFolder = join(folder, language)
  await mkdir(languageFolder, { recursive: true })
  const outbox = await outboxMail(languageFolder, { maxBytes: Infinity })
  const lines: string[] = []
  for (const { name, email } of samplesIn(language)) {
    const rendered = renderer.renderEmail(email, contextIn(language))
    await writeFile(join(languageFolder, `${name}.html`), withPictures(rendered.html, pictures))
    await writeFile(join(languageFolder, `${name}.txt`), rendered.text)
    const headers = email.kind === 'photo' ? unsubscribeHeaders(email.stopUrl) : {}
    const attachments = [...pictures]
      .filter(([cid]) => rendered.html.includes(`"cid:${cid}"`))
      .map(([cid, { bytes, type }]) => ({ filename: cid, type, cid, open: async () => Readable.from([bytes]) }))
    const id = name.replaceAll('-', '').padEnd(22, '0').slice(0, 22)
    const to = { address: 'guest@example.com' }
    await outbox.send({ id, from: mailFrom, to, ...rendered, headers, attachments })
    lines.push(`  ${name.padEnd(24)} ${rendered.subject}   (${name}.html, ${name}.txt, ${id}.eml)`)
  }
  process.stdout.write(`Emails with sample values, in ${languageFolder}:\n${lines.join('\n')}\n`)
}
