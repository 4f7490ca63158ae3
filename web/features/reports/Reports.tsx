import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/parts.tsx'
import { reports as words } from '../../messages/en/reports.ts'
import { reportsQuery } from './queries.ts'
import { ReportCard } from './ReportCard.tsx'
import './reports.css'

/** What guests reported; nothing at all when they did not. Decided ones are folded away, not those decided just now. */
export function Reports({ onDecided }: { onDecided: (report: PhotoReport) => void }) {
  const text = useText({ reports: words })
  const { data } = useQuery(reportsQuery(useApi()))
  const heading = useId()
  const wasOpen = useSeenOpen(data)
  if (!data || data.length === 0) return null
  const shown = data.filter(({ photo }) => wasOpen.has(photo.id))
  const decided = data.filter(({ photo }) => !wasOpen.has(photo.id))
  const list = (reports: readonly PhotoReport[]) => (
    <ul className="reports__list">
      {reports.map((report) => (
        <ReportCard key={report.photo.id} report={report} onDecided={onDecided} />
      ))}
    </ul>
  )
  return (
    <section className="reports" aria-labelledby={heading}>
      <h2 id={heading}>{text.heading}</h2>
      <p className="small muted">{text.lead}</p>
      {shown.length > 0 && list(shown)}
      {decided.length > 0 && (
        <details>
          <summary className="link num">{text.decided(decided.length)}</summary>
          {list(decided)}
        </details>
      )}
    </section>
  )
}

/** Photos that waited for a decision at any time since the page was opened. */
function useSeenOpen(reports: readonly PhotoReport[] | undefined): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const fresh = reports?.filter(({ open, photo }) => open && !seen.has(photo.id)) ?? []
  if (fresh.length === 0) return seen
  const next = new Set([...seen, ...fresh.map(({ photo }) => photo.id)])
  setSeen(next)
  return next
}
