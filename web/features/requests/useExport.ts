import { exportPhotoRequests } from '@keepsnap/contract/requests.ts'
import { useMutation } from '@tanstack/react-query'
import { useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/parts.tsx'
import { saveFile } from '../../lib/save-file.ts'
import { requests } from '../../messages/en/requests.ts'
import { useToast } from '../../ui/Toasts.tsx'
import { requestMessage } from './messages.ts'

/** Today where the browser is, `2026-11-14`. */
function today(): string {
  const now = new Date()
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** Saves all requests as a file. Fetched with the session's token, which a plain link would not carry. */
export function useExport() {
  const api = useApi()
  const toast = useToast()
  const text = useText({ requests })
  return useMutation({
    mutationFn: () => api.bytes(exportPhotoRequests, {}),
    onSuccess: (bytes) => saveFile(bytes, text.filename(today())),
    onError: (error) => toast({ text: requestMessage(error, text.errors.export), tone: 'bad' }),
  })
}
