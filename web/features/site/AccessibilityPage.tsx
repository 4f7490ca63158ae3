import { Check, CircleHelp, Minus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { useScrollToTarget } from '../../lib/viewport.ts'
import { accessibility } from '../../messages/en/accessibility.ts'
import type { Catalogue } from '../../messages/en.ts'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { SectionLinks } from '../../ui/SectionLinks.tsx'
import {
  clauseOf,
  criteria,
  type Criterion,
  type Result,
  reviewedOn,
  type ReviewName,
  reviews,
  type TestName,
  tests,
} from './accessibility.ts'
import { siteInfoQuery } from './site-info.ts'
import './legal/legal.css'
import './accessibility.css'

const sections = ['problems', 'untested', 'contact', 'perceivable', 'operable', 'understandable', 'robust'] as const
const methods = ['automatic', 'by-hand'] as const
const sectionIds = [...sections, ...methods]
type SectionId = (typeof sectionIds)[number]
const principles = { perceivable: '1', operable: '2', understandable: '3', robust: '4' } as const

const withResult = (result: Result): Criterion[] => criteria.filter((criterion) => criterion.result === result)

/** How accessible the product is, how that was tested, and whom to tell about problems. */
export function AccessibilityPage() {
  const text = useText({ accessibility })
  const date = useDay()
  const names = useSectionNames()
  usePageTitle(text.title)
  useScrollToTarget()
  return (
    <div className="wrap">
      <header className="page-head">
        <div>
          <PageHeading>{text.title}</PageHeading>
          <p>{text.reviewed(date(reviewedOn))}</p>
        </div>
      </header>
      <div className="sectioned legal">
        <SectionLinks label={text.contents} ids={sectionIds} names={names} />
        <article className="legal__text">
          <Summary />
          <Section id="problems">
            <Reasons result="failed" none={text.nothingFailed} />
          </Section>
          <Section id="untested">
            <Reasons result="untested" none={text.everythingTested} />
            <p>{text.scope.limits}</p>
          </Section>
          <Section id="contact">
            <Contact />
          </Section>
          {(['perceivable', 'operable', 'understandable', 'robust'] as const).map((id) => (
            <Section key={id} id={id}>
              <Criteria principle={principles[id]} />
            </Section>
          ))}
          <Section id="automatic">
            <p>{text.automatic.lead}</p>
            <Tests />
          </Section>
          <Section id="by-hand">
            <p>{text.byHand.lead}</p>
            <Reviews />
          </Section>
        </article>
      </div>
    </div>
  )
}

/** Formats a day: noon, so that it is the same in every time zone near the browser's. */
function useDay(): (day: string) => string {
  const format = useFormat()
  return (day) => format.date(`${day}T12:00:00`)
}

function useSectionNames(): Record<SectionId, string> {
  const { problems, untested, contact, principles: names, automatic, byHand } = useText({ accessibility })
  return {
    problems,
    untested,
    contact: contact.heading,
    perceivable: names[1],
    operable: names[2],
    understandable: names[3],
    robust: names[4],
    automatic: automatic.heading,
    'by-hand': byHand.heading,
  }
}

function Section({ id, children }: { id: SectionId; children: ReactNode }) {
  const names = useSectionNames()
  return (
    <section id={id} tabIndex={-1} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>{names[id]}</h2>
      {children}
    </section>
  )
}

function Summary() {
  const text = useText({ accessibility })
  const { count } = useFormat()
  const numberOf = (result: Result): string => count(withResult(result).length)
  const isFull = withResult('failed').length === 0 && withResult('untested').length === 0
  return (
    <div className="legal__short">
      <h2>{text.short}</h2>
      <ul>
        <li>
          <b>{isFull ? text.status.full : text.status.partial}</b>
        </li>
        <li>
          {text.counts(
            count(criteria.length),
            numberOf('passed'),
            numberOf('failed'),
            numberOf('untested'),
            numberOf('absent'),
          )}
        </li>
        <li>{text.scope.covers}</li>
      </ul>
    </div>
  )
}

type AccessibilityText = Catalogue['accessibility']

function CriterionName({ number }: Pick<Criterion, 'number'>) {
  const { criteria: names } = useText({ accessibility })
  const name = names[number as keyof typeof names] // each has one: see the test
  return (
    <>
      <span>{number}</span> <span>{name}</span>
    </>
  )
}

/** What there is to say about a criterion besides its result. */
function noteOf(text: AccessibilityText, number: string): string | undefined {
  if (number.startsWith('1.2.')) return text.notes.media
  return (text.notes as Partial<Record<string, string>>)[number] // most have none
}

/** The criteria with a result, and why. */
function Reasons({ result, none }: { result: Result; none: string }) {
  const text = useText({ accessibility })
  const found = withResult(result)
  if (found.length === 0) return <p>{none}</p>
  return (
    <ul>
      {found.map(({ number }) => (
        <li key={number}>
          <b>
            <CriterionName number={number} />
          </b>
          <p>{noteOf(text, number)}</p>
        </li>
      ))}
    </ul>
  )
}

function Contact() {
  const { contact } = useText({ accessibility })
  const site = useQuery(siteInfoQuery(useApi()))
  return (
    <>
      <p>{contact.lead}</p>
      <p>
        <Link className="link" to={paths.support}>
          {contact.form}
        </Link>
      </p>
      {/* The address of the sample settings is nobody's. */}
      {site.data && !site.data.operator.is_sample && (
        <p>
          {contact.email}{' '}
          <a className="link" href={`mailto:${site.data.support_email}`}>
            <EmailAddress email={site.data.support_email} />
          </a>
        </p>
      )}
      {site.isError && <p>{contact.failed}</p>}
    </>
  )
}

function Criteria({ principle }: { principle: string }) {
  const text = useText({ accessibility })
  const { table } = text
  return (
    <table className="table legal__table a11y__table">
      <caption className="visually-hidden">{text.principles[principle as '1' | '2' | '3' | '4']}</caption>
      <thead>
        <tr>
          <th scope="col">{table.criterion}</th>
          <th scope="col">{table.clause}</th>
          <th scope="col">{table.result}</th>
          <th scope="col">{table.how}</th>
        </tr>
      </thead>
      <tbody>
        {criteria
          .filter(({ number }) => number.startsWith(`${principle}.`))
          .map((criterion) => (
            <tr key={criterion.number}>
              <th scope="row">
                <CriterionName number={criterion.number} />
                <span className="a11y__level">{table.level(criterion.level)}</span>
              </th>
              <td data-label={table.clause}>{clauseOf(criterion) ?? table.noClause}</td>
              <td>
                <ResultMark result={criterion.result} />
              </td>
              <td>
                <Methods criterion={criterion} />
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

const marks = { passed: Check, failed: X, untested: CircleHelp, absent: Minus }

function ResultMark({ result }: { result: Result }) {
  const { results } = useText({ accessibility })
  const Icon = marks[result]
  return (
    <span className="a11y__result" data-result={result}>
      <Icon className="icon" />
      {results[result]}
    </span>
  )
}

function Methods({
  criterion: { number, axe = [], tests: named = [], byHand = [], result },
}: {
  criterion: Criterion
}) {
  const text = useText({ accessibility })
  const { table } = text
  const note = noteOf(text, number)
  const isTested = axe.length + named.length + byHand.length > 0
  return (
    <>
      {note && <p>{note}</p>}
      {axe.length > 0 && (
        <p>
          {table.rules}: <span translate="no">{axe.join(', ')}</span>
        </p>
      )}
      {named.length > 0 && (
        <p>
          {table.tests}: {named.map((name) => text.tests[name]).join('; ')}
        </p>
      )}
      {byHand.length > 0 && (
        <p>
          {table.hand}: {byHand.map((name) => text.reviews[name].name).join(', ')}
        </p>
      )}
      {!isTested && result !== 'absent' && <p>{table.notTested}</p>}
    </>
  )
}

/** The tests of the suite that criteria name, where they are. */
function Tests() {
  const text = useText({ accessibility })
  return (
    <dl className="a11y__list">
      {(Object.keys(tests) as TestName[]).map((name) => (
        <div key={name}>
          <dt>{text.tests[name]}</dt>
          <dd lang="en" translate="no">
            <code>{tests[name].file}</code> <span>{tests[name].title}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Reviews() {
  const text = useText({ accessibility })
  const date = useDay()
  return (
    <dl className="a11y__list">
      {(Object.keys(reviews) as ReviewName[]).map((name) => (
        <div key={name}>
          <dt>{text.reviews[name].name}</dt>
          <dd>
            <span>{text.reviews[name].what}</span>{' '}
            <span className="muted">{text.byHand.when(date(reviews[name].on), reviews[name].with)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
