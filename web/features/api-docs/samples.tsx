import type { CodeSample } from '@keepsnap/contract/api-docs.ts'
import { createContext, use } from 'react'
import { Snippet } from './Snippet.tsx'

/** The language of all samples of the page. */
export type SampleLanguage = CodeSample['lang']

interface SampleSettings {
  language: SampleLanguage
  /** A text of the document with the reader's own address of the server in it. */
  localize: (text: string) => string
}

/** The page provides the value. */
export const SampleContext = createContext<SampleSettings>({ language: 'Shell', localize: (text) => text })

/** The sample in the chosen language. */
export function SampleSnippet({ samples }: { samples: readonly CodeSample[] }) {
  const { language, localize } = use(SampleContext)
  const sample = samples.find(({ lang }) => lang === language) ?? samples[0]
  // The key remounts the snippet, so that the tick after copying does not carry over to another language.
  return sample && <Snippet key={sample.lang} label={sample.label} code={localize(sample.source)} />
}

/** A value as JSON. */
export function JsonSample({ label, value }: { label: string; value: unknown }) {
  const { localize } = use(SampleContext)
  return <Snippet label={label} code={localize(JSON.stringify(value, null, 2))} />
}
