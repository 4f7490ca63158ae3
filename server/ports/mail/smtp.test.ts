import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type Reaction,
  selfSigned,
  startMailServer,
  startScriptedSmtpServer,
  type Verb,
  verbs,
} from '../../test/smtp-server.ts'
import { emailTo, testMailPort } from '../../test/mail-port.ts'
import { promisedMs } from '../../test/statistics.ts'
import { classifyFailure, receiverAsksToWait, type SmtpError, smtpMail, type SmtpOptions } from './smtp.ts'
import { type Mail, messageIdOf } from './mail.ts'

describe('smtp failures', () => {
  const reply = (response: string): SmtpError => ({
    code: 'EMESSAGE',
    response,
    responseCode: Number(response.slice(0, 3)),
  })

  describe('a reply about an email', () => {
    test.each([
      ['550 5.1.1 User unknown', 'This address does not exist.', false],
      ['552 5.2.2 Over quota', 'The mailbox is full.', true],
      ['552 5.3.4 Message too big', 'The email is too large for this mailbox.', true],
      ['554 5.7.1 Rejected as spam', 'The receiving server rejected the message.', false],
      ['550 unknown', 'The receiving server does not accept email for this address.', false],
      ['556 5.1.10 null MX', 'This domain does not accept email.', false],
      ['551 moved', 'This address has moved.', false],
      ['599 unknown', 'The receiving server rejected the message.', false],
    ])('%s refuses it for good: %s', (response, reason, tooLarge) => {
      expect(classifyFailure(reply(response), true)).toEqual({ kind: 'refused', reason, tooLarge })
    })

    test.each([
      ['450 4.2.0 <ann@guest.test>: Recipient address rejected: Greylisted', receiverAsksToWait],
      ['451 4.7.1 Greylisting in action', receiverAsksToWait],
      ['450 Greylisted', receiverAsksToWait],
      ['421 4.7.28 Too many emails from this address', receiverAsksToWait],
      ['450 busy', 'The mailbox is busy.'],
      ['452 4.2.2 over quota', 'The mailbox is full.'],
      ['499 unknown', 'The mail server asks to try again later.'],
      ['530 login first', 'The mail server requires authentication.'],
      ['503 bad order of commands', 'The receiving server rejected the message.'],
    ])('%s causes a retry: %s', (response, reason) => {
      expect(classifyFailure(reply(response), true)).toEqual({ kind: 'retry', unreachable: false, reason })
    })
  })

  test('a failure before the server has seen the email means that the server is unreachable', () => {
    const unreachable = { kind: 'retry', unreachable: true }
    expect(classifyFailure({ code: 'EDNS' }, false)).toEqual({
      ...unreachable,
      reason: 'The mail server could not be found.',
    })
    expect(classifyFailure({ code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, false)).toEqual({
      ...unreachable,
      reason: 'The mail server could not be reached.',
    })
    expect(classifyFailure(reply('550 5.7.1 go away'), false)).toMatchObject(unreachable)
  })

  test.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The certificate of the mail server is not trusted.'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'The certificate of the mail server is not trusted.'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'The certificate of the mail server is not trusted.'],
    ['CERT_HAS_EXPIRED', 'The certificate of the mail server has expired.'],
    ['CERT_NOT_YET_VALID', 'The certificate of the mail server is not valid yet.'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'The certificate of the mail server is for another host name.'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'Could not establish a secure connection to the mail server.'],
  ])('%s is named as the cause: %s', (originalCode, reason) => {
    const error = { code: 'ESOCKET', originalCode, message: 'about mx.test' }
    expect(classifyFailure(error, false)).toEqual({ kind: 'retry', unreachable: true, reason, detail: 'about mx.test' })
  })

  test('a connection that breaks during the email causes a retry of this email only', () => {
    expect(classifyFailure({ code: 'ECONNECTION' }, true)).toEqual({
      kind: 'retry',
      unreachable: false,
      reason: 'The connection to the mail server was lost.',
    })
  })

  test('an error that neither the server nor the connection caused is not classified', () => {
    expect(classifyFailure({ code: 'ESTREAM' }, true)).toBeUndefined()
    expect(classifyFailure({}, false)).toBeUndefined()
  })
})

