import { commonStems } from '@keepsnap/contract/common-passwords.ts'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/**
 * Words in order as one text: of each, how many characters it has in common with the one before, as a letter from A on, and the
 * rest. The words contain no capitals.
 */
export function packWords(words: readonly string[]): string {
  let before = ''
  return words
    .map((word) => {
      let common = 0
      while (common < 25 && common < word.length && word[common] === before[common]) common += 1
      before = word
      return String.fromCodePoint(65 + common) + word.slice(common)
    })
    .join('')
}

/** The source of a module that unpacks them. */
export const unpackingModule = (packed: string): string =>
  `let before = ''
export default ${JSON.stringify(packed)}.match(/[A-Z][^A-Z]*/g).map((part) => (before = before.slice(0, part.charCodeAt(0) - 65) + part.slice(1)))`

/** Replaces the list of common passwords, 487 KB, by the part of it that is compared with: 30 KB with brotli. */
export const packCommonPasswords = (): Plugin => ({
  name: 'pack-common-passwords',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('@zxcvbn-ts/language-common/src/passwords.json')) return null
    const stems = commonStems(JSON.parse(readFileSync(id, 'utf8')) as string[]) // a list of texts
    return { code: unpackingModule(packWords([...stems].toSorted())), moduleType: 'js' }
  },
})
