import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultLanguage, languages, type Language } from '@keepsnap/contract/languages.ts'
import { describe, expect, test } from 'vitest'
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
