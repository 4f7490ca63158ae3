import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../lib/app-services.tsx'
import { refusalMessage } from '../../lib/error-message.ts'
import { useText } from '../../lib/i18n.tsx'
import { reports as messages } from '../../messages/en/reports.ts'
import { useToast } from '../../ui/Toasts.tsx'
import { openReports } from './open-reports.ts'
import { reportsQuery, useDecideReport } from './queries.ts'

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
  const [report] = open
  if (!report) return null
  const hide = async (): Promise<void> => {
    try {
      await mutateAsync({ id: report.photo.id, decision: 'hide' })
      toast({ text: text.done.hide })
    } catch (error) {
      toast({ text: refusalMessage(error, text.errors.decide), tone: 'bad' })
    }
  }
  return { report, count: open.length, hide: () => void hide(), hiding: isPending }
}
