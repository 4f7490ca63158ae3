import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { useQuery } from '@tanstack/react-query'
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

/** Null when no photo needs a review. */
export function useOpenReport(onDecided: (report: PhotoReport) => void): OpenReport | null {
  const text = useText({ reports: messages })
  const toast = useToast()
  const open = openReports(useQuery(reportsQuery(useApi())).data ?? [])
  const { mutateAsync, isPending } = useDecideReport(onDecided)
  const { mutateAsync: undoAsync } = useUndoDecision(onDecided)
  const [report] = open
  if (!report) return null
  const undo = async (hidden: PhotoReport): Promise<void> => {
    try {
      await undoAsync(hidden)
      toast({ text: text.done.undo })
    } catch (error) {
      toast({ text: refusalMessage(error, text.errors.undo), tone: 'bad' })
    }
  }
  const hide = async (): Promise<void> => {
    try {
      const hidden = await mutateAsync({ id: report.photo.id, decision: 'hide' })
      toast({ text: text.done.hide, action: { label: text.undo, run: () => void undo(hidden) } })
    } catch (error) {
      toast({ text: refusalMessage(error, text.errors.decide), tone: 'bad' })
    }
  }
  return { report, count: open.length, hide: () => void hide(), hiding: isPending }
}
