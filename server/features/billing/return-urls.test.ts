import { expect, test } from 'vitest'
import { invalidField } from '../../faults.ts'
import { createOrigins } from '../../http/origins.ts'
import { readReturnUrl, withCheckoutId } from './return-urls.ts'

const origins = createOrigins('https://photos.example', ['https://app.example:8443'], () => 3000)

test.each([
  'https://photos.example/',
  'https://photos.example/subscription/success',
  'https://photos.example/subscription/success?session_id={CHECKOUT_SESSION_ID}',
  'https://photos.example/subscription/cancel?from=pricing#plans',
  'https://app.example:8443/pricing',
  'http://localhost:3000/settings',
])('%s is a page of ours', (url) => {
  expect(readReturnUrl('success_url', url, origins)).toBe(url)
})

const host = 'https://photos.example'
/** No full URLs, other schemes, other origins, user information, and paths that are no page or could be read as another. */
const withoutSpaces = String.raw`
  /subscription/success subscription/success //photos.example/pricing ///photos.example/pricing ?session_id=x
  javascript:alert(1) javascript://photos.example/pricing data:text/html,https://photos.example/pricing
  ftp://photos.example/pricing file:///pricing blob:https://photos.example/pricing https:photos.example/pricing
  https:/photos.example/pricing https:\\photos.example\pricing http://photos.example/pricing
  https://photos.example:444/pricing https://photos.example:443/pricing https://photos.example./pricing
  https://PHOTOS.example/pricing HTTPS://photos.example/pricing https://evil.example/pricing https://[::1]/pricing
  https://photos.example.evil.example/pricing https://evilphotos.example/pricing https://phοtos.example/pricing
  https://xn--phtos-jua.example/pricing https://photos。example/pricing https://app.example/pricing
  http://localhost:3001/pricing http://2130706433:3000/pricing https://photos.example@evil.example/pricing
  https://user:password@photos.example/pricing https://@photos.example/pricing https://evil.example#@photos.example/pricing
  https://evil.example?@photos.example/pricing https://evil.example\@photos.example/pricing https://photos.example
  https://photos.example//evil.example https://photos.example/\evil.example https://photos.example/%2f%2fevil.example
  https://photos.example/%09/evil.example https://photos.example/pricing/ https://photos.example/pricing/..
  https://photos.example/x/../pricing https://photos.example/%70ricing https://photos.example/pricing;x
  https://photos.example/stop/secret https://photos.example/media/key https://photos.example/Pricing`
const hostile = [
  ...withoutSpaces.trim().split(/\s+/),
  // Control characters and spaces, which parsers remove.
  ...['/pricing\n', '/\tpricing', '/pricing?x=\r\nSet-Cookie:a', '/pricing\u0000'].map((path) => host + path),
  '',
  ' ',
  ` ${host}/pricing`,
  'java\nscript:alert(1)',
]

test.each(hostile)('%j is refused, with the name of the field', (url) => {
  const refusal = invalidField('cancel_url', 'Give the full URL of a page of this site')
  expect(() => readReturnUrl('cancel_url', url, origins)).toThrow(expect.objectContaining({ detail: refusal.detail }))
})

test('the placeholder for the checkout id is added if it is missing', () => {
  const id = 'session_id={CHECKOUT_SESSION_ID}'
  expect(withCheckoutId('https://a.example/x')).toBe(`https://a.example/x?${id}`)
  expect(withCheckoutId('https://a.example/x?y=1#z')).toBe(`https://a.example/x?y=1&${id}#z`)
  expect(withCheckoutId(`https://a.example/x?id={CHECKOUT_SESSION_ID}`)).toBe(
    'https://a.example/x?id={CHECKOUT_SESSION_ID}',
  )
})
