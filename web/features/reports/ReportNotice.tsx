import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { EyeOff, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { useFocusReturn } from '../../lib/focus-return.ts'
import { useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { openStorage } from '../../lib/storage.ts'
import { reports as messages } from '../../messages/en/reports.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { useOpenReport, type OpenReport } from './useOpenReport.ts'
import './report-notice.css'

// Browsers store this key: do not rename it. Each user of this tab has their own.
const dismissedKeyOf = (userId: string): string => `report-later-${userId}`

interface Props {
  userId: string
  onDecided: (report: PhotoReport) => void
}

/** A card over every page while a reported photo needs a review. Once dismissed, it returns with the next report. */
export function ReportNotice({ userId, onDecided }: Props) {
  const dismissedKey = dismissedKeyOf(userId)
  const open = useOpenReport(onDecided)
  const [storage] = useState(() => openStorage(() => window.sessionStorage))
  const [dismissedAt, setDismissedAt] = useState(() => storage.get(dismissedKey) ?? '')
  if (!open) return null
  const newestAt = open.report.reports[0]?.reported_at ?? ''
  if (newestAt <= dismissedAt) return null
  const dismiss = (): void => {
    storage.set(dismissedKey, newestAt)
    setDismissedAt(newestAt)
  }
  return <Card open={open} onDismiss={dismiss} />
}

function Card({ open: { report, count, hide, hiding }, onDismiss }: { open: OpenReport; onDismiss: () => void }) {
  const text = useText({ reports: messages })
  const media = useMediaUrl()
  const focusReturn = useFocusReturn()
  const { photo, reports } = report
  const thumbnailUrl = photo.thumbnail_url && media(photo.thumbnail_url)
  const reasons = [...new Set(reports.map(({ reason }) => text.reasons[reason]))]
  return (
    <section className="report-notice" aria-label={text.notice.label} {...focusReturn}>
      {thumbnailUrl && <img src={thumbnailUrl} width="56" height="56" alt="" />}
      <div className="report-notice__text" role="alert">
        <b>{text.notice.heading}</b>
        <p className="small">
          {reasons[0]}
          {count > 1 && <span className="muted"> {text.notice.more(count - 1)}</span>}
        </p>
      </div>
      <Button className="report-notice__dismiss" tone="ghost" icon aria-label={text.notice.dismiss} onClick={onDismiss}>
        <X className="icon" />
      </Button>
      <div className="report-notice__actions">
        <Button tone="danger" busy={hiding} onClick={hide}>
          {!hiding && <EyeOff className="icon" />}
          {text.hide}
        </Button>
        <Link className={buttonClass({})} to={paths.photoRequests}>
          {text.notice.review}
        </Link>
      </div>
    </section>
  )
}
