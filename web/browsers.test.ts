import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appBrowsers } from './browsers.ts'
import { noScript } from './messages/en/no-script.ts'

const assets = join(import.meta.dirname, 'dist/assets')
const built = [
  ...readFileSync(join(assets, '../.keepsnap-assets'), 'utf8')
    .split('\n')
    .filter((name) => name.endsWith('.css'))
    .map((name) => join(assets, name)),
  // The style sheet of guest pages is inside.
  join(import.meta.dirname, 'dist-guest/guest.js'),
].map((file) => readFileSync(file, 'utf8'))

test('built style sheets have no ranges in media queries, and vh before each dvh', () => {
  expect(built.length).toBeGreaterThan(20)
  for (const styles of built) {
    expect(styles.match(/@media[^{"`]*[<>]=?[^{"`]*\{/g) ?? []).toEqual([])
    const outsideSupports = styles.replaceAll(/@supports ?\(height:1dvh\)\{[^{}]*\{[^{}]*\}/g, '')
    for (const [block] of outsideSupports.matchAll(/\{[^{}]*\ddvh[^{}]*\}/g))
      for (const [, declaration = ''] of block.matchAll(/[{;]([^{};]*\ddvh[^{};]*)/g)) {
        const fallback = block.indexOf(declaration.replaceAll('dvh', 'vh'))
        expect([declaration, fallback > 0 && fallback < block.indexOf(declaration)]).toEqual([declaration, true])
      }
  }
})

test('the message for older browsers names those that the app is built for', () => {
  for (const browser of appBrowsers)
    expect(noScript.unsupported).toContain(
      browser.replace(/^(.)([a-z]+)/, (_, first, rest) => `${String(first).toUpperCase()}${rest} `),
    )
})
