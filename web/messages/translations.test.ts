import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defaultLanguage, type Language, languages } from '@keepsnap/contract/languages.ts'
import { catalogueIn } from './catalogues.ts'
import { en } from './en.ts'

/** The file of the operator pages, which are in English only. */
const untranslated = new Set(['operators.ts'])
const others = languages.filter((language) => language !== defaultLanguage)
const filesOf = (language: Language): string[] => readdirSync(join(import.meta.dirname, language)).toSorted()

type Visit = (value: unknown, path: string, other: unknown) => void
/** Visits every sentence and every function that returns one, with the value at the same path in another catalogue. */
function visit(value: unknown, visitor: Visit, { path = '', other = value }: { path?: string; other?: unknown } = {}) {
  if (typeof value !== 'object' || value === null) return visitor(value, path, other)
  for (const [key, part] of Object.entries(value)) {
    // Only objects have parts; what is missing is undefined.
    const otherPart = (other as Record<string, unknown> | undefined)?.[key]
    visit(part, visitor, { path: path ? `${path}.${key}` : key, other: otherPart })
  }
}

/** Arguments for message functions: counts and formatted values. */
const samples: readonly (readonly unknown[])[] = [
  [41, 42, 43, 44],
  ['v1', 'v2', 'v3', 'v4'],
]
const resultOf = (value: unknown, args: readonly unknown[]): unknown => {
  try {
    return (value as (...values: readonly unknown[]) => unknown)(...args) // `visit` found a function
  } catch {
    // It takes other values, such as a list.
    return undefined
  }
}

describe.each(others)('the language %s', (language) => {
  const catalogue = catalogueIn(language)
  const refused: string[] = []
  const check = (visitor: Visit): string[] => {
    refused.length = 0
    visit({ ...en, refusals: null }, visitor, { other: catalogue })
    return refused
  }

  test('has every part but those of operators, and no other', () => {
    expect(filesOf(language)).toEqual(filesOf(defaultLanguage).filter((file) => !untranslated.has(file)))
  })

  test('has a sentence, or a function, for each of English', () => {
    const found = check((value, path, other) => {
      if (typeof value !== typeof other || (other === '' && value !== '')) refused.push(path)
    })
    expect(found).toEqual([])
  })

  test('mentions every value that English mentions', () => {
    const found = check((value, path, other) => {
      if (typeof value !== 'function') return
      for (const args of samples) {
        const [sentence, translation] = [resultOf(value, args), resultOf(other, args)]
        if (typeof sentence !== 'string') continue
        for (const arg of args.map(String))
          if (sentence.includes(arg) && !String(translation).includes(arg)) refused.push(`${path}: ${arg}`)
      }
    })
    expect(found).toEqual([])
  })

  test('has no sentence of three words or more as in English', () => {
    const isSentence = (text: string): boolean => !text.includes('@') && (text.match(/\p{L}{2,}/gu) ?? []).length >= 3
    const found = check((value, path, other) => {
      if (path.startsWith('operator')) return
      if (typeof value === 'string' && value === other && isSentence(value)) refused.push(path)
    })
    expect(found).toEqual([])
  })
})

describe('English', () => {
  const sourceFiles = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return /^(node_modules|dist.*|messages|test)$/.test(entry.name) ? [] : sourceFiles(path)
      return /(?<!\.test)\.tsx?$/.test(entry.name) ? [readFileSync(path, 'utf8')] : []
    })
  const web = sourceFiles(join(import.meta.dirname, '..'))
  /** The file of each part of the catalogue. */
  const fileOf = new Map(
    filesOf('en').flatMap((file) => {
      const text = readFileSync(join(import.meta.dirname, 'en', file), 'utf8')
      return Array.from(
        text.matchAll(/^export const (\w+)/gm),
        ([, part = '']) => [part, `messages/en/${file}'`] as const,
      )
    }),
  )
  /** Keys that are looked up by values of the contract, or by text in quotation marks. */
  const values = new Set(
    [
      ...sourceFiles(join(import.meta.dirname, '../../contract'))
        .join('\n')
        .matchAll(/[\w-]+/g),
      ...web.join('\n').matchAll(/(?<=['"`])[\w.-]+(?=['"`])/g),
    ].map(([word]) => word),
  )
  /** Looked up by values that are no constants: types of JSON schemas, ids of questions, states of the provider. */
  const dynamic =
    /^(apiDocs\.types|supportQuestions\.\w+\.questions|operator\.audit\.\w+|operatorUsers\.detail\.subscriptionStates)\./

  test('has no key that the code does not name', () => {
    const unused: string[] = []
    for (const [part, sentences] of Object.entries({ ...en, refusals: {} })) {
      const users = web.filter(
        (text) =>
          (text.includes(fileOf.get(part)!) && new RegExp(`\\b${part}\\b`).test(text)) ||
          text.includes(`Catalogue['${part}']`) ||
          (/messages\/en\.ts'/.test(text) && text.includes(part)),
      )
      const words = new Set(users.join('\n').match(/[\w$]+/g))
      visit(sentences, (_, path) => {
        const missing = path.split('.').find((key) => !words.has(key) && !values.has(key) && !/^\d+$/.test(key))
        if (missing !== undefined && !dynamic.test(`${part}.${path}`)) unused.push(`${part}.${path}`)
      })
    }
    expect(unused).toEqual([])
  })
})

test('French punctuation with a space before it never begins a line', () => {
  const found: string[] = []
  visit(catalogueIn('fr'), (value, path) => {
    const sentences = typeof value === 'function' ? samples.map((args) => resultOf(value, args)) : [value]
    if (sentences.some((sentence) => typeof sentence === 'string' && / [?!;:»]|« /.test(sentence))) found.push(path)
  })
  expect(found).toEqual([])
})

describe('refusals', () => {
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
      'No more photos of guests fit, in this event or this month, so this one cannot be retried.',
      'There is no sample picture with this name.',
      'There is no such test code.',
      // Answers to programs: people get a page.
      'This code does not work, or no longer.',
      'The code of the event itself has no label',
      'Please give a label for each code, such as Table 7',
      'Please choose one of: {}',
      'This photo is still being processed. Please try again in a moment.',
      'This link has expired or the photo is no longer shared. Scan the code again for a new one.',
      'Too many events at once. Please send this one again later.',
      // To guests who add photos, whose page has sentences of its own.
      'Many guests are adding photos right now. Please try again in a moment.',
      'This page does not exist, or is open no longer.',
      'Please agree to the sentence about sharing your photos first, then add them.',
      'Photos can be taken back within an hour. Please ask the hosts to remove this one.',
      'This is not a valid event of the payment provider.',
      'This account has no payments to refund.',
      'This account has already had a refund. Each account can have one.',
      'The first payment was more than {} days ago.',
      'The refund is stored and not complete yet. It will be tried again by itself.',
      'This invoice does not exist.',
      'This invoice waits for something that is missing, so it cannot be downloaded yet.',
      'The payment provider has exchanged the money of this invoice, so its rate counts.',
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
})
