import type { ApiDocument } from '@keepsnap/contract/api-docs.ts'
import { useText } from '../../lib/i18n.tsx'
import { apiDocs } from '../../messages/en/api-docs.ts'
import { Snippet } from './Snippet.tsx'

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
