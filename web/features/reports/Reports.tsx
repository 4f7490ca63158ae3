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
  const { data: reports } = useQuery(reportsQuery(useApi()))
  const heading = useId()
  const seenOpen = useSeenOpen(reports)
  if (!reports || reports.length === 0) return null
  const openReports = reports.filter(({ photo }) => seenOpen.has(photo.id))
  const reviewedReports = reports.filter(({ photo }) => !seenOpen.has(photo.id))
  const reportList = (listed: readonly PhotoReport[]) => (
    <ul className="reports__list">
      {listed.map((report) => (
        <ReportCard key={report.photo.id} report={report} onDecided={onDecided} />
      ))}
    </ul>
  )
  return (
    <section className="reports" aria-labelledby={heading}>
      <h2 id={heading}>{text.heading}</h2>
      <p className="small muted">{text.lead}</p>
      {openReports.length > 0 && reportList(openReports)}
      {reviewedReports.length > 0 && (
        <details>
          <summary className="link tabular-numbers">{text.reviewed(reviewedReports.length)}</summary>
          {reportList(reviewedReports)}
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
