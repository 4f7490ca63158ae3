import { apiDocument, type ApiDocument } from '@keepsnap/contract/api-docs.ts'
import { type FaultCode, faultStatus } from '@keepsnap/contract/errors.ts'
import { useRef } from 'react'
import { Link } from 'react-router'
import { useApi } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { apiDocs } from '../../messages/en/api-docs.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { FieldTable } from './FieldTable.tsx'
import { OperationDetails } from './OperationDetails.tsx'
import { Snippet } from './Snippet.tsx'
import { apiSection } from './api-section.ts'
import { eventsOf } from './operations.ts'
import { SampleSnippet } from './samples.tsx'

/** A first call to try, and what applies to all calls: base URL, formats, tools. */
export function QuickStart({ document }: { document: ApiDocument }) {
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
        <div>
          <dt>{text.baseUrl}</dt>
          <dd className="facts__copy">
            <code ref={baseUrl} translate="no">
              {origin}
            </code>
            <CopyButton icon text={origin} label={text.baseUrl} shownIn={baseUrl} />
          </dd>
        </div>
        <div>
          <dt>{text.format}</dt>
          <dd>{text.formatText}</dd>
        </div>
        <div>
          <dt>{text.booths}</dt>
          <dd>
            <a href={`${origin}/keepsnap-upload.mjs`} download translate="no">
              keepsnap-upload.mjs
            </a>
            <br />
            {text.boothsText}
          </dd>
        </div>
        <div>
          <dt>{text.machine}</dt>
          <dd>
            <a href={`${origin}${apiDocument.path}`} translate="no">
              {apiDocument.path.slice(1)}
            </a>
            <br />
            {text.machineText}
          </dd>
        </div>
      </dl>
    </>
  )
}

/** How many calls are allowed, and the headers that say what is left. */
export function RateLimits({ document }: { document: ApiDocument }) {
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

const statusOf = (code: string): number => faultStatus[code as FaultCode] // the examples have the codes of the contract

const detailOf = (value: unknown): string => {
  const { detail } = value as { detail: unknown } // every refusal is `{ code, detail }`
  return typeof detail === 'string' ? detail : JSON.stringify(detail)
}

/** Every refusal of the API, and what to do. */
export function Errors({ document }: { document: ApiDocument }) {
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
                  <b className="tabular-numbers">{statusOf(code)}</b>
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

/** The shape of a key; not a valid one. */
const sampleKey = 'ksnap_4Tq8mWz2RkXv7LpYc1NsBd90HgJf6aEuQx3T5rVbKoPm2Zi4f9c'

/** How a program authenticates: with an API key in a header. */
export function Authentication() {
  const text = useText({ apiDocs }).auth
  return (
    <>
      <p>{text.lead}</p>
      <Snippet label={text.header} code={`X-API-Key: ${sampleKey}`} />
      <p>{text.key}</p>
    </>
  )
}

/** The events that are sent to a customer's own server, and how it checks them. */
export function WebhookDocs({ document }: { document: ApiDocument }) {
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
