import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogueIn } from './catalogues.ts'

const root = join(import.meta.dirname, '../..')
const sourcesIn = (folder: string): { path: string; text: string }[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test|\.d)\.ts$/.test(path) && !/(^|\/)(test|node_modules)\//.test(path))
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(join(root, folder, path), 'utf8') }))
const sources = [...sourcesIn('server'), ...sourcesIn('contract')]

/** The sentence of a literal in the source, with `{}` for each value. */
const sentenceOf = (literal: string): string =>
  literal
    .slice(1, -1)
    .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '{}')
    .replace(/\\(['"`])/g, '$1')
const literal = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/.source
const translated = (['nl', 'fr', 'de'] as const).map((language) => ({ language, ...catalogueIn(language).refusals }))
const sentences = Object.keys(translated[0]!.sentences)

describe('the translations of the server’s sentences', () => {
  test.each(translated)('in $language are of the same sentences, with values that exist', ({ sentences: own }) => {
    expect(Object.keys(own)).toEqual(sentences)
    for (const [sentence, translation] of Object.entries(own)) {
      const values = sentence.split('{}').length - 1
      const used = [...translation.matchAll(/\{(\d)\}/g)].map(([, at]) => Number(at))
      expect([sentence, used.filter((at) => at >= values), translation.includes('{}')]).toEqual([sentence, [], false])
    }
  })

  test('are of sentences that the server still says', () => {
    const text = sources
      .flatMap(({ text: source }) => source.match(new RegExp(literal, 'g')) ?? [])
      .map(sentenceOf)
      .join('\n')
    // Some sentences end with a value, and some consist of several literals.
    const isSaid = (sentence: string): boolean => sentence.split('{}').every((part) => text.includes(part.trim()))
    const madeOfParts = / (Upgrade for more|Please contact us if you need more)\.$/
    expect(sentences.filter((sentence) => !isSaid(sentence.replace(madeOfParts, '')))).toEqual([])
  })

  // Errors that the web app never shows: of calls by programs and operators, and of requests that it does not send.
  const notInTheApp = /^server\/(faults\.ts|platform\/http\/|operations\/|test\/|features\/(operators|site)\/)/
  const alsoNotInTheApp = new Set([
    'Field required',
    'There is no such account.',
    'Send one file at a time',
    'This is not a time.',
    'An upload with this Idempotency-Key is still in progress.',
    'An Idempotency-Key must have 1 to {} characters.',
    'This is your own account. Another admin, or the command deactivate, can do this.',
    'This is your own account. Delete it in Settings.',
    'This image does not exist or is no longer used.',
    'No operator has hidden this photo. Its owner decides whether guests can open it.',
    'There is no sample picture with this name.',
    'There is no such test code.',
    'This photo is still being processed. Please try again in a moment.',
    'This link has expired or the photo is no longer shared. Scan the code again for a new one.',
    'Too many events at once. Please send this one again later.',
    'This is not a valid event of the payment provider.',
    'This account has no payments to refund.',
    'This account has already had a refund. Each account can have one.',
    'The first payment was more than {} days ago.',
    'The refund is stored and not complete yet. It will be tried again by itself.',
  ])

  test('are complete: a refusal that users meet has a translation', () => {
    const thrown = new RegExp(`(?:new Fault|invalid)\\(\\s*'\\w+',\\s*(${literal})`, 'g')
    const missing = sources
      .filter(({ path }) => path.startsWith('server/') && !notInTheApp.test(path))
      .flatMap(({ path, text }) =>
        Array.from(text.matchAll(thrown), ([, found = '']) => ({ path, sentence: sentenceOf(found) })),
      )
      .filter(({ sentence }) => !sentences.includes(sentence) && !alsoNotInTheApp.has(sentence))
    expect(missing).toEqual([])
  })
})
