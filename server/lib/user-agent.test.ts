import { expect, test } from 'vitest'
import { isAppleDevice, isMobileDevice, isNavigation } from './user-agent.ts'

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
