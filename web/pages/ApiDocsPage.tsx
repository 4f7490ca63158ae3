import type { ApiDocument } from '@keepsnap/contract/api-docs.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useMemo, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { OperationDetails } from '../features/api-docs/OperationDetails.tsx'
import { Authentication, Errors, QuickStart, RateLimits, WebhookDocs } from '../features/api-docs/Sections.tsx'
import '../features/api-docs/api-docs.css'
import { operationsWithTag } from '../features/api-docs/operations.ts'
import { apiDocumentQuery } from '../features/api-docs/queries.ts'
import { SampleContext, type SampleLanguage } from '../features/api-docs/samples.tsx'
import { useApi } from '../lib/app-services.tsx'
import { useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { paths } from '../lib/paths.ts'
import { hasFailed } from '../lib/query-failure.ts'
import { apiDocs } from '../messages/en/api-docs.ts'
import { states } from '../messages/en/states.ts'
import { Button } from '../ui/Button.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { SectionLinks } from './SectionLinks.tsx'

const groups = ['Photos', 'Account', 'Health', 'Admin'] as const
const sectionIds = ['start', 'auth', 'photos', 'account', 'health', 'admin', 'webhooks', 'errors', 'limits'] as const
type SectionId = (typeof sectionIds)[number]

/** The public API for people, from the server's own description of it. */
export function ApiDocsPage() {
  const text = useText({ apiDocs })
  const [language, setLanguage] = useState<SampleLanguage>('Shell')
  usePageTitle(text.title)
  return (
    <div className="wrap">
      <header className="page-head">
        <div>
          <PageHeading>{text.heading}</PageHeading>
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
      <Documentation language={language} />
    </div>
  )
}

function Documentation({ language }: { language: SampleLanguage }) {
  const text = useText({ apiDocs })
  const { tryAgain } = useText({ states })
  const query = useQuery(apiDocumentQuery(useApi()))
  const { data: document, isFetching, refetch } = query
  if (document) return <Reference document={document} language={language} />
  if (!hasFailed(query)) return <ReferenceSkeleton />
  return (
    <div className="card state" role="alert">
      <p>{text.failed}</p>
      <span className="muted state__hint">{text.failedHint}</span>
      <Button busy={isFetching} onClick={() => void refetch()}>
        {tryAgain}
      </Button>
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

/** Scrolls to the part that the link names, once it is there: the document may arrive late. */
function useScrollToTarget(): void {
  const { hash } = useLocation()
  useLayoutEffect(() => {
    if (hash && window.scrollY === 0) document.getElementById(hash.slice(1))?.scrollIntoView()
    // At the first rendering only; after that, the frame scrolls.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
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
