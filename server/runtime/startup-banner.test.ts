import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { startupBanner, startupWarnings } from './startup-banner.ts'

const configFor = (env: Record<string, string>) => readConfig(env, { lanAddress: '192.168.1.20', cwd: '/srv' })
const bannerFor = (env: Record<string, string>): string =>
  startupBanner({ config: configFor(env), port: 3000, isolation: undefined, startedInMs: 1200 })
const noMail = "Email isn't set up, so guests can't request photos. Set SMTP_URL and MAIL_FROM."

test('in a private network without a mail server, the banner names the outbox folder', () => {
  expect(startupWarnings(configFor({}))).not.toContain(noMail)
  expect(bannerFor({})).toContain('files in /srv/data/outbox')
})

test('on the internet without a mail server, the banner warns that email is not set up', () => {
  const env = { PUBLIC_URL: 'https://photos.example.com' }
  expect(startupWarnings(configFor(env))).toEqual([noMail])
  expect(bannerFor(env)).toMatch(/Mail +not set up\n/)
})

test('the banner names the mail server without its credentials', () => {
  const env = { PUBLIC_URL: 'https://photos.example.com', SMTP_URL: 'smtp://ann:secret@mail.example.com:587' }
  expect(startupWarnings(configFor(env))).toEqual([])
  expect(bannerFor(env)).toContain('through mail.example.com, port 587, from photos@photos.example.com')
  expect(bannerFor(env)).not.toContain('secret')
})
