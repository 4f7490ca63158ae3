import { adminLimits } from '@keepsnap/contract/limits.ts'
import { useId, useState, type ReactNode } from 'react'
import { useFocusFallback } from '../../lib/focus-fallback.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { operator } from '../../messages/en/operator.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

const firstLength = 5
const lengthSteps = [firstLength, 25, adminLimits.pageMax]

export interface ListLength {
  value: number
  /** Null at the longest. */
  extend: (() => void) | null
}

/** How many of the newest photos a list shows. */
export function useListLength(): ListLength {
  const [value, setValue] = useState(firstLength)
  const next = lengthSteps.find((length) => length > value)
  return { value, extend: next === undefined ? null : () => setValue(next) }
}

interface Props {
  heading: string
  lead?: string
  /** Undefined until the list is loaded. */
  total: number | undefined
  shown: number | undefined
  query: { isPending: boolean; isRefetchError: boolean; isPlaceholderData: boolean }
  length: ListLength
  children: ReactNode
}

/** A list of photos with its number, its state while it loads, and a button for more of it. */
export function PhotoSection({ heading, lead, total, shown, query, length, children }: Props) {
  const text = useText({ operator })
  const format = useFormat()
  const id = useId()
  const hasMore = total !== undefined && shown !== undefined && shown < total
  return (
    <section aria-labelledby={id} ref={useFocusFallback()} tabIndex={-1} className="operator-section">
      <h2 id={id}>
        {heading}{' '}
        {total !== undefined && total > 0 && <span className="muted tabular-numbers">{format.count(total)}</span>}
      </h2>
      {lead && <p className="small muted">{lead}</p>}
      {query.isRefetchError && <Note tone="bad">{text.errors.outdated}</Note>}
      {query.isPending && <RowsSkeleton />}
      {children}
      {hasMore && (
        <div className="operator-more">
          <span className="small muted tabular-numbers">{text.newestOf(format.count(shown), format.count(total))}</span>
          {length.extend && (
            <Button busy={query.isPlaceholderData} onClick={length.extend}>
              {text.more}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

function RowsSkeleton() {
  return (
    <div className="operator-rows" aria-hidden="true">
      {Array.from({ length: 3 }, (_, index) => (
        <div key={index}>
          <Skeleton width="40%" height="1rem" />
          <Skeleton width="70%" height="0.8rem" />
        </div>
      ))}
    </div>
  )
}
