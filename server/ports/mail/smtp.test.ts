import { describe, expect, onTestFinished, test } from 'vitest'
import { startMailServer, type Refusal } from '../../test/smtp-server.ts'
import { startScript, verbs, type Act, type Verb } from '../../test/smtp-script.ts'
import type { Mail } from './mail.ts'
import { smtpMail, type SmtpOptions } from './smtp.ts'
import { letterTo } from './test/promises.ts'

const patience = { connect: 400, greeting: 400, silence: 400, letter: 1_500 }

function mailTo(port: number, more: Partial<SmtpOptions> = {}): Mail {
  const options = { host: '127.0.0.1', port, secure: false, user: undefined, secretPassword: undefined, patience }
  const mail = smtpMail({ ...options, name: 'photos.test', ...more })
  onTestFinished(() => mail.close())
  return mail
}
const onScript = async (script: Partial<Record<Verb, Act>>) => {
  const server = await startScript(onTestFinished, script)
  return { server, mail: mailTo(server.port) }
}
const early = new Set<Verb>(['GREETING', 'EHLO'])

describe.each(verbs)('at %s', (verb) => {
  const again = { kind: 'again', unreachable: early.has(verb) }

  test('a server that falls silent is given up in time, and the letter tried again', async () => {
    const { mail } = await onScript({ [verb]: 'hang' })
    const began = performance.now()
    expect(await mail.send(letterTo('ann@guest.test'))).toMatchObject({
      ...again,
      reason: 'The mail server did not answer in time.',
    })
    expect(performance.now() - began).toBeLessThan(patience.letter + 5_000)
  })

  test('a connection that breaks means that the letter is tried again', async () => {
    const { mail } = await onScript({ [verb]: 'drop' })
    expect(await mail.send(letterTo('ann@guest.test'))).toMatchObject(again)
  })

  test('"later" means that the letter is tried again', async () => {
    const { mail } = await onScript({ [verb]: '451 4.3.2 not now' })
    expect(await mail.send(letterTo('ann@guest.test'))).toMatchObject(again)
  })

  test('"we are closing" means that the letter is tried again', async () => {
    const { mail } = await onScript({ [verb]: '421 4.3.2 closing' })
    expect(await mail.send(letterTo('ann@guest.test'))).toMatchObject(again)
  })

  test('"never" is about the letter once the server has heard of it, and about us before', async () => {
    const { mail } = await onScript({ [verb]: '550 5.7.1 no' })
    expect(await mail.send(letterTo('ann@guest.test'))).toMatchObject(early.has(verb) ? again : { kind: 'refused' })
  })
})

