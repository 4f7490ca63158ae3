import { faultStatus, type FaultCode } from '@keepsnap/contract/errors.ts'
import type { ApiDocument } from '@keepsnap/contract/api-docs.ts'
import { useText } from '../../lib/i18n.tsx'
import { apiDocs } from '../../messages/en/api-docs.ts'

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
