import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { refusalMessage } from '../../lib/error-message.ts'
import { useText } from '../../lib/i18n.tsx'
import { reports as messages } from '../../messages/en/reports.ts'
import { useToast } from '../../ui/Toasts.tsx'
import { openReports } from './open-reports.ts'
import { reportsQuery, useDecideReport, useUndoDecision } from './queries.ts'

/** The reported photo to review next, and hiding it with one press. */
export interface OpenReport {
  report: PhotoReport
  /** Of photos that need a review, this one included. */
  count: number
  hide: () => void
  hiding: boolean
}

/** A press this soon after another photo was hidden may be the second half of a double click on that one. */
const doubleClickMs = 700

/** Null when no photo needs a review. */
export function useOpenReport(onDecided: (report: PhotoReport) => void): OpenReport | null {
  const text = useText({ reports: messages })
  const toast = useToast()
  const open = openReports(useQuery(reportsQuery(useApi())).data ?? [])
  const { mutateAsync, isPending } = useDecideReport(onDecided)
  const { mutateAsync: undoAsync } = useUndoDecision(onDecided)
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
  return { report, count: open.length, hide: () => void hide(), hiding: isPending }
}
