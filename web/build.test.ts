import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import passwords from '@zxcvbn-ts/language-common/src/passwords.json'
import { brokenRules, commonStems, isCommonPassword } from '@keepsnap/contract/form-rules.ts'
import { appBrowsers, packWords, unpackingModule } from './build.ts'
import { noScript } from './messages/en/frame.ts'

describe('browsers', () => {
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
})

describe('common passwords plugin', () => {
  const stems = commonStems(passwords)
  const isCommon = (password: string): boolean => isCommonPassword(password, stems)

  test('the list of common passwords is the same after it was packed, in under 32 KB', async () => {
    const source = unpackingModule(packWords([...stems].toSorted()))
    const { default: unpacked } = (await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`
    )) as {
      default: string[]
    }
    expect(commonStems(unpacked)).toEqual(new Set([...stems].toSorted()))
    expect(brotliCompressSync(source).length).toBeLessThan(32 * 1024)
  })

  test.each(['Password123!', 'Qwerty12!', 'Welcome2024!', 'iLoveYou1!', 'Abc12345!', 'Dragon#1'])(
    '%s is common, whatever its case and its signs and digits at the end',
    (password) => expect(isCommon(password)).toBe(true),
  )

  test.each(['Correct.Horse.9', 'Tq8!mWz2Rk', 'Brand!new1', 'Ænigma.Trein.42', '12345678', ''])(
    '%s is not common',
    (password) => expect(isCommon(password)).toBe(false),
  )

  test('of the most common passwords themselves none meets the rules', () => {
    expect(passwords.slice(0, 20_000).filter((password) => brokenRules(password).length === 0)).toEqual([])
  })
})
