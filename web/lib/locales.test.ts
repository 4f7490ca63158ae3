import { describe, expect, test } from 'vitest'
import { languageFor } from './locales.ts'
import { pseudoCatalogue, pseudoText } from './pseudolocale.ts'
import { en } from '../messages/en.ts'

describe('the language', () => {
  test('is the first preferred one with a catalogue, with the formats of its variant', async () => {
    const language = await languageFor(['xx', 'en-GB', 'en-US'])
    expect(language.tag).toBe('en')
    expect(language.format.date('2026-11-14T12:00:00Z')).toBe('14 November 2026')
  })

  test('is English when no preferred one has a catalogue', async () => {
    expect((await languageFor(['xx-YY'])).tag).toBe('en')
    expect((await languageFor([])).tag).toBe('en')
  })
})

describe('the pseudolocale', () => {
  test('is longer, accented and bracketed', () => {
    const text = pseudoText('Upload Photos')
    expect(text).toMatch(/^⟦.+⟧$/)
    expect(text.length).toBeGreaterThanOrEqual('Upload Photos'.length * 1.4)
    expect(text).not.toContain('Upload')
  })

  test('has every English sentence, including those with parameters', () => {
    const pseudo = pseudoCatalogue(en)
    expect(Object.keys(pseudo)).toEqual(Object.keys(en))
    expect(pseudo.session.errors.server(503)).toMatch(/^⟦.*503.*⟧$/)
    expect(pseudo.session.strengthLabels).toHaveLength(5)
  })
})
