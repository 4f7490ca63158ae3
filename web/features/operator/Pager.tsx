import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { operatorUsers } from '../../messages/en/operator-users.ts'
import { Button } from '../../ui/Button.tsx'

interface Props {
  /** Number of entries on this page. */
  shown: number
  total: number
  skip: number
  pageSize: number
  /** Another page is being loaded. */
  isOutdated: boolean
  toPage: (skip: number) => void
}

/** Pagination: which entries are shown, and buttons to the previous and the next page. */
export function Pager({ shown, total, skip, pageSize, isOutdated, toPage }: Props) {
  const text = useText({ operatorUsers })
  const format = useFormat()
  const last = skip + shown
  return (
    <div className="row row--between operator-pager">
      <output className="small muted tabular-numbers">
        {shown > 0 && text.range(format.count(skip + 1), format.count(last), format.count(total))}
      </output>
      {(total > pageSize || skip > 0) && (
        <span className="row">
          <Button disabled={skip === 0} onClick={() => !isOutdated && toPage(Math.max(0, skip - pageSize))}>
            <ChevronLeft className="icon" />
            {text.previous}
          </Button>
          <Button disabled={last >= total} onClick={() => !isOutdated && toPage(skip + pageSize)}>
            {text.next}
            <ChevronRight className="icon" />
          </Button>
        </span>
      )}
    </div>
  )
}
