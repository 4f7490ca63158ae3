import { expect, test } from 'vitest'
import { ConfigError, readConfig, type Env } from '../../config.ts'
import { isSampleOperator, isSampleSupportEmail } from './mail-settings.ts'

const readSettings = (env: Env) => readConfig(env, { lanAddress: '192.168.1.20', cwd: '/srv/keepsnap' })

test.each([
  [{ SMTP_URL: 'mail.example.com' }, 'SMTP_URL is not an smtp:// or smtps:// URL; give'],
  [{ SMTP_URL: 'http://mail.example.com' }, 'SMTP_URL is not an smtp://'],
  [{ SMTP_URL: 'smtp://mail.example.com:99999' }, 'SMTP_URL is not an smtp://'],
  [{ SMTP_URL: 'smtp://mail.example.com/path' }, 'SMTP_URL is not an smtp://'],
  [{ SMTP_URL: 'smtp://u:%zz@mail.example.com' }, 'SMTP_URL is not an smtp://'],
  [{ SMTP_URL: 'smtp://user@mail.example.com' }, 'SMTP_URL has a user without a password'],
  [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM must be set when SMTP_URL is'],
  [{ MAIL_FROM: 'a@b.example, c@d.example' }, 'MAIL_FROM is "a@b.example, c@d.example"; give one address'],
  [{ MAIL_FROM: 'Keepsnap <a@b.example> c' }, 'MAIL_FROM is'],
  [{ MAIL_FROM: 'K\r\nBcc: x@y.example <a@b.example>' }, 'MAIL_FROM is'],
  [{ SUPPORT_EMAIL: 'nobody' }, 'SUPPORT_EMAIL is "nobody"; give one email address'],
  [{ OPERATOR_EMAIL: 'a b@c.example' }, 'OPERATOR_EMAIL is'],
  [{ OPERATOR_TEAM: 'Ann Peeters' }, 'OPERATOR_TEAM is "Ann Peeters"; give up to 20 roles with names'],
  [{ OPERATOR_TEAM: 'Support: ' }, 'OPERATOR_TEAM is'],
  [{ OPERATOR_TEAM: ';' }, 'OPERATOR_TEAM is'],
  [{ OPERATOR_TEAM: `Support: ${'a'.repeat(101)}` }, 'OPERATOR_TEAM is'],
  [{ OPERATOR_TEAM: 'Support: A; '.repeat(21) }, 'OPERATOR_TEAM is'],
])('%o is refused with a message that names the variable and the fix', (env, line) => {
  expect(() => readSettings(env)).toThrow(ConfigError)
  expect(() => readSettings(env)).toThrow(line)
})

test('an invalid SMTP_URL is not repeated, because it may contain a password', () => {
  expect(() => readSettings({ SMTP_URL: 'smtp://user:hunter2@mail.example.com/x' })).toThrow(/^((?!hunter2)[\s\S])*$/)
})

test.each([
  ['smtp://mail.example.com', { host: 'mail.example.com', port: 25, secure: false, user: undefined }],
  ['smtps://mail.example.com', { port: 465, secure: true }],
  [
    'smtp://a%40b.example:p%3Aw@10.0.0.1:587/',
    { host: '10.0.0.1', port: 587, user: 'a@b.example', secretPassword: 'p:w' },
  ],
  ['smtp://[::1]:2525', { host: '::1', port: 2525 }],
])('parses the mail server %s', (SMTP_URL, mail) => {
  expect(readSettings({ SMTP_URL, PUBLIC_URL: 'https://photos.example.com' }).mail).toMatchObject({
    kind: 'smtp',
    ...mail,
  })
})

test.each([
  [{ MAIL_FROM: 'photos@example.com' }, { name: 'Keepsnap', address: 'photos@example.com' }],
  [{ MAIL_FROM: 'The Booth <hi@example.com>' }, { name: 'The Booth', address: 'hi@example.com' }],
  [{ MAIL_FROM: '"Booth, The" <hi@bücher.example>' }, { name: 'Booth, The', address: 'hi@xn--bcher-kva.example' }],
  [{ PUBLIC_URL: 'https://photos.example.com' }, { name: 'Keepsnap', address: 'photos@photos.example.com' }],
  [{}, { name: 'Keepsnap', address: 'photos@keepsnap.invalid' }],
])('%o sets the sender of emails', (env, sender) => {
  expect(readSettings(env).mailFrom).toEqual(sender)
})

test('an operator is a sample until each of its settings is given; support falls back to the operator', () => {
  const settings = {
    OPERATOR_NAME: 'Foto BV',
    OPERATOR_ADDRESS: 'Kouter 1, 9000 Gent',
    OPERATOR_VAT: 'BE 0123.456.749',
    OPERATOR_EMAIL: 'info@foto.example',
  }
  expect(isSampleOperator(readSettings(settings))).toBe(false)
  for (const name of Object.keys(settings))
    expect([name, isSampleOperator(readSettings({ ...settings, [name]: undefined }))]).toEqual([name, true])
  expect(readSettings(settings).supportEmail).toBe('info@foto.example')
  expect(readSettings({ ...settings, SUPPORT_EMAIL: 'help@foto.example' }).supportEmail).toBe('help@foto.example')
  expect([isSampleSupportEmail(readSettings({})), isSampleSupportEmail(readSettings(settings))]).toEqual([true, false])
})

test('the team is a list of roles and names', () => {
  expect(readSettings({}).team).toEqual([])
  expect(readSettings({ OPERATOR_TEAM: 'Support: Ann Peeters ; Fotografie: Bert: Claes;' }).team).toEqual([
    { role: 'Support', name: 'Ann Peeters' },
    { role: 'Fotografie', name: 'Bert: Claes' },
  ])
})
