import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { Flag } from 'lucide-react'
import { Link } from 'react-router'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { useFocusReturn } from '../../lib/focus-return.ts'
import { useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { reports as messages } from '../../messages/en/reports.ts'
import { Button } from '../../ui/Button.tsx'
import { useOpenReport, type OpenReport } from './useOpenReport.ts'
import './report-notice.css'

/**
 * On the big screen, beside its controls: a small flag, and with the controls the photo and a button that hides it. It is
 * too small to be read from where guests stand, and does not say why the photo was reported.
 */
export function ReportIndicator({ onDecided }: { onDecided: (report: PhotoReport) => void }) {
  const open = useOpenReport(onDecided)
  return open && <Indicator {...open} />
}

function Indicator({ report, count, hide, hiding }: OpenReport) {
  const text = useText({ reports: messages })
  const media = useMediaUrl()
  const focusReturn = useFocusReturn()
  const thumbnailUrl = report.photo.thumbnail_url && media(report.photo.thumbnail_url)
  return (
    <section className="report-sign on-photo" aria-label={text.notice.label} {...focusReturn}>
      <Flag className="icon" />
      <div className="report-sign__tools">
        {thumbnailUrl && <img src={thumbnailUrl} width="32" height="32" alt="" />}
        <output>{text.sign(count)}</output>
        <Button tone="ghost" busy={hiding} onClick={hide}>
          {text.hide}
        </Button>
        <Link className="btn btn--ghost" to={paths.photoRequests}>
          {text.notice.review}
        </Link>
      </div>
    </section>
  )
}
