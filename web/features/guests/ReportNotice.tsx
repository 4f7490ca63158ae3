import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { EyeOff, Flag, X } from 'lucide-react'
import { Link } from 'react-router'
import type { PhotoReport } from '@keepsnap/contract/guests.ts'
import { useApi, useMediaUrl } from '../../lib/app-services.tsx'
import { refusalMessage } from '../../lib/api-errors.ts'
import { useText } from '../../lib/i18n.tsx'
import { reports as messages } from '../../messages/en/guests.ts'
import { useToast } from '../../ui/Toasts.tsx'
import { useFocusReturn } from '../../lib/focus.ts'
import { paths } from '../../lib/paths.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { openStorage } from '../../lib/storage.ts'
import { openReports } from './open-reports.ts'
import { reportsQuery, useDecideReport, useUndoDecision } from './reports.ts'
import './guests.css'

/** A press this soon after another photo was hidden may be the second half of a double click on that one. */
const doubleClickMs = 700

/** The reported photo to review next, and hiding it with one press; null when no photo needs a review. */
function useOpenReport() {
  const text = useText({ reports: messages })
  const toast = useToast()
  const open = openReports(useQuery(reportsQuery(useApi())).data ?? [])
  const { mutateAsync, isPending } = useDecideReport()
  const { mutateAsync: undoAsync } = useUndoDecision()
  const lastHidden = useRef<{ photoId: string; at: number }>(null)
  const [report] = open
  if (!report) return null
  // The photo may have been hidden again, or its reports closed, since.
  const undoneText = (undone: PhotoReport): string => {
    if (undone.hidden) return text.done.staysHidden
    return undone.open ? text.done.undo : text.done.keep
  }
  const undo = async (hidden: PhotoReport): Promise<void> => {
    try {
      toast({ text: undoneText(await undoAsync(hidden)) })
    } catch (error) {
      toast({ text: refusalMessage(error, text.errors.undo), tone: 'bad' })
    }
  }
  const hide = async (): Promise<void> => {
    const { id } = report.photo
    const last = lastHidden.current
    if (last && last.photoId !== id && Date.now() - last.at < doubleClickMs) return
    try {
      const hidden = await mutateAsync({ id, decision: 'hide' })
      lastHidden.current = { photoId: id, at: Date.now() }
      toast({ text: text.done.hide, id, action: { label: text.undo, run: () => void undo(hidden) } })
    } catch (error) {
      toast({ text: refusalMessage(error, text.errors.decide), tone: 'bad' })
    }
  }
  /** `count`: of photos that need a review, this one included. */
  return { report, count: open.length, hide: () => void hide(), hiding: isPending }
}

type OpenReport = NonNullable<ReturnType<typeof useOpenReport>>

/**
 * On the big screen, beside its controls: a small flag, and with the controls the photo and a button that hides it. It is
 * too small to be read from where guests stand, and does not say why the photo was reported.
 */
export function ReportIndicator() {
  const open = useOpenReport()
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

/** A card over every page while a reported photo needs a review. Once dismissed, it returns with the next report. */
export function ReportNotices({ userId }: { userId: string }) {
  // Browsers store this key: do not rename it. Each user of this tab has their own.
  const dismissedKey = `report-later-${userId}`
  const open = useOpenReport()
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
