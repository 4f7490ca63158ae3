import { describe, expect, test } from 'vitest'
import { contentDisposition, isAppleDevice, isMobileDevice, isNavigation, isPreviewProgram } from './headers.ts'

describe('content disposition', () => {
  test.each([
    'photo.jpg',
    'Foto’s – mariée №1.jpg',
    '"quoted".jpg',
    'semi;colon.jpg',
    '%0d%0aX: y.jpg',
    "a(b)*c'd.jpg",
    '👩‍🚀.png',
    'ｆｕｌｌｗｉｄｔｈ.jpg',
    '~',
  ])('%j becomes one header that a browser can decode', (filename) => {
    const header = contentDisposition('attachment', filename)
    expect(header).toMatch(/^attachment; filename="[\x20-\x7e]*"(; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/)
    const [, encoded] = /filename\*=UTF-8''(.+)$/.exec(header) ?? []
    const [, ascii] = /filename="([^"]*)"/.exec(header) ?? []
    expect(encoded === undefined ? ascii : decodeURIComponent(encoded)).toBe(filename)
  })

  test('line breaks and lone surrogates do not reach the header', () => {
    expect(contentDisposition('inline', 'a\r\nSet-Cookie: x=1\ud800.jpg')).toMatch(
      /^inline; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.%-]+$/,
    )
  })
})

describe('user agent', () => {
  const iPhone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1'
  const iPad =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Safari/605.1.15'
  const macChrome =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  const android =
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

  test.each([
    [iPhone, true],
    [iPhone.replace('Version/18.2', 'CriOS/140.0'), true],
    [iPad, true],
    [macChrome, false],
    [android, false],
    ['', false],
  ])('%s is from an Apple device: %s', (agent, apple) => expect(isAppleDevice({ 'user-agent': agent })).toBe(apple))

  test.each([
    [iPhone, true],
    [android, true],
    [macChrome, false],
    [undefined, false],
  ])('%s is from a mobile device: %s', (agent, mobile) =>
    expect(isMobileDevice({ ...(agent !== undefined && { 'user-agent': agent }) })).toBe(mobile),
  )

  test.each([
    ['WhatsApp/2.24.20.89 A', true],
    ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', true],
    // A preview in Messages.
    [`${iPad} facebookexternalhit/1.1 Facebot Twitterbot/1.0`, true],
    ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', true],
    ['TelegramBot (like TwitterBot)', true],
    ['Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)', true],
    ['LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)', true],
    ['Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com', true],
    [
      `${android.replace('; Pixel 9', '; Nexus 5X')} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
      true,
    ],
    ['Mozilla/5.0 (compatible; YandexBot/3.0)', true],
    ['Synapse (bot; +https://github.com/matrix-org/synapse)', true],
    ['http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.social/) Bot', true],
    ['Barracuda Sentinel (EE)', true],
    [iPhone, false],
    [android, false],
    ['Mozilla/5.0 (Linux; Android 12; CUBOT X30) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', false],
    // Browsers inside of apps.
    [`${android} [FB_IAB/FB4A;FBAV/490.0]`, false],
    [`${android} Instagram 361.0 Android`, false],
    [`${iPhone} LinkedInApp/9.30`, false],
    [`${iPhone} [Pinterest/iOS]`, false],
    ['curl/8.5.0', false],
    [undefined, false],
  ])('%s is a program that draws previews: %s', (agent, isPreview) =>
    expect(isPreviewProgram({ ...(agent !== undefined && { 'user-agent': agent }) })).toBe(isPreview),
  )

  test('a very long User-Agent is handled quickly', () => {
    const before = process.cpuUsage()
    expect(isAppleDevice({ 'user-agent': `${'Macintosh '.repeat(700)}Version/${'1'.repeat(9000)}` })).toBe(false)
    const { user, system } = process.cpuUsage(before)
    expect(user + system, 'CPU time in microseconds').toBeLessThan(1_000_000)
  })

  test.each([
    [{ 'sec-fetch-dest': 'document' }, true],
    [{ 'sec-fetch-dest': 'image', accept: 'text/html' }, false],
    [{ accept: 'text/html,*/*' }, true],
    [{ accept: '*/*' }, false],
    [{}, false],
  ])('%j is a navigation: %s', (headers, expected) => expect(isNavigation(headers)).toBe(expected))
})
