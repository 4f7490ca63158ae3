import type { ApiDocument } from '@keepsnap/contract/api-docs.ts'
import { Link } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { apiDocs } from '../../messages/en/api-docs.ts'
import { apiSection } from './api-section.ts'
import { OperationDetails } from './OperationDetails.tsx'
import { FieldTable } from './FieldTable.tsx'
import { eventsOf } from './operations.ts'
import { SampleSnippet } from './samples.tsx'

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
