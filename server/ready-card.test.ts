import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { readyCard, warningsOf } from './ready-card.ts'

const configFor = (env: Record<string, string>) => readConfig(env, { lanAddress: '192.168.1.20', cwd: '/srv' })
const cardFor = (env: Record<string, string>): string =>
  readyCard({ config: configFor(env), port: 3000, isolation: undefined, startedInMs: 1200 })
const noMail = 'Mail is not set up, so guests cannot ask for photos by e-mail. Set SMTP_URL and MAIL_FROM.'

test('in a venue’s own network letters become files, and the card says where', () => {
  expect(warningsOf(configFor({}))).not.toContain(noMail)
  expect(cardFor({})).toContain('files in /srv/data/outbox')
})

test('on the internet without a mail server the card says that mail is not set up', () => {
  const env = { PUBLIC_URL: 'https://photos.example.com' }
  expect(warningsOf(configFor(env))).toEqual([noMail])
  expect(cardFor(env)).toMatch(/Mail +not set up\n/)
})

test('with a mail server the card names it, without the sign-in', () => {
  const env = { PUBLIC_URL: 'https://photos.example.com', SMTP_URL: 'smtp://ann:secret@mail.example.com:587' }
  expect(warningsOf(configFor(env))).toEqual([])
  expect(cardFor(env)).toContain('through mail.example.com, port 587, from photos@photos.example.com')
  expect(cardFor(env)).not.toContain('secret')
})
