import { expect, test } from 'vitest'
import { en } from '../messages/en.ts'
import { pseudoCatalogue, pseudoText } from './pseudolocale.ts'

test('a pseudolocalized text has accents and brackets, and is at least 40 percent longer', () => {
  expect(pseudoText('Upload photos')).toMatch(/^⟦Uplöád phötös .+⟧$/)
  expect(pseudoText('Upload photos').length).toBeGreaterThanOrEqual('Upload photos'.length * 1.4)
  expect(pseudoText('')).toBe('')
})

test('functions of the catalogue return pseudolocalized texts', () => {
  const { gallery } = pseudoCatalogue(en)
  expect(gallery.heading).toMatch(/^⟦.*⟧$/)
  expect(gallery.count(2, '2')).toMatch(/^⟦.*2.*⟧$/)
})
