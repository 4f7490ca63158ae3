import { useId } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { paths } from '../../../lib/paths.ts'
import { upload } from '../../../messages/en/upload.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Note } from '../../../ui/Note.tsx'
import { ProgressBar } from './ProgressBar.tsx'
import { isUnderway, secondsLeft, totalsOf, type UploadItem } from './queue.ts'
import { QueueRow } from './QueueRow.tsx'
import type { UploadsState } from './upload-store.ts'
import type { Uploads } from './uploads.ts'
import type { Stored } from './useStored.ts'

interface Props {
  state: UploadsState
  /** What became of stored files, by the photo's id. */
  stored: ReadonlyMap<string, Stored>
  uploads: Uploads
}

const storedOf = (item: UploadItem, stored: Props['stored']): Stored | undefined =>
  item.state.at === 'stored' ? stored.get(item.state.photoId) : undefined

/** Several files: one total, a row for each, what went wrong and what can be done about it. */
export function UploadQueue({ state, stored, uploads }: Props) {
  const text = useText({ upload }).queue
  const heading = useId()
  const { items } = state
  const counts = countsOf(items, stored)
  const underway = isUnderway(items)
  const finished = items.filter((item) => ['ready', 'gone'].includes(storedOf(item, stored)?.state ?? ''))
  const stopped = items.filter((item) => item.state.at === 'stopped').length
  return (
    <section className="up__queue" aria-labelledby={heading}>
      <div className="row row--between">
        <h2 id={heading}>{text.heading(items.length)}</h2>
        <p className="small muted num">
          {[
            counts.done > 0 && text.done(counts.done),
            counts.underway > 0 && text.underway(counts.underway),
            counts.toFix > 0 && text.toFix(counts.toFix),
            counts.held > 0 && text.held(counts.held),
          ]
            .filter(Boolean)
            .join(', ')}
        </p>
      </div>
      {underway && <Total state={state} />}
      <ul className="qs">
        {items.map((item) => (
          <QueueRow key={item.id} item={item} stored={storedOf(item, stored)} uploads={uploads} />
        ))}
      </ul>
      {underway && <Note tone="plain">{text.keepOpen}</Note>}
      {counts.held > 0 && <Note tone="warn">{text.kept}</Note>}
      <div className="row up__after">
        {stopped > 1 && <Button onClick={() => uploads.retryAll()}>{text.retryAll}</Button>}
        {finished.length > 0 && (
          <>
            <Link className={buttonClass({})} to={paths.latest}>
              {text.seeLatest}
            </Link>
            <Button tone="ghost" onClick={() => uploads.clear(finished.map(({ id }) => id))}>
              {text.clear}
            </Button>
          </>
        )}
      </div>
    </section>
  )
}

function countsOf(items: readonly UploadItem[], stored: Props['stored']) {
  const counts = { done: 0, underway: 0, toFix: 0, held: 0 }
  for (const item of items) {
    const fate = storedOf(item, stored)?.state
    if (fate === 'ready' || fate === 'gone') counts.done += 1
    else if (fate === 'failed' || item.state.at === 'stopped' || item.state.at === 'refused') counts.toFix += 1
    else if (item.state.at === 'held') counts.held += 1
    else counts.underway += 1
  }
  return counts
}

function Total({ state: { items, run, at } }: { state: UploadsState }) {
  const text = useText({ upload }).queue
  const format = useFormat()
  const totals = totalsOf(items)
  const seconds = secondsLeft(totals, run && { sentBytes: totals.sentBytes - run.sentBefore, ms: at - run.startedAt })
  const line = text.total(format.percent(totals.share), format.size(totals.sentBytes), format.size(totals.bytes))
  return (
    <div className="up__total">
      <ProgressBar label={text.uploading} share={totals.share} />
      <p className="q__say num">
        {line}
        {seconds !== null && text.left(seconds < 100 ? text.seconds(seconds) : text.minutes(Math.round(seconds / 60)))}
      </p>
    </div>
  )
}
