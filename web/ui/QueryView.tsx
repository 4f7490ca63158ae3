import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { TriangleAlert } from 'lucide-react'
import { useText } from '../lib/i18n.tsx'
import { states } from '../messages/en/frame.ts'
import { Button } from './Button.tsx'
import { LogoMark } from './Logo.tsx'
import { Note } from './Note.tsx'
import { PageHeading } from './PageHeading.tsx'

type FailureState = Pick<UseQueryResult, 'isError' | 'isPending' | 'isFetchedAfterMount'>

/** What the views of a failure receive. `busy`: it is being tried again. */
interface Failure {
  sentence: string
  busy: boolean
  onRetry: () => void
}

interface QueryViewProps<Data> {
  query: FailureState & {
    data: Data | undefined
    isRefetchError: boolean
    isFetching: boolean
    refetch: () => unknown
  }
  loading: ReactNode
  /** Why nothing is shown, on a card with a button. */
  failed: string
  /** What to show instead of that card. */
  renderFailed?: (failure: Failure) => ReactNode
  /** Of that card: another size, by the CSS of a feature. */
  className?: string
  /** That the data shown may be old, after a later fetch failed. */
  stale?: string
  children: (data: Data) => ReactNode
}

/** What a query has fetched; until then that it is loading, or has failed. */
export function QueryView<Data>({ query, loading, failed, children, ...rest }: QueryViewProps<Data>) {
  const { data, isFetching, refetch } = query
  const { renderFailed, className, stale } = rest
  if (data !== undefined)
    return (
      <>
        {stale !== undefined && query.isRefetchError && <Note tone="bad">{stale}</Note>}
        {children(data)}
      </>
    )
  if (!hasFailed(query)) return loading
  const failure = { sentence: failed, busy: isFetching, onRetry: () => void refetch() }
  return renderFailed ? renderFailed(failure) : <LoadFailed {...(className && { className })} {...failure} />
}

interface LoadMoreProps {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'isFetchingNextPage' | 'fetchNextPage'>
  /** On the button. */
  label: string
  /** Of the line with the button and, before it, `children`. Without it, only the button. */
  className?: string
  children?: ReactNode
}

/** Below a list: loads its next page, if there is one. */
export function LoadMore({ query, label, className, children }: LoadMoreProps) {
  if (!query.hasNextPage) return null
  const button = (
    <Button busy={query.isFetchingNextPage} onClick={() => !query.isFetching && void query.fetchNextPage()}>
      {label}
    </Button>
  )
  if (className === undefined) return button
  return (
    <div className={className}>
      {children}
      {button}
    </div>
  )
}

/**
 * Whether the last completed fetch of a query failed. Without data, `isError` becomes false during the next fetch, also
 * during a poll; this stays true, so that the message stays and its button keeps the focus. Fetches of pages that were
 * left do not count.
 */
export const hasFailed = ({ isError, isPending, isFetchedAfterMount }: FailureState): boolean =>
  isError || (isPending && isFetchedAfterMount)

/** The error of the last completed fetch, for messages that depend on it; null unless `hasFailed`. */
export function useLastError(query: FailureState & Pick<UseQueryResult, 'error'>): Error | null {
  const [lastError, setLastError] = useState<Error | null>(null)
  const error = query.error ?? (hasFailed(query) ? lastError : null)
  if (error !== lastError) setLastError(error)
  return error
}

/** Replaces a part of a page that could not be loaded. */
export function LoadFailed({ sentence, busy, onRetry, className = '' }: Failure & { className?: string }) {
  const { tryAgain } = useText({ states })
  return (
    <div className={`card state ${className}`.trimEnd()} role="alert">
      <TriangleAlert className="icon state__icon" />
      <p>{sentence}</p>
      <Button busy={busy} onClick={onRetry}>
        {tryAgain}
      </Button>
    </div>
  )
}

/** The same in a small part of a page: a note, and the button below it. */
export function LoadFailedNote({ sentence, busy, onRetry }: Failure) {
  const { tryAgain } = useText({ states })
  return (
    <>
      <Note tone="bad">{sentence}</Note>
      <div className="row">
        <Button busy={busy} onClick={onRetry}>
          {tryAgain}
        </Button>
      </div>
    </>
  )
}

/** Shown while a page is loading and its layout is unknown. */
export function Loading() {
  return (
    <output className="state state--page">
      <span className="spin" aria-hidden="true" />
      <span className="small muted">{useText({ states }).loading}</span>
    </output>
  )
}

/** A placeholder while content loads. Sizes in CSS units; hidden from screen readers. */
export function Skeleton({ width = '100%', height = '1em' }: { width?: string; height?: string }) {
  return <span className="skeleton" style={{ display: 'inline-block', width, height }} aria-hidden="true" />
}

/** The empty state of a list: a blank print, one sentence, one action. */
export function EmptyState({ sentence, children }: { sentence: string; children?: ReactNode }) {
  return (
    <div className="state">
      <div className="blank-print" aria-hidden="true">
        <LogoMark />
      </div>
      <p>{sentence}</p>
      {children}
    </div>
  )
}

/** Replaces a page that failed to load: what failed, why or what to do, one action. */
export function ErrorState({ sentence, hint, children }: { sentence: string; hint?: string; children?: ReactNode }) {
  return (
    <div className="state" role="alert">
      <PageHeading className="state__sentence">{sentence}</PageHeading>
      {hint && <span className="muted state__hint">{hint}</span>}
      {children}
    </div>
  )
}
