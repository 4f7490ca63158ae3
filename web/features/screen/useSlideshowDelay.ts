import { type SlideshowDelayMinutes, updateSettings, type User } from '@keepsnap/contract/accounts.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { currentUserQuery, useApi, useCurrentUser } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import { useText } from '../../lib/i18n.tsx'
import { latest } from '../../messages/en/screen.ts'
import { useToast } from '../../ui/Toasts.tsx'

/** After how many quiet minutes the slideshow starts on Latest, updated optimistically. */
export function useSlideshowDelay(): {
  minutes: SlideshowDelayMinutes
  change: (minutes: SlideshowDelayMinutes) => void
} {
  const api = useApi()
  const queryClient = useQueryClient()
  const { user } = useCurrentUser()
  const text = useText({ latest }).slideshow
  const toast = useToast()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (slow_show_minutes: SlideshowDelayMinutes) => api.call(updateSettings, { body: { slow_show_minutes } }),
    scope: { id: 'settings' },
    onMutate: () => queryClient.cancelQueries(currentUserQuery(api)),
    onSuccess: (saved) => queryClient.setQueryData<User>(currentUserQuery(api).queryKey, saved),
    onError: (error) => toast({ text: errorMessage(error, text.failed), tone: 'bad' }),
  })
  return { minutes: isPending ? variables : (user?.slow_show_minutes ?? 0), change: (minutes) => mutate(minutes) }
}
