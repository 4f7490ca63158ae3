import { brotliCompressSync } from 'node:zlib'
import { commonStems, isCommonPassword } from '@keepsnap/contract/common-passwords.ts'
import { brokenRules } from '@keepsnap/contract/passwords.ts'
import passwords from '@zxcvbn-ts/language-common/src/passwords.json'
import { expect, test } from 'vitest'
import { packWords, unpackingModule } from './common-passwords-plugin.ts'

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
