import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { outboxMail } from './outbox.ts'
import { emailTo, testMailPort } from './test/mail-port.ts'

const cleanups: (() => void | Promise<void>)[] = []
afterAll(async () => {
  for (const clean of cleanups.toReversed()) await clean()
})
const outboxFolder = async (): Promise<string> => {
  const outboxDir = await mkdtemp(join(tmpdir(), 'keepsnap-outbox-'))
  cleanups.push(() => rm(outboxDir, { recursive: true, force: true }))
  return outboxDir
}

describe('the outbox folder', () => {
  testMailPort(async () => {
    const outboxDir = await outboxFolder()
    return {
      mail: await outboxMail(outboxDir),
      bytesOf: ({ id }) => readFile(join(outboxDir, `${id}.eml`)).catch(() => null),
    }
  })

  test('replaces an email that is written again, and leaves no other file', async () => {
    const outboxDir = await outboxFolder()
    const mail = await outboxMail(outboxDir)
    const message = emailTo('ann@guest.test')
    await mail.send(message)
    await mail.send({ ...message, subject: 'Again' })
    expect(await readdir(outboxDir)).toEqual([`${message.id}.eml`])
    expect(await readFile(join(outboxDir, `${message.id}.eml`), 'utf8')).toContain('Subject: Again')
  })

  test('deletes incomplete files of killed programs, but not recent ones', async () => {
    const outboxDir = await outboxFolder()
    for (const name of ['old.part', 'new.part', 'email.eml']) await writeFile(join(outboxDir, name), 'x')
    await utimes(join(outboxDir, 'old.part'), 1, 1)
    await outboxMail(outboxDir)
    expect((await readdir(outboxDir)).toSorted()).toEqual(['email.eml', 'new.part'])
  })

  test('deletes the given emails and no others', async () => {
    const outboxDir = await outboxFolder()
    const mail = await outboxMail(outboxDir)
    const [one, other] = [emailTo('ann@guest.test'), emailTo('ben@guest.test')]
    await mail.send(one)
    await mail.send(other)
    await mail.deleteStored([one.id, 'AnotherThatNeverWas000'])
    expect(await readdir(outboxDir)).toEqual([`${other.id}.eml`])
  })

  test('asks for a retry when the folder does not exist', async () => {
    const outboxDir = await outboxFolder()
    const mail = await outboxMail(outboxDir)
    await rm(outboxDir, { recursive: true })
    expect(await mail.check()).toBe(false)
    expect(await mail.send(emailTo('ann@guest.test'))).toEqual({
      kind: 'retry',
      unreachable: true,
      reason: 'The outbox folder cannot be written.',
    })
  })
})
