import { describe, expect, test } from 'vitest'
import { catalogueIn } from '../messages/catalogues.ts'
import { refusals as english } from '../messages/en/refusals.ts'
import { translateSentence } from './server-sentences.ts'

const translations = {
  general: 'Mislukt.',
  sentences: {
    'There is no photo.': 'Er is geen foto.',
    'You have {} of {} keys (all).': 'Van {1} sleutels heb je er {0}.',
  },
}

describe('a sentence of the server', () => {
  test.each([
    ['There is no photo.', 'Er is geen foto.'],
    ['You have 20 of 25 keys (all).', 'Van 25 sleutels heb je er 20.'],
    // A sentence must match as a whole, not in part.
    ['There is no photo', null],
    ['Well. You have 20 of 25 keys (all).', null],
    ['You have 20 of 25 keys all.', null],
    ['You have  of 25 keys (all).', null],
    ['', null],
  ])('%j becomes %j', (sentence, translation) => {
    expect(translateSentence(sentence, translations)).toBe(translation)
  })

  test('is shown as it is in English', () => {
    expect(translateSentence('Anything.', english)).toBe('Anything.')
  })

  test.each([
    ['nl', 'Je hebt 20 API-sleutels, het maximum. Verwijder er eerst een.'],
    ['fr', 'Vous avez 20 clés d’API, le maximum. Supprimez-en une d’abord.'],
    ['de', 'Du hast 20 API-Schlüssel, mehr gehen nicht. Lösche zuerst einen.'],
  ] as const)('has its values in %s', (language, sentence) => {
    const { refusals } = catalogueIn(language)
    expect(translateSentence('You have 20 API keys, the most there can be. Please delete one first.', refusals)).toBe(
      sentence,
    )
  })

  test('translates a value that is a sentence of the server itself', () => {
    const { refusals } = catalogueIn('nl')
    const sentence = 'The email could not be sent for 48 hours. The certificate of the mail server has expired.'
    expect(translateSentence(sentence, refusals)).toBe(
      'De e-mail kon 48 uur lang niet verstuurd worden. Het certificaat van de mailserver is verlopen.',
    )
  })
})
