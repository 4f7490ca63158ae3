import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { useFocusFallback } from '../../lib/focus-fallback.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { hasFailed } from '../../lib/query-failure.ts'
import { operator } from '../../messages/en/operator.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { SectionLoadFailed } from './SectionLoadFailed.tsx'

type PhotoQuery = Pick<
  UseInfiniteQueryResult,
  | 'isPending'
  | 'isError'
  | 'isFetchedAfterMount'
  | 'isRefetchError'
  | 'isFetching'
  | 'isFetchingNextPage'
  | 'isFetchNextPageError'
  | 'hasNextPage'
  | 'fetchNextPage'
  | 'refetch'
>

interface Props {
  heading: string
  lead?: string
  /** Undefined until the list is loaded. */
  total: number | undefined
  shown: number
  query: PhotoQuery
  /** Why the list could not be loaded. */
  failure: string
  children: ReactNode
}

/** A section with a list of photos: the total, the states of loading, and a button that loads more. */
export function PhotoSection({ heading, lead, total, shown, query, failure, children }: Props) {
  const text = useText({ operator })
  const format = useFormat()
  const id = useId()
  return (
    <section aria-labelledby={id} ref={useFocusFallback()} tabIndex={-1} className="operator-section">
      <h2 id={id}>
        {heading}{' '}
        {total !== undefined && total > 0 && <span className="muted tabular-numbers">{format.count(total)}</span>}
      </h2>
      {lead && <p className="small muted">{lead}</p>}
      {total !== undefined && query.isRefetchError && <Note tone="bad">{text.errors.outdated}</Note>}
      {query.isPending && !hasFailed(query) && <LineSkeleton />}
      {children}
      {total === undefined && hasFailed(query) && (
        <SectionLoadFailed sentence={failure} busy={query.isFetching} onRetry={() => void query.refetch()} />
      )}
      {query.isFetchNextPageError && <Note tone="bad">{failure}</Note>}
      {total !== undefined && query.hasNextPage && (
        <div className="operator-more">
          <span className="small muted tabular-numbers">{text.firstOf(format.count(shown), format.count(total))}</span>
          <Button busy={query.isFetchingNextPage} onClick={() => !query.isFetching && void query.fetchNextPage()}>
            {text.more}
          </Button>
        </div>
      )}
    </section>
  )
}

/** The photos of all pages without duplicates: a photo may move to a later page between two requests. */
export function uniquePhotos<Photo>(pages: readonly { photos: Photo[] }[], idOf: (photo: Photo) => string): Photo[] {
  const byId = new Map(pages.flatMap(({ photos }) => photos.map((photo) => [idOf(photo), photo])))
  return [...byId.values()]
}

/** As high as the sentence of an empty list, which is what most instances show. */
function LineSkeleton() {
  return (
    <p className="operator-empty" aria-hidden="true">
      <Skeleton width="60%" height="1.4em" />
    </p>
  )
}
