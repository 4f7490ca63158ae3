import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startMailServer } from '../../test/smtp-server.ts'
import { messageIdOf } from './compose.ts'
import { outboxMail } from './outbox.ts'
import { smtpMail } from './smtp.ts'
import { keepsItsPromises, letterTo } from './test/promises.ts'

const cleanups: (() => void | Promise<void>)[] = []
afterAll(async () => {
  for (const clean of cleanups.toReversed()) await clean()
})
const folder = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'keepsnap-outbox-'))
  cleanups.push(() => rm(dir, { recursive: true, force: true }))
  return dir
}

describe('a mail server', () => {
  keepsItsPromises(async () => {
    const server = await startMailServer((work) => void cleanups.push(work))
    const { port } = server
    const mail = smtpMail({
      host: '127.0.0.1',
      port,
      secure: false,
      user: undefined,
      secretPassword: undefined,
      name: 'photos.test',
    })
    cleanups.push(() => mail.close())
    return {
      mail,
      bytesOf: async (message) =>
        server.received.findLast(({ bytes }) => bytes.includes(messageIdOf(message)))?.bytes ?? null,
    }
  })
})

describe('an outbox folder', () => {
  keepsItsPromises(async () => {
    const dir = await folder()
    return {
      mail: await outboxMail(dir),
      bytesOf: ({ id }) => readFile(join(dir, `${id}.eml`)).catch(() => null),
    }
  })

  test('a letter written again takes the place of the first, and nothing else is left', async () => {
    const dir = await folder()
    const mail = await outboxMail(dir)
    const message = letterTo('ann@guest.test')
    await mail.send(message)
    await mail.send({ ...message, subject: 'Again' })
    expect(await readdir(dir)).toEqual([`${message.id}.eml`])
    expect(await readFile(join(dir, `${message.id}.eml`), 'utf8')).toContain('Subject: Again')
  })

  test('halves that a killed program left are cleared away, those of a living one are not', async () => {
    const dir = await folder()
    for (const name of ['old.part', 'new.part', 'letter.eml']) await writeFile(join(dir, name), 'x')
    await utimes(join(dir, 'old.part'), 1, 1)
    await outboxMail(dir)
    expect((await readdir(dir)).toSorted()).toEqual(['letter.eml', 'new.part'])
  })

  test('letters that are forgotten are gone, and only they', async () => {
    const dir = await folder()
    const mail = await outboxMail(dir)
    const [one, other] = [letterTo('ann@guest.test'), letterTo('ben@guest.test')]
    await mail.send(one)
    await mail.send(other)
    await mail.forget([one.id, 'AnotherThatNeverWas000'])
    expect(await readdir(dir)).toEqual([`${other.id}.eml`])
  })

  test('a folder that is gone loses no letter: it is tried again', async () => {
    const dir = await folder()
    const mail = await outboxMail(dir)
    await rm(dir, { recursive: true })
    expect(await mail.check()).toBe(false)
    expect(await mail.send(letterTo('ann@guest.test'))).toEqual({
      kind: 'again',
      unreachable: true,
      reason: 'The outbox folder cannot be written.',
    })
  })
})
