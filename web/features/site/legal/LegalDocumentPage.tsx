import { createContext, Fragment, use, useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { type LegalDocument, type SiteInfo, versionParameter } from '@keepsnap/contract/site.ts'
import {
  defaultLanguage,
  isLanguage,
  type Language,
  languageNames,
  languageParameter,
} from '@keepsnap/contract/languages.ts'
import { paths } from '../../../lib/paths.ts'
import { useFormat, useLanguageTag, useText } from '../../../lib/i18n.tsx'
import { legal } from '../../../messages/en/site.ts'
import { PageHeading, usePageTitle } from '../../../ui/PageHeading.tsx'
import { hasFailed, Skeleton } from '../../../ui/QueryView.tsx'
import { useScrollToTarget } from '../../../lib/viewport.ts'
import { useApi } from '../../../lib/app-services.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { siteInfoQuery } from '../site-info.ts'
import { frame, states } from '../../../messages/en/frame.ts'
import { Button } from '../../../ui/Button.tsx'
import { Note } from '../../../ui/Note.tsx'
import { SectionLinks } from '../../../ui/SectionLinks.tsx'
import { inlinePieces } from './inline-text.ts'
import type { LegalBlock, LegalContext, LegalSection, LegalText } from './legal-text.ts'
import { bindingLanguages, endOf, legalDocuments, type LegalVersion, stateOn, versionOn } from './documents.ts'
import './legal.css'

/** Numbers of the sections by their ids, from 1. */
const SectionNumbers = createContext<ReadonlyMap<string, number>>(new Map())

function Section({ section: { id, title, blocks }, context }: { section: LegalSection; context: LegalContext }) {
  const number = use(SectionNumbers).get(id)
  return (
    <section id={id} tabIndex={-1} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>
        <span className="legal__number">{number}</span> <span>{title}</span>
      </h2>
      {blocks(context).map((block, index) => (
        // A text never changes its order.
        // oxlint-disable-next-line react/no-array-index-key
        <Block key={index} block={block} context={context} />
      ))}
    </section>
  )
}

function Block({ block, context: { site } }: { block: LegalBlock; context: LegalContext }) {
  if (typeof block === 'string')
    return (
      <p>
        <Inline text={block} />
      </p>
    )
  if ('list' in block)
    return (
      <ul>
        {block.list.map((item) => (
          <li key={item}>
            <Inline text={item} />
          </li>
        ))}
      </ul>
    )
  if ('table' in block) return <Table {...block.table} />
  if ('operator' in block) return <Operator labels={block.operator} site={site} />
  const address = block.contact === 'operator' ? site.operator.email : site.support_email
  return (
    <p>
      <Inline text={block.before} /> <Address email={address} />. <Inline text={block.after} />
    </p>
  )
}

interface OperatorProps {
  labels: Extract<LegalBlock, { operator: object }>['operator']
  site: SiteInfo
}

function Operator({ labels, site: { operator } }: OperatorProps) {
  return (
    <dl className="legal__operator">
      {(['name', 'address', 'vat'] as const).map((name) => (
        <Fact key={name} name={labels[name]} translate="no">
          {operator[name]}
        </Fact>
      ))}
      <Fact name={labels.email}>
        <Address email={operator.email} />
      </Fact>
    </dl>
  )
}

const Address = ({ email }: { email: string }) => (
  <a className="link email-address" href={`mailto:${email}`} translate="no">
    {email}
  </a>
)

function Table({ caption, head, rows }: Extract<LegalBlock, { table: object }>['table']) {
  return (
    <table className="table legal__table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name = '', ...cells]) => (
          <tr key={name}>
            <th scope="row">
              <Inline text={name} />
            </th>
            {cells.map((cell, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the columns keep their order
              <td key={index} data-label={head[index + 1]}>
                <Inline text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Inline({ text }: { text: string }) {
  const numbers = use(SectionNumbers)
  return inlinePieces(text).map(({ text: piece, bold, to }, index) => {
    // oxlint-disable-next-line react/no-array-index-key -- a text never changes its order
    const key = index
    if (bold) return <b key={key}>{piece}</b>
    if (to === undefined) return <Fragment key={key}>{piece}</Fragment>
    if (to.startsWith('https:'))
      return (
        <a key={key} className="link" href={to} rel="noreferrer">
          {piece}
        </a>
      )
    return (
      <Link key={key} className="link" to={to}>
        {piece}
        {to.startsWith('#') && ` ${numbers.get(to.slice(1))}`}
      </Link>
    )
  })
}

/** The path of a version; without `from`, of the one that applies. */
const legalVersionPath = (document: LegalDocument, from?: string): string =>
  from === undefined ? paths[document] : `${paths[document]}?${new URLSearchParams({ [versionParameter]: from })}`

/** The day of a time in the time zone of the device: `2026-11-23`. */
function dayOf(time: Date): string {
  const twoDigits = (value: number): string => String(value).padStart(2, '0')
  return `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`
}

/** Returns a function that says in a sentence when a version applies; its `date` formats a single day. */
function useVersionDates(versions: readonly LegalVersion[]) {
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

interface VersionProps {
  document: LegalDocument
  version: LegalVersion
  today: string
}

/** All versions of a document, newest first, with what changed. */
function VersionList({ document, version: shown, language, today }: VersionProps & { language: Language }) {
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

/** One version of a legal text: the one of `?version=`, otherwise the one that applies today. */
function LegalDocumentPage({ document }: { document: LegalDocument }) {
  const text = useText({ legal })
  const title = useText({ frame }).links[document]
  const [search] = useSearchParams()
  const versions = legalDocuments[document]
  const [today] = useState(() => dayOf(new Date()))
  const requestedVersion = search.get(versionParameter)
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
  const site = useQuery(siteInfoQuery(useApi()))
  const tag = useLanguageTag()
  const language = isLanguage(tag) ? tag : defaultLanguage
  const text = useQuery({
    queryKey: ['legal', document, version.from, language],
    queryFn: async () => (await version.load[language]()).text,
    staleTime: Infinity,
  })
  if (site.data && text.data) {
    return (
      <>
        {site.data.operator.is_sample && (
          <Note tone="warn">
            <b>{messages.notes.sample}</b>
            <br />
            <span>{messages.notes.sampleWhy}</span>
          </Note>
        )}
        <Article document={document} text={text.data} site={site.data} version={version} language={language} />
        <VersionList document={document} version={version} language={language} today={today} />
      </>
    )
  }
  const failed = [text, site].filter(hasFailed)
  if (failed.length === 0) return <TextSkeleton />
  return (
    <div className="card state" role="alert">
      <p>{messages.failed}</p>
      <Button
        busy={failed.some(({ isFetching }) => isFetching)}
        onClick={() => failed.forEach((query) => void query.refetch())}
      >
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
  const context = { values: version.values, site }
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
        <SectionNumbers value={new Map(ids.map((id, index) => [id, index + 1]))}>
          <div className="legal__short">
            <h2>{messages.short}</h2>
            <ul>
              {text.summary(context).map((point) => (
                <li key={point}>
                  <Inline text={point} />
                </li>
              ))}
            </ul>
          </div>
          {sections.map((section) => (
            <Section key={section.id} section={section} context={context} />
          ))}
        </SectionNumbers>
      </article>
    </div>
  )
}

export const PrivacyPage = () => <LegalDocumentPage document="privacy" />

export const TermsPage = () => <LegalDocumentPage document="terms" />
