import type { Language } from '@keepsnap/contract/languages.ts'
import type { LegalDocument } from '@keepsnap/contract/legal.ts'
import { Link } from 'react-router'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { legal } from '../../messages/en/legal.ts'
import { endOf, legalDocuments, stateOn, type LegalVersion } from './documents.ts'
import { legalVersionPath } from './version-paths.ts'

/** Returns a function that says in a sentence when a version applies; its `date` formats a single day. */
export function useVersionDates(versions: readonly LegalVersion[]) {
  const text = useText({ legal })
  const format = useFormat()
  // Noon, so that the day is the same in every time zone near the browser's.
  const date = (day: string): string => format.date(`${day}T12:00:00`)
  const sentence = (version: LegalVersion, today: string): string => {
    const state = stateOn(versions, version, today)
    const end = endOf(versions, version)
    return state === 'earlier' && end !== undefined
      ? text.earlier(date(version.from), date(end))
      : text[state === 'announced' ? 'announced' : 'current'](date(version.from))
  }
  return Object.assign(sentence, { date })
}

interface Props {
  document: LegalDocument
  shown: LegalVersion
  /** Language of the text, in which the changes are described. */
  language: Language
  today: string
}

/** All versions of a document, newest first, with what changed. */
export function VersionList({ document, shown, language, today }: Props) {
  const text = useText({ legal })
  const versions = legalDocuments[document]
  const dates = useVersionDates(versions)
  return (
    <section className="legal__versions" aria-labelledby="versions">
      <h2 id="versions">{text.versions}</h2>
      <ul>
        {versions.map((version) => (
          <li key={version.from}>
            <Link
              className="link"
              to={legalVersionPath(document, version.from)}
              aria-current={version === shown ? 'page' : undefined}
            >
              {dates(version, today)}
            </Link>
            {version.changes ? (
              <span className="muted" lang={language}>
                {version.changes[language]}
              </span>
            ) : (
              <span className="muted">{text.first}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
