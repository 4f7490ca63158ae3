import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { reports as messages } from '../../messages/en/reports.ts'
import { reportsQuery } from './queries.ts'
import { ReportCard } from './ReportCard.tsx'
import './reports.css'

/** The reported photos; renders nothing without any. Those that were reviewed before the page was opened are collapsed. */
export function Reports({ onDecided }: { onDecided: (report: PhotoReport) => void }) {
  const text = useText({ reports: messages })
  const { data } = useQuery(reportsQuery(useApi()))
  const heading = useId()
  const seenOpen = useSeenOpen(data)
  if (!data || data.length === 0) return null
  const shown = data.filter(({ photo }) => seenOpen.has(photo.id))
  const reviewed = data.filter(({ photo }) => !seenOpen.has(photo.id))
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
      {reviewed.length > 0 && (
        <details>
          <summary className="link num">{text.reviewed(reviewed.length)}</summary>
          {list(reviewed)}
        </details>
      )}
    </section>
  )
}

/** Ids of the photos that needed a review at any time since the page was opened. */
function useSeenOpen(reports: readonly PhotoReport[] | undefined): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const newlyOpen = reports?.filter(({ open, photo }) => open && !seen.has(photo.id)) ?? []
  if (newlyOpen.length === 0) return seen
  const next = new Set([...seen, ...newlyOpen.map(({ photo }) => photo.id)])
  setSeen(next)
  return next
}
