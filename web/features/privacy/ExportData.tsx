import type { Archive } from '@keepsnap/contract/privacy.ts'
import { useQuery } from '@tanstack/react-query'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { hasFailed } from '../../lib/query-failure.ts'
import { security } from '../../messages/en/security.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { exportQuery, useRequestExport } from './queries.ts'

/** Requests an archive of the user's data, and shows its state. */
export function ExportData({ email }: { email: string }) {
  const { data: text, genericError } = useText({ security })
  const query = useQuery(exportQuery(useApi()))
  const archive = query.data
  const requestExport = useRequestExport()
  const isQueued = archive?.state === 'queued'
  return (
    <div className="security-actions__more">
      <p>
        <b>{text.title}</b>
        <span>{text.hint}</span>
      </p>
      <Button busy={requestExport.isPending || isQueued} onClick={() => requestExport.mutate()}>
        {archive?.state === 'ready' ? text.again : text.start}
      </Button>
      {requestExport.isError ? (
        <Note tone="bad">{errorMessage(requestExport.error, genericError)}</Note>
      ) : (
        archive && <ExportState archive={archive} email={email} />
      )}
      {hasFailed(query) && !archive && <Note tone="plain">{text.loadFailed}</Note>}
    </div>
  )
}

function ExportState({ archive, email }: { archive: Archive; email: string }) {
  const text = useText({ security }).data
  const format = useFormat()
  if (archive.state === 'queued') return <Note tone="plain">{text.queued(email)}</Note>
  if (archive.state === 'failed') return <Note tone="bad">{text.failed}</Note>
  if (archive.state === 'none' || archive.expires_at === null) return null
  return <Note tone="ok">{text.ready(format.size(archive.size_bytes ?? 0), format.dateTime(archive.expires_at))}</Note>
}
