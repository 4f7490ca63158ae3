import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import { type ReactNode, use, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { beginHelping } from '@keepsnap/contract/event-helpers.ts'
import { ApiError, errorMessage } from '../../lib/api-errors.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { helping } from '../../messages/en/event-helpers.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { HeadingFocusContext, PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { Loading, QueryView } from '../../ui/QueryView.tsx'
import { helperPollMs, helperSource, type HelperList } from './helper-review.ts'
import { Review } from './ReviewPage.tsx'
import { waitingQuery } from './review-store.ts'
import { ShownPhotos } from './ShownPhotos.tsx'

const statusOf = (error: unknown): number | null => (error instanceof ApiError ? error.status : null)

/** What the link of a helper opens: a button that binds the device, then the review of one event. */
export function HelperPage() {
  const text = useText({ helping })
  const format = useFormat()
  const api = useApi()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { hash } = useLocation()
  const headingFocus = use(HeadingFocusContext)
  const [secret, setSecret] = useState('')
  // Another link may be opened on the same page.
  const given = hash.slice(1)
  if (given !== '' && given !== secret) setSecret(given)
  const source = helperSource(api)
  const { queryKey } = waitingQuery(source)
  const query = useQuery({
    ...waitingQuery(source),
    refetchInterval: ({ state }) => (statusOf(state.error) === 404 ? false : helperPollMs),
  })
  const begin = useMutation({
    mutationFn: () => api.call(beginHelping, { body: { secret } }),
    onSettled() {
      // The button goes: the heading of what comes receives the focus.
      headingFocus.request()
      return queryClient.invalidateQueries({ queryKey })
    },
  })
  const list = query.data as HelperList | undefined // as `helperSource` returns it
  const status = statusOf(query.error)
  const isOpen = list !== undefined && status !== 403 && status !== 404
  usePageTitle(text.title)
  // The cookie counts from now on: the secret need not stay in the address.
  useEffect(() => {
    if (isOpen && given !== '') void navigate({ hash: '' }, { replace: true })
  }, [isOpen, given, navigate])

  const ended = <Sheet heading={text.ended.heading} lead={text.ended.lead} />
  if (status === 403)
    return (
      <Sheet heading={text.refused.heading} lead={text.refused.lead}>
        <output className="row">
          <Hourglass className="icon" />
          <span>{text.refused.waiting}</span>
        </output>
      </Sheet>
    )
  if (status === 404) {
    if (list || secret === '' || statusOf(begin.error) === 404) return ended
    const failure = begin.error && statusOf(begin.error) !== 403 ? begin.error : null
    return (
      <Sheet heading={text.begin.heading} lead={text.begin.lead}>
        <p>{text.begin.device}</p>
        {failure && <Note tone="bad">{errorMessage(failure, text.begin.failed)}</Note>}
        <div className="row">
          <Button tone="primary" large busy={begin.isPending} onClick={() => begin.mutate()}>
            {text.begin.button}
          </Button>
        </div>
      </Sheet>
    )
  }
  if (!list)
    return (
      <div className="wrap review">
        <QueryView query={query} loading={<Loading />} failed={text.loadFailed}>
          {() => null}
        </QueryView>
      </div>
    )
  return (
    <Review
      source={source}
      eventId={null}
      isLive={false}
      pollMs={helperPollMs}
      about={
        <>
          <span translate="no" dir="auto">
            {list.event_name}
          </span>
          <span dir="auto">{text.until(list.helper_name, format.dateTime(list.expires_at))}</span>
        </>
      }
      second={{ name: 'shown', label: text.shown, list: <ShownPhotos /> }}
      missing={ended}
    />
  )
}

function Sheet({ heading, lead, children }: { heading: string; lead: string; children?: ReactNode }) {
  return (
    <div className="wrap">
      <div className="card helper-sheet stack">
        <PageHeading key={heading}>{heading}</PageHeading>
        <p>{lead}</p>
        {children}
      </div>
    </div>
  )
}
