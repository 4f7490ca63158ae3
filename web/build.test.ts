import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import passwords from '@zxcvbn-ts/language-common/src/passwords.json'
import sharp from 'sharp'
import { brokenRules, commonStems, isCommonPassword } from '@keepsnap/contract/form-rules.ts'
import { appBrowsers, packWords, unpackingModule } from './build.ts'
import { noScript } from './messages/en/frame.ts'
import { samplePictures } from './pictures/samples.ts'

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

describe('style sheets', () => {
  const web = import.meta.dirname

  /** Rules with `:hover` outside of `@media (hover: hover)`; `:not(:hover)` hides what nobody points at. */
  function hoverRulesForAll(css: string): string[] {
    const found: string[] = []
    const open: string[] = []
    for (const [, before = '', brace] of css.replaceAll(/\/\*[^]*?\*\//g, '').matchAll(/([^{}]*)([{}])/g)) {
      if (brace === '}') open.pop()
      else {
        const rule = before.slice(before.lastIndexOf(';') + 1).trim()
        const isForAll = !open.some((outer) => outer.includes('(hover: hover)'))
        if (isForAll && rule.replaceAll(/:not\([^)]*:hover/g, '').includes(':hover')) found.push(rule)
        open.push(rule)
      }
    }
    return found
  }

  test('styles of hovering are only where a pointer hovers: a finger would leave them behind', () => {
    expect(hoverRulesForAll('a:hover { b: c } @media (hover: hover) { a:hover { b: c } }')).toEqual(['a:hover'])
    const files = globSync('{features,guest,styles,ui}/**/*.css', { cwd: web })
    expect(files.length).toBeGreaterThan(20)
    expect(files.flatMap((file) => hoverRulesForAll(readFileSync(join(web, file), 'utf8')))).toEqual([])
  })
})

describe('sample pictures', () => {
  test.each(Object.entries(samplePictures))('%s has the size that its page reserves for it', async (_, sample) => {
    const sizeOf = async (path: string) => sharp(join(import.meta.dirname, path)).metadata()
    const [full, thumbnail] = await Promise.all([sizeOf(sample.full), sizeOf(sample.thumbnail)])
    expect({ width: full.width, height: full.height }).toEqual({ width: sample.width, height: sample.height })
    expect(thumbnail.width / thumbnail.height).toBeCloseTo(sample.width / sample.height, 1)
  })
})
