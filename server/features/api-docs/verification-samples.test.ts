import { stripTypeScriptTypes } from 'node:module'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { verificationSamples } from './verification-samples.ts'

type Check = (headers: Headers, body: string, secret: string) => boolean

const secretOf = (character: string): string => `whsec_${Buffer.from(character.repeat(32)).toString('base64')}`
const [secret, previousSecret] = [secretOf('n'), secretOf('p')]
const [id, body] = ['msg_1', '{"type":"photo.ready"}']

/** The headers of an event that was sent some seconds ago, as the reference library signs it. */
function signed(secrets: string[], secondsAgo = 0): Headers {
  const sentAt = new Date(Date.now() - secondsAgo * 1000)
  return new Headers({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign(id, sentAt, body)).join(' '),
  })
}

test('the TypeScript sample accepts genuine events, also by the previous secret, and refuses all others', async () => {
  const source = verificationSamples.find(({ lang }) => lang === 'TypeScript')?.source ?? ''
  const url = `data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(source))}`
  const { isGenuine } = (await import(url)) as { isGenuine: Check } // the export of the sample
  expect(isGenuine(signed([secret]), body, secret)).toBe(true)
  expect(isGenuine(signed([previousSecret, secret]), body, secret)).toBe(true)
  expect(isGenuine(signed([secret]), `${body} `, secret)).toBe(false)
  expect(isGenuine(signed([previousSecret]), body, secret)).toBe(false)
  expect(isGenuine(signed([secret], 600), body, secret)).toBe(false)
  expect(isGenuine(new Headers(), body, secret)).toBe(false)
})
