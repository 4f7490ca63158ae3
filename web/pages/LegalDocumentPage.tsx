import {
  defaultLanguage,
  isLanguage,
  languageNames,
  languageParameter,
  type Language,
} from '@keepsnap/contract/languages.ts'
import type { LegalDocument } from '@keepsnap/contract/legal.ts'
import type { SiteInfo } from '@keepsnap/contract/site.ts'
import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { Fragment, useLayoutEffect, useMemo, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { bindingLanguages, legalDocuments, type LegalVersion, stateOn, versionOn } from '../features/legal/documents.ts'
import type { LegalText } from '../features/legal/legal-text.ts'
import { LegalArticle } from '../features/legal/LegalArticle.tsx'
import { useVersionDates, VersionList } from '../features/legal/VersionList.tsx'
import { dayOf, legalVersionPath, versionIn } from '../features/legal/version-paths.ts'
import { useLanguageTag, useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { hasFailed } from '../lib/query-failure.ts'
import { useSiteInfo } from '../lib/site-info.ts'
import { frame } from '../messages/en/frame.ts'
import { legal } from '../messages/en/legal.ts'
import { states } from '../messages/en/states.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { SectionLinks } from './SectionLinks.tsx'
import '../features/legal/legal.css'

/** One version of a legal text: the one of `?version=`, otherwise the one that applies today. */
export function LegalDocumentPage({ document }: { document: LegalDocument }) {
  const text = useText({ legal })
  const title = useText({ frame }).links[document]
  const [search] = useSearchParams()
  const versions = legalDocuments[document]
  const [today] = useState(() => dayOf(new Date()))
  const requestedVersion = versionIn(search)
  const found = versions.find(({ from }) => from === requestedVersion)
  const version = found ?? versionOn(versions, today)
  const dates = useVersionDates(versions)
  usePageTitle(title)
  if (!version) return null
  return (
    <div className="wrap">
      <header className="page-head">
        <div>
          <PageHeading>{title}</PageHeading>
          <p>{dates(version, today)}</p>
        </div>
        <Button onClick={() => window.print()}>
          <Printer className="icon" />
          {text.print}
        </Button>
      </header>
      <VersionNotes
        document={document}
        version={version}
        today={today}
        isUnknown={requestedVersion !== null && !found}
      />
      <LegalContent key={version.from} document={document} version={version} today={today} />
    </div>
  )
}

interface VersionProps {
  document: LegalDocument
  version: LegalVersion
  today: string
}

/** Says what is special about the version that is shown. */
function VersionNotes({ document, version, today, isUnknown }: VersionProps & { isUnknown: boolean }) {
  const { notes } = useText({ legal })
  const dates = useVersionDates(legalDocuments[document])
  const versions = legalDocuments[document]
  const state = stateOn(versions, version, today)
  const next = versions.filter(({ from }) => from > today).at(-1)
  if (isUnknown) return <Note tone="warn">{notes.unknown}</Note>
  if (state !== 'current')
    return (
      <Note tone="warn">
        {notes[state]} <Link to={legalVersionPath(document)}>{notes.toCurrent}</Link>
      </Note>
    )
  return (
    next && (
      <Note tone="plain">
        {notes.next(dates.date(next.from))} <Link to={legalVersionPath(document, next.from)}>{notes.toNext}</Link>
      </Note>
    )
  )
}

/** The text, once it and the site's public settings have loaded. */
function LegalContent({ document, version, today }: VersionProps) {
  const messages = useText({ legal })
  const { tryAgain } = useText({ states })
  const site = useSiteInfo()
  const tag = useLanguageTag()
  const language = isLanguage(tag) ? tag : defaultLanguage
  const text = useQuery({
    queryKey: ['legal', document, version.from, language],
    queryFn: async () => (await version.load[language]()).text,
    staleTime: Infinity,
  })
  if (site.info && text.data) {
    return (
      <>
        {site.info.operator.is_sample && (
          <Note tone="warn">
            <b>{messages.notes.sample}</b>
            <br />
            <span>{messages.notes.sampleWhy}</span>
          </Note>
        )}
        <Article document={document} text={text.data} site={site.info} version={version} language={language} />
        <VersionList document={document} shown={version} language={language} today={today} />
      </>
    )
  }
  if (!hasFailed(text) && site.state !== 'failed') return <TextSkeleton />
  const retry = (): void => {
    if (hasFailed(text)) void text.refetch()
    if (site.state === 'failed') site.retry()
  }
  return (
    <div className="card state" role="alert">
      <p>{messages.failed}</p>
      <Button busy={text.isFetching || (site.state === 'failed' && site.isRetrying)} onClick={retry}>
        {tryAgain}
      </Button>
    </div>
  )
}

function TextSkeleton() {
  const messages = useText({ legal })
  return (
    <div className="sectioned legal">
      <Skeleton height="2.75rem" />
      <output className="stack legal__text" aria-label={messages.loading}>
        {Array.from({ length: 6 }, (_, index) => (
          <Skeleton key={index} height={index === 0 ? '9rem' : '14rem'} />
        ))}
      </output>
    </div>
  )
}

interface ArticleProps {
  document: LegalDocument
  text: LegalText
  site: SiteInfo
  version: LegalVersion
  language: Language
}

function Article({ document, text, site, version, language }: ArticleProps) {
  const messages = useText({ legal })
  const { sections } = text
  const ids = useMemo(() => sections.map(({ id }) => id), [sections])
  const names = Object.fromEntries(sections.map(({ id, title }) => [id, title]))
  useScrollToTarget()
  return (
    <div className="sectioned legal">
      <SectionLinks label={messages.contents} ids={ids} names={names} lang={language} />
      <article className="legal__text" lang={language}>
        {text.translation !== undefined && (
          <Note tone="plain">
            <span>{text.translation}</span>
            {bindingLanguages.map((binding, index) => (
              <Fragment key={binding}>
                {index > 0 && <span> ·</span>}{' '}
                <a
                  href={`${legalVersionPath(document, version.from)}&${languageParameter}=${binding}`}
                  hrefLang={binding}
                  lang={binding}
                  translate="no"
                >
                  {languageNames[binding]}
                </a>
              </Fragment>
            ))}
          </Note>
        )}
        <LegalArticle text={text} context={{ values: version.values, site }} shortHeading={messages.short} />
      </article>
    </div>
  )
}

/** Scrolls to the section that the link names, once it is there: the text arrives late. */
function useScrollToTarget(): void {
  const { hash } = useLocation()
  useLayoutEffect(() => {
    if (hash && window.scrollY === 0) document.getElementById(hash.slice(1))?.scrollIntoView()
    // At the first rendering only; after that, the frame scrolls.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
}