describe('smtp', () => {
  /** For servers that are slow only because the machine is. */
  const timeouts = { connect: 60_000, greeting: 60_000, silence: 60_000, email: 90_000 }

  const local = { host: '127.0.0.1', secure: false, user: undefined, secretPassword: undefined }

  function mailTo(port: number, more: Partial<SmtpOptions> = {}): Mail {
    const mail = smtpMail({ ...local, port, timeouts, name: 'photos.test', ...more })
    onTestFinished(() => mail.close())
    return mail
  }
  const onScript = async (script: Partial<Record<Verb, Reaction>>, more: Partial<SmtpOptions> = {}) => {
    const server = await startScriptedSmtpServer(onTestFinished, script)
    return { server, mail: mailTo(server.port, more) }
  }
  /** Before the server has seen anything of the email. */
  const early = new Set<Verb>(['GREETING', 'EHLO'])

  const cleanups: (() => void | Promise<void>)[] = []
  afterAll(async () => {
    for (const clean of cleanups.toReversed()) await clean()
  })

  describe('the mail port', () => {
    testMailPort(async () => {
      const server = await startMailServer((work) => void cleanups.push(work))
      const { port } = server
      const mail = smtpMail({ ...local, port, name: 'photos.test' })
      cleanups.push(() => mail.close())
      return {
        mail,
        bytesOf: async (message) =>
          server.received.findLast(({ bytes }) => bytes.includes(messageIdOf(message)))?.bytes ?? null,
      }
    })
  })

  test('a server that stops answering, at any step, causes a retry within the timeout', async () => {
    const began = performance.now()
    const sendAt = async (verb: Verb) => {
      // Only the timeout that must pass is short, yet long enough for the answers before: the one for the greeting ends before
      // that for silence.
      const short = verb === 'GREETING' ? { greeting: 400 } : { silence: 1_500 }
      const { mail } = await onScript({ [verb]: 'hang' }, { timeouts: { ...timeouts, ...short } })
      return [verb, await mail.send(emailTo('ann@guest.test'))]
    }
    expect(await Promise.all(verbs.map(sendAt))).toMatchObject(
      verbs.map((verb) => [
        verb,
        { kind: 'retry', unreachable: early.has(verb), reason: 'The mail server did not answer in time.' },
      ]),
    )
    expect(performance.now() - began).toBeLessThan(promisedMs(8_000))
  })

  test.each(verbs)(
    'at %s, a connection that breaks and the replies 451 and 421 cause a retry, 550 refuses the email after MAIL',
    async (verb) => {
      const retry = { kind: 'retry', unreachable: early.has(verb) }
      for (const [reaction, outcome] of [
        ['drop', retry],
        ['451 4.3.2 not now', retry],
        ['421 4.3.2 closing', retry],
        ['550 5.7.1 no', early.has(verb) ? retry : { kind: 'refused' }],
      ] as const) {
        const { mail } = await onScript({ [verb]: reaction })
        expect([reaction, await mail.send(emailTo('ann@guest.test'))]).toMatchObject([reaction, outcome])
      }
    },
  )

  describe('a mail server', () => {
    test('that is not running is reported as unreachable', async () => {
      const { port, stop } = await startMailServer(onTestFinished)
      await stop()
      const mail = mailTo(port)
      expect(await mail.send(emailTo('ann@guest.test'))).toEqual({
        kind: 'retry',
        unreachable: true,
        reason: 'The mail server could not be reached.',
      })
      expect(await mail.check()).toBe(false)
      await startMailServer(onTestFinished, { port })
      expect(await mail.check()).toBe(true)
      expect(await mail.send(emailTo('ann@guest.test'))).toEqual({ kind: 'sent' })
    })

    test('whose host name does not exist is reported as such', async () => {
      expect(await mailTo(25, { host: 'no-such-host.invalid' }).send(emailTo('ann@guest.test'))).toEqual({
        kind: 'retry',
        unreachable: true,
        reason: 'The mail server could not be found.',
      })
    })

    test('that offers STARTTLS receives emails over TLS', async () => {
      const server = await startMailServer(onTestFinished, { tls: true })
      await mailTo(server.port).send(emailTo('ann@guest.test'))
      expect(server.received).toMatchObject([{ secure: true }])
    })

    test('whose certificate is not accepted gets no email, and the cause is named', async () => {
      const [expired, untrusted] = [
        await startMailServer(onTestFinished, { tls: true }),
        await startMailServer(onTestFinished, { tls: selfSigned }),
      ]
      const host = '::ffff:127.0.0.1'
      const sendTo = (port: number, more: Partial<SmtpOptions> = {}) =>
        mailTo(port, { host, ...more }).send(emailTo('ann@guest.test'))
      const refused = (problem: string) => ({
        kind: 'retry',
        unreachable: true,
        reason: `The certificate of the mail server ${problem}.`,
        detail: expect.any(String),
      })
      expect(await sendTo(expired.port)).toEqual(refused('has expired'))
      expect(await sendTo(untrusted.port)).toEqual(refused('is not trusted'))
      expect(untrusted.received).toEqual([])
      expect(await sendTo(untrusted.port, { certificates: [selfSigned.cert] })).toEqual({ kind: 'sent' })
      expect(untrusted.received).toMatchObject([{ secure: true }])
    })

    test('that requires authentication gets user and password', async () => {
      const user = { name: 'booth', password: 'p:@ss wörd' }
      const server = await startMailServer(onTestFinished, { tls: true, user })
      const mail = mailTo(server.port, { user: user.name, secretPassword: user.password })
      expect(await mail.check()).toBe(true)
      expect(await mail.send(emailTo('ann@guest.test'))).toEqual({ kind: 'sent' })
      expect(server.received).toMatchObject([{ user: 'booth', secure: true }])
    })

    test('that refuses the password causes a retry', async () => {
      const server = await startMailServer(onTestFinished, { user: { name: 'booth', password: 'right' } })
      const mail = mailTo(server.port, { user: 'booth', secretPassword: 'wrong' })
      expect(await mail.send(emailTo('ann@guest.test'))).toEqual({
        kind: 'retry',
        unreachable: true,
        reason: 'The mail server rejected our login.',
      })
      expect(await mail.check()).toBe(false)
    })

    test('gets no password without TLS unless it is on this machine', async () => {
      const server = await startMailServer(onTestFinished, { user: { name: 'booth', password: 'right' } })
      // Loopback under a name that does not look like it.
      const mail = mailTo(server.port, { host: '::ffff:127.0.0.1', user: 'booth', secretPassword: 'right' })
      expect(await mail.send(emailTo('ann@guest.test'))).toMatchObject({ kind: 'retry', unreachable: true })
      expect(server.received).toEqual([])
    })

    test('receives many emails over at most five connections', async () => {
      const server = await startMailServer(onTestFinished)
      const mail = mailTo(server.port)
      const emails = Array.from({ length: 60 }, (_, at) => emailTo(`guest${at}@guest.test`))
      expect(new Set((await Promise.all(emails.map(mail.send))).map(({ kind }) => kind))).toEqual(new Set(['sent']))
      expect(new Set(server.received.flatMap(({ to }) => to)).size).toBe(60)
      expect(server.connections()).toBeLessThanOrEqual(5)
    })

    test('that refuses one recipient still receives the next email', async () => {
      const server = await startMailServer(onTestFinished)
      server.rules.recipient = (address) =>
        address.startsWith('nobody') ? { code: 550, text: '5.1.1 no such user at mx7.inside.example' } : undefined
      const mail = mailTo(server.port)
      expect(await mail.send(emailTo('nobody@guest.test'))).toEqual({
        kind: 'refused',
        reason: 'This address does not exist.',
        tooLarge: false,
      })
      expect(await mail.send(emailTo('ann@guest.test'))).toEqual({ kind: 'sent' })
    })
  })
})
