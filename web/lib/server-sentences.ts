import { useEffect, useState } from 'react'
import type { Catalogue } from '../messages/en.ts'
import { useCatalogue, useLanguageTag } from './i18n.tsx'

type Refusals = Catalogue['refusals']

/** A sentence of the list as a pattern; `{}` is any value. */
function patternOf(sentence: string): RegExp {
  const parts = sentence.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('(.+?)')}$`)
}

/** A sentence of the server in the language of `refusals`: itself in English, null where there is no translation. */
export function translateSentence(sentence: string, { general, sentences }: Refusals): string | null {
  if (general === null) return sentence
  const known = sentences[sentence]
  if (known !== undefined) return known
  for (const [english, translation] of Object.entries(sentences)) {
    const values = english.includes('{}') && patternOf(english).exec(sentence)
    if (!values) continue
    // A value may be a sentence of the list: why the last attempt to send an email failed.
    const valueAt = (at: number): string => values[at + 1] ?? ''
    return translation.replace(/\{(\d)\}/g, (_, at: string) => sentences[valueAt(Number(at))] ?? valueAt(Number(at)))
  }
  return null
}

/** The translations are loaded when a sentence of the server is shown: English needs none. */
export const loadRefusals = async (): Promise<Refusals> => (await import('../messages/en/refusals.ts')).refusals

/** Translates a sentence of the server that is part of its data; null while the translations are being loaded. */
export function useServerSentence(): (sentence: string | null) => string | null {
  const isEnglish = useLanguageTag() === 'en'
  const [loaded, setLoaded] = useState(useCatalogue()?.refusals ?? null)
  const isMissing = !isEnglish && loaded === null
  useEffect(() => {
    // The first condition leaves the translations out of the build in English.
    if (import.meta.env.VITE_LANGUAGE === 'en' || !isMissing) return
    let isCancelled = false
    void loadRefusals().then(
      (refusals) => !isCancelled && setLoaded(refusals),
      () => {},
    )
    return () => {
      isCancelled = true
    }
  }, [isMissing])
  return (sentence) => {
    if (isEnglish || sentence === null) return sentence
    return loaded && (translateSentence(sentence, loaded) ?? loaded.general)
  }
}
