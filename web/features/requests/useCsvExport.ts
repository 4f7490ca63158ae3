import { exportPhotoRequests } from '@keepsnap/contract/requests.ts'
import { useMutation } from '@tanstack/react-query'
import { useText } from '../../lib/i18n.tsx'
import { refusalMessage } from '../../lib/error-message.ts'
import { useApi } from '../../lib/app-services.tsx'
import { downloadFile } from '../../lib/download-file.ts'
import { requests } from '../../messages/en/requests.ts'
import { useToast } from '../../ui/Toasts.tsx'

/** Today in the browser's time zone, `2026-11-14`. */
function today(): string {
  const now = new Date()
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** Saves all requests as a CSV file. Fetched by script, because a link would not send the session's token. */
export function useCsvExport() {
  const api = useApi()
  const toast = useToast()
  const text = useText({ requests })
  return useMutation({
    mutationFn: () => api.bytes(exportPhotoRequests, {}),
    onSuccess: (bytes) => downloadFile(bytes, text.filename(today())),
    onError: (error) => toast({ text: refusalMessage(error, text.errors.export), tone: 'bad' }),
  })
}
