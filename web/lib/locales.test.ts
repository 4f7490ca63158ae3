import { describe, expect, test } from 'vitest'
import { languageFor } from './locales.ts'
import { pseudoOf, pseudoText } from './pseudo.ts'
import { en } from '../messages/en.ts'

describe('the language', () => {
  test('is the first of the reader’s that we speak, with the reader’s own way of writing numbers', async () => {
    const language = await languageFor(['xx', 'en-GB', 'en-US'])
    expect(language.tag).toBe('en')
    expect(language.format.date('2026-11-14T12:00:00Z')).toBe('14 November 2026')
  })

  test('is English for everybody else', async () => {
    expect((await languageFor(['xx-YY'])).tag).toBe('en')
    expect((await languageFor([])).tag).toBe('en')
  })
})

describe('the pseudo-language', () => {
  test('is longer, accented and bracketed', () => {
    const text = pseudoText('Upload Photos')
    expect(text).toMatch(/^⟦.+⟧$/)
    expect(text.length).toBeGreaterThanOrEqual('Upload Photos'.length * 1.4)
    expect(text).not.toContain('Upload')
  })

  test('has every sentence of English, also those with blanks', () => {
    const pseudo = pseudoOf(en)
    expect(Object.keys(pseudo)).toEqual(Object.keys(en))
    expect(pseudo.session.errors.server(503)).toMatch(/^⟦.*503.*⟧$/)
    expect(pseudo.session.strengthLabels).toHaveLength(5)
  })
})
