import { type ReactNode, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { apiDocument, type ApiDocument } from '@keepsnap/contract/integrations.ts'
import { type FaultCode, faultStatus } from '@keepsnap/contract/errors.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { paths } from '../../lib/paths.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { apiDocs } from '../../messages/en/integrations.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { useScrollToTarget } from '../../lib/viewport.ts'
import type { Api } from '../../lib/api.ts'
import { isTransient } from '../../lib/api-errors.ts'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { QueryView, Skeleton } from '../../ui/QueryView.tsx'
import { states } from '../../messages/en/frame.ts'
import { Button } from '../../ui/Button.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { SectionLinks } from '../../ui/SectionLinks.tsx'
import {
  eventsOf,
  FieldTable,
  OperationDetails,
  operationsWithTag,
  SampleContext,
  type SampleLanguage,
  SampleSnippet,
  Snippet,
} from './OperationDetails.tsx'
import './api-docs.css'

/** API access, in Settings. */
const apiSection = `${paths.settings}#api`

/** A first call to try, and what applies to all calls: base URL, formats, tools. */
function QuickStart({ document }: { document: ApiDocument }) {
  const text = useText({ apiDocs }).start
  const { origin } = useApi()
  const baseUrl = useRef<HTMLElement>(null)
  return (
    <>
      <p>
        {text.lead} <Link to={apiSection}>{text.toSettings}</Link>
      </p>
      <SampleSnippet samples={document.paths['/api/upload']?.post?.['x-codeSamples'] ?? []} />
      <dl className="facts">
        <Fact name={text.baseUrl} className="facts__copy">
          <code ref={baseUrl} translate="no">
            {origin}
          </code>
          <CopyButton icon text={origin} label={text.baseUrl} shownIn={baseUrl} />
        </Fact>
        <Fact name={text.format}>{text.formatText}</Fact>
        <Fact name={text.booths}>
          <a href={`${origin}/keepsnap-upload.mjs`} download translate="no">
            keepsnap-upload.mjs
          </a>
          <br />
          {text.boothsText}
        </Fact>
        <Fact name={text.machine}>
          <a href={`${origin}${apiDocument.path}`} translate="no">
            {apiDocument.path.slice(1)}
          </a>
          <br />
          {text.machineText}
        </Fact>
      </dl>
    </>
  )
}

/** How many calls are allowed, and the headers that say what is left. */
function RateLimits({ document }: { document: ApiDocument }) {
  const text = useText({ apiDocs }).limits
  const limits = document['x-limits']
  const rows = [
    { calls: text.auth, perMinute: limits.authenticationPerMinute, counted: text.perClient },
    { calls: text.photos, perMinute: limits.photosPerMinute, counted: text.perKey },
    { calls: text.admin, perMinute: limits.adminPerMinute, counted: text.perAdminKey },
  ]
  const headers = Object.entries(document.components.headers)
  return (
    <>
      <p>{text.lead}</p>
      <div className="card">
        <table className="table api-table" aria-label={text.name}>
          <thead>
            <tr>
              <th scope="col">{text.columns.calls}</th>
              <th scope="col">{text.columns.perMinute}</th>
              <th scope="col">{text.columns.counted}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ calls, perMinute, counted }) => (
              <tr key={calls}>
                <td>{calls}</td>
                <td>
                  <b className="tabular-numbers">{perMinute}</b>
                </td>
                <td className="muted">{counted}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>{text.uploads(limits)}</p>
      <p>{text.headersLead}</p>
      <Snippet
        label={text.headers}
        code={headers.map(([name, { example }]) => `${name}: ${String(example)}`).join('\n')}
      />
      <dl className="facts" lang="en">
        {headers.map(([name, { description }]) => (
          <div key={name}>
            <dt translate="no">{name}</dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <p>{text.exceeded}</p>
      <p>{text.retries(limits)}</p>
    </>
  )
}

const detailOf = (value: unknown): string => {
  const { detail } = value as { detail: unknown } // every refusal is `{ code, detail }`
  return typeof detail === 'string' ? detail : JSON.stringify(detail)
}

/** Every refusal of the API, and what to do. */
function Errors({ document }: { document: ApiDocument }) {
  const text = useText({ apiDocs }).errors
  return (
    <>
      <p>{text.lead}</p>
      <div className="card">
        <table className="table api-table api-table--errors" aria-label={text.name}>
          <thead>
            <tr>
              <th scope="col">{text.columns.status}</th>
              <th scope="col">{text.columns.detail}</th>
              <th scope="col">{text.columns.action}</th>
            </tr>
          </thead>
          <tbody lang="en">
            {Object.entries(document.components.examples).map(([code, { summary, description, value }]) => (
              <tr key={code}>
                <td>
                  <b className="tabular-numbers">{faultStatus[code as FaultCode] /* a code of the contract */}</b>
                  <code translate="no">{code}</code>
                </td>
                <td>
                  <span className="api-table__detail">{detailOf(value)}</span>
                </td>
                <td>
                  <span className="muted">{summary}.</span> {description}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** How a program authenticates: with an API key in a header. */
function Authentication() {
  const text = useText({ apiDocs }).auth
  return (
    <>
      <p>{text.lead}</p>
      {/* The shape of a key; not a valid one. */}
      <Snippet label={text.header} code="X-API-Key: ksnap_4Tq8mWz2RkXv7LpYc1NsBd90HgJf6aEuQx3T5rVbKoPm2Zi4f9c" />
      <p>{text.key}</p>
    </>
  )
}

/** The events that are sent to a customer's own server, and how it checks them. */
function WebhookDocs({ document }: { document: ApiDocument }) {
  const text = useText({ apiDocs })
  const events = eventsOf(document)
  const headers = (events[0]?.operation.parameters ?? []).map(({ name, description }) => ({
    name,
    type: text.call.header,
    meaning: description,
  }))
  return (
    <>
      <p>
        {text.webhooks.lead} <Link to={apiSection}>{text.start.toSettings}</Link>
      </p>
      {events.map((event) => (
        <OperationDetails key={event.id} call={event} document={document} />
      ))}
      <p>{text.webhooks.delivery(document['x-limits'])}</p>
      <p>{text.webhooks.order}</p>
      <h3 id="verify">{text.webhooks.verify}</h3>
      <p>{text.webhooks.verifyLead(document['x-limits'])}</p>
      <div className="card">
        <FieldTable label={text.webhooks.headers} rows={headers} />
      </div>
      <SampleSnippet samples={document['x-webhookVerification']} />
    </>
  )
}

/** The server's OpenAPI document. It changes only with an update of the server. */
const apiDocumentQuery = (api: Api) =>
  queryOptions({
    queryKey: ['api-document'],
    queryFn: async ({ signal }) => {
      const file = await api.bytes(apiDocument, {}, { signal })
      return JSON.parse(await file.text()) as ApiDocument // what the endpoint sends
    },
    staleTime: Infinity,
    retry: (failures, error) => failures < 1 && isTransient(error),
  })

const groups = ['Photos', 'Account', 'Health', 'Admin'] as const
const sectionIds = ['start', 'auth', 'photos', 'account', 'health', 'admin', 'webhooks', 'errors', 'limits'] as const
type SectionId = (typeof sectionIds)[number]

/** The public API for people, from the server's own description of it. */
export function ApiDocsPage() {
  const text = useText({ apiDocs })
  const { tryAgain } = useText({ states })
  const query = useQuery(apiDocumentQuery(useApi()))
  const [language, setLanguage] = useState<SampleLanguage>('Shell')
  usePageTitle(text.title)
  return (
    <div className="wrap">
      <header className="page-head">
        <div>
          <PageHeading>{text.title}</PageHeading>
          <p>
            {text.lead} {text.needsPlan(plans.pro_yearly.name)} <Link to={paths.pricing}>{text.toPlans}</Link>
          </p>
        </div>
        <SegmentedControl
          legend={text.language}
          value={language}
          options={[
            { value: 'Shell', label: <span translate="no">curl</span> },
            { value: 'TypeScript', label: <span translate="no">TypeScript</span> },
          ]}
          onChange={setLanguage}
        />
      </header>
      <QueryView
        query={query}
        loading={<ReferenceSkeleton />}
        failed={text.failed}
        renderFailed={({ sentence, busy, onRetry }) => (
          <div className="card state" role="alert">
            <p>{sentence}</p>
            <span className="muted state__hint">{text.failedHint}</span>
            <Button busy={busy} onClick={onRetry}>
              {tryAgain}
            </Button>
          </div>
        )}
      >
        {(document) => <Reference document={document} language={language} />}
      </QueryView>
    </div>
  )
}

function ReferenceSkeleton() {
  const text = useText({ apiDocs })
  return (
    <div className="sectioned">
      <Skeleton height="2.75rem" />
      <output className="api-docs api-docs--loading" aria-label={text.loading}>
        {Array.from({ length: 5 }, (_, index) => (
          <Skeleton key={index} height={index === 0 ? '12rem' : '3.5rem'} />
        ))}
      </output>
    </div>
  )
}

function Reference({ document, language }: { document: ApiDocument; language: SampleLanguage }) {
  const text = useText({ apiDocs })
  const { origin } = useApi()
  const serverUrl = document.servers[0]?.url
  const samples = useMemo(
    () => ({ language, localize: (code: string) => (serverUrl ? code.replaceAll(serverUrl, origin) : code) }),
    [language, serverUrl, origin],
  )
  useScrollToTarget()
  const names: Record<SectionId, string> = {
    start: text.start.name,
    auth: text.auth.name,
    photos: text.groups.Photos,
    account: text.groups.Account,
    health: text.groups.Health,
    admin: text.groups.Admin,
    webhooks: text.webhooks.name,
    errors: text.errors.name,
    limits: text.limits.name,
  }
  return (
    <SampleContext value={samples}>
      <div className="sectioned">
        <SectionLinks label={text.contents} ids={sectionIds} names={names} />
        <div className="api-docs">
          <DocsSection id="start" title={names.start}>
            <QuickStart document={document} />
          </DocsSection>
          <DocsSection id="auth" title={names.auth}>
            <Authentication />
          </DocsSection>
          {groups.map((group) => (
            <CallGroup key={group} group={group} document={document} />
          ))}
          <DocsSection id="webhooks" title={names.webhooks}>
            <WebhookDocs document={document} />
          </DocsSection>
          <DocsSection id="errors" title={names.errors}>
            <Errors document={document} />
          </DocsSection>
          <DocsSection id="limits" title={names.limits}>
            <RateLimits document={document} />
          </DocsSection>
        </div>
      </div>
    </SampleContext>
  )
}

function CallGroup({ group, document }: { group: (typeof groups)[number]; document: ApiDocument }) {
  const text = useText({ apiDocs })
  const description = document.tags.find(({ name }) => name === group)?.description
  return (
    <DocsSection
      id={group.toLowerCase()}
      title={text.groups[group]}
      badge={group === 'Admin' && <span className="badge">{text.adminOnly}</span>}
    >
      {group === 'Admin' && <p lang="en">{description}</p>}
      {operationsWithTag(document, group).map((call, index) => (
        <OperationDetails
          key={call.id}
          call={call}
          document={document}
          initiallyOpen={group === 'Photos' && index === 0}
        />
      ))}
    </DocsSection>
  )
}

interface SectionProps {
  id: string
  title: string
  badge?: ReactNode
  children: ReactNode
}

function DocsSection({ id, title, badge, children }: SectionProps) {
  return (
    <section className="api-docs__section" id={id} tabIndex={-1} aria-labelledby={`${id}-heading`}>
      <h2>
        <span id={`${id}-heading`}>{title}</span>
        {badge}
      </h2>
      {children}
    </section>
  )
}
