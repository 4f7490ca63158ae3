import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { outboxMail } from './outbox.ts'
import { attached, emailTo, testMailPort } from '../../test/mail-port.ts'

const cleanups: (() => void | Promise<void>)[] = []
afterAll(async () => {
  for (const clean of cleanups.toReversed()) await clean()
})
const outboxFolder = async (): Promise<string> => {
  const outboxDir = await mkdtemp(join(tmpdir(), 'keepsnap-outbox-'))
  cleanups.push(() => rm(outboxDir, { recursive: true, force: true }))
  return outboxDir
}

const roomy = { maxBytes: Infinity, minFreeBytes: 0 }
/** The folder counts as full when it has no room for another email with a photo and a logo. */
const roomForOne = 3 * 1024 * 1024

describe('the outbox folder', () => {
  testMailPort(async () => {
    const outboxDir = await outboxFolder()
    return {
      mail: await outboxMail(outboxDir, roomy),
      bytesOf: ({ id }) => readFile(join(outboxDir, `${id}.eml`)).catch(() => null),
    }
  })

  test('replaces an email that is written again, and leaves no other file', async () => {
    const outboxDir = await outboxFolder()
    const mail = await outboxMail(outboxDir, roomy)
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
    await outboxMail(outboxDir, roomy)
    expect((await readdir(outboxDir)).toSorted()).toEqual(['email.eml', 'new.part'])
  })

  test('deletes the given emails and no others', async () => {
    const outboxDir = await outboxFolder()
    const mail = await outboxMail(outboxDir, roomy)
    const [one, other] = [emailTo('ann@guest.test'), emailTo('ben@guest.test')]
    await mail.send(one)
    await mail.send(other)
    await mail.deleteStored([one.id, 'AnotherThatNeverWas000'])
    expect(await readdir(outboxDir)).toEqual([`${other.id}.eml`])
  })

  test('asks for a retry when the folder does not exist', async () => {
    const outboxDir = await outboxFolder()
    const mail = await outboxMail(outboxDir, roomy)
    await rm(outboxDir, { recursive: true })
    expect(await mail.check()).toBe(false)
    expect(await mail.send(emailTo('ann@guest.test'))).toEqual({
      kind: 'retry',
      unreachable: true,
      reason: 'The outbox folder cannot be written.',
    })
  })

  test('takes emails that may wait until it is full, and others always', async () => {
    const outboxDir = await outboxFolder()
    const mail = await outboxMail(outboxDir, { maxBytes: roomForOne + 1_000, minFreeBytes: 0 })
    const mayWait = { mayWait: true, attachments: [attached(Buffer.alloc(2_000))] }
    const first = emailTo('ann@guest.test', mayWait)
    expect(await mail.send(first)).toEqual({ kind: 'sent', fileBytes: expect.any(Number) })
    const full = { kind: 'retry', unreachable: true, isFull: true, reason: expect.stringContaining('folder is full') }
    expect(await mail.send(emailTo('ben@guest.test', mayWait))).toEqual(full)
    expect(await mail.check()).toBe(false)
    expect(await mail.send(emailTo('owner@example.com'))).toMatchObject({ kind: 'sent' })
    expect(await readdir(outboxDir)).toHaveLength(2)
    // As the operator would.
    await rm(join(outboxDir, `${first.id}.eml`))
    expect(await mail.check()).toBe(true)
    expect(await mail.send(emailTo('ben@guest.test', mayWait))).toMatchObject({ kind: 'sent' })
  })

  test('never becomes larger than its limit by emails that may wait, and leaves no part of one that does not fit', async () => {
    const outboxDir = await outboxFolder()
    const maxBytes = roomForOne + 10_000
    const mail = await outboxMail(outboxDir, { maxBytes, minFreeBytes: 0 })
    const large = { mayWait: true, attachments: [attached(Buffer.alloc(900_000))] }
    const results = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => mail.send(emailTo(`${name}@guest.test`, large))),
    )
    const files = await readdir(outboxDir)
    expect(files.every((name) => name.endsWith('.eml'))).toBe(true)
    expect(files).toHaveLength(results.filter(({ kind }) => kind === 'sent').length)
    const sizes = await Promise.all(files.map(async (name) => (await stat(join(outboxDir, name))).size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(maxBytes)
    expect(results.filter(({ kind }) => kind === 'retry').length).toBeGreaterThan(0)
  })

  test('takes no emails that may wait while the disk has little free space', async () => {
    const mail = await outboxMail(await outboxFolder(), { maxBytes: Infinity, minFreeBytes: Infinity })
    const reason = expect.stringContaining('disk is nearly full')
    const full = { kind: 'retry', unreachable: true, isFull: true, reason }
    expect(await mail.send(emailTo('ann@guest.test', { mayWait: true }))).toEqual(full)
    expect(await mail.send(emailTo('owner@example.com'))).toMatchObject({ kind: 'sent' })
  })
})