describe('a mail server', () => {
  test('that loses the connection after the whole letter leaves us unsure, so it is tried again', async () => {
    const { server, mail } = await onScript({ DOT: 'drop' })
    const message = letterTo('ann@guest.test')
    expect(await mail.send(message)).toEqual({
      kind: 'again',
      unreachable: false,
      reason: 'The connection to the mail server broke.',
    })
    expect(server.letters).toHaveLength(1)
    expect(server.letters[0]).toContain(`Message-ID: <${message.id}@photos.test>`)
  })

  test('that is not there is known as such, at once', async () => {
    const { port, stop } = await startMailServer(onTestFinished)
    await stop()
    const mail = mailTo(port)
    expect(await mail.send(letterTo('ann@guest.test'))).toEqual({
      kind: 'again',
      unreachable: true,
      reason: 'The mail server could not be reached.',
    })
    expect(await mail.check()).toBe(false)
    await startMailServer(onTestFinished, { port })
    expect(await mail.check()).toBe(true)
    expect(await mail.send(letterTo('ann@guest.test'))).toEqual({ kind: 'sent' })
  })

  test('whose name nobody knows is known as such', async () => {
    expect(await mailTo(25, { host: 'no-such-host.invalid' }).send(letterTo('ann@guest.test'))).toEqual({
      kind: 'again',
      unreachable: true,
      reason: 'The mail server could not be found.',
    })
  })

  test('that offers STARTTLS gets letters over it', async () => {
    const server = await startMailServer(onTestFinished, { tls: true })
    await mailTo(server.port).send(letterTo('ann@guest.test'))
    expect(server.received).toMatchObject([{ secure: true }])
  })

  test('that wants a sign-in gets it', async () => {
    const user = { name: 'booth', password: 'p:@ss wörd' }
    const server = await startMailServer(onTestFinished, { tls: true, user })
    const mail = mailTo(server.port, { user: user.name, secretPassword: user.password })
    expect(await mail.check()).toBe(true)
    expect(await mail.send(letterTo('ann@guest.test'))).toEqual({ kind: 'sent' })
    expect(server.received).toMatchObject([{ user: 'booth', secure: true }])
  })

  test('that refuses the sign-in loses no letter', async () => {
    const server = await startMailServer(onTestFinished, { user: { name: 'booth', password: 'right' } })
    const mail = mailTo(server.port, { user: 'booth', secretPassword: 'wrong' })
    expect(await mail.send(letterTo('ann@guest.test'))).toEqual({
      kind: 'again',
      unreachable: true,
      reason: 'The mail server refused our sign-in.',
    })
    expect(await mail.check()).toBe(false)
  })

  test('is shown no password without TLS unless it is on this machine', async () => {
    const server = await startMailServer(onTestFinished, { user: { name: 'booth', password: 'right' } })
    // Another name of loopback, which does not look like one.
    const mail = mailTo(server.port, { host: '::ffff:127.0.0.1', user: 'booth', secretPassword: 'right' })
    expect(await mail.send(letterTo('ann@guest.test'))).toMatchObject({ kind: 'again', unreachable: true })
    expect(server.received).toEqual([])
  })

  test('takes many letters over few connections', async () => {
    const server = await startMailServer(onTestFinished)
    const mail = mailTo(server.port)
    const letters = Array.from({ length: 60 }, (_, at) => letterTo(`guest${at}@guest.test`))
    expect(new Set((await Promise.all(letters.map(mail.send))).map(({ kind }) => kind))).toEqual(new Set(['sent']))
    expect(new Set(server.received.flatMap(({ to }) => to)).size).toBe(60)
    expect(server.connections()).toBeLessThanOrEqual(5)
  })

  test('that refuses one address takes the next letter', async () => {
    const server = await startMailServer(onTestFinished)
    server.rules.recipient = (address) =>
      address.startsWith('nobody') ? { code: 550, text: '5.1.1 no such user at mx7.inside.example' } : undefined
    const mail = mailTo(server.port)
    expect(await mail.send(letterTo('nobody@guest.test'))).toEqual({
      kind: 'refused',
      reason: 'This address does not exist.',
      tooLarge: false,
    })
    expect(await mail.send(letterTo('ann@guest.test'))).toEqual({ kind: 'sent' })
  })

  test.each<[Refusal, object]>([
    [
      { code: 550, text: '5.1.1 unknown' },
      { kind: 'refused', reason: 'This address does not exist.' },
    ],
    [
      { code: 550, text: 'unknown' },
      { kind: 'refused', reason: expect.stringContaining('does not take letters') },
    ],
    [
      { code: 552, text: '5.2.2 over quota' },
      { kind: 'refused', reason: 'The mailbox is full.' },
    ],
    [
      { code: 452, text: '4.2.2 over quota' },
      { kind: 'again', reason: 'The mailbox is full.' },
    ],
    [
      { code: 552, text: '5.3.4 too big' },
      { kind: 'refused', tooLarge: true, reason: expect.stringContaining('too large') },
    ],
    [
      { code: 554, text: '5.7.1 blocked, see http://x.example' },
      { kind: 'refused', reason: expect.stringContaining('does not want') },
    ],
    [
      { code: 556, text: '5.1.10 null MX' },
      { kind: 'refused', reason: 'This domain takes no mail.' },
    ],
    [
      { code: 450, text: '4.7.1 greylisted' },
      { kind: 'again', reason: expect.stringContaining('does not want') },
    ],
    [
      { code: 451, text: 'odd' },
      { kind: 'again', reason: 'The mail server asks to try again later.' },
    ],
    [{ code: 530, text: '5.7.0 sign in first' }, { kind: 'again' }],
  ])('that says %o gives the owner a sentence', async (refusal, outcome) => {
    const server = await startMailServer(onTestFinished)
    server.rules.letter = () => refusal
    const sent = await mailTo(server.port).send(letterTo('ann@guest.test'))
    expect(sent).toMatchObject(outcome)
  })
})
