import type { Photo } from '@keepsnap/contract/photos.ts'
import { useEffect, useState } from 'react'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { useServerSentence } from '../../../lib/server-sentences.ts'
import { latest } from '../../../messages/en/latest.ts'
import { Button } from '../../../ui/Button.tsx'
import { photoStateOf } from '../photo-state.ts'

/** What the panel needs of the live connection. */
export interface DebugChannel {
  /** In the user's language. */
  state: string
  /** False when the connection is not open. */
  sendTest: () => boolean
  /** Calls back when a test message arrives; returns a function that removes the listener. */
  onTest: (listener: () => void) => () => void
}

interface Props {
  channel: DebugChannel
  /** Milliseconds; null when nothing has been fetched. */
  fetchedAt: number | null
  photo: Photo | null
}

/** For admins: the data of the Latest page, and a test of the live connection. */
export function LatestDebug({ channel, fetchedAt, photo }: Props) {
  const text = useText({ latest }).debug
  const format = useFormat()
  const [open, setOpen] = useState(false)
  return (
    <div className={open ? 'latest__admin latest__admin--open' : 'latest__admin'}>
      {open && (
        <section className="latest__debug" aria-label={text.panel}>
          <dl>
            <dt>{text.connection}</dt>
            <dd>{channel.state}</dd>
            <dt>{text.fetched}</dt>
            <dd className="tabular-numbers">
              {fetchedAt === null ? text.never : <span translate="no">{format.clock(fetchedAt)}</span>}
            </dd>
            <dt>{text.photo}</dt>
            <dd>{photo ? <PhotoDetails photo={photo} /> : text.noPhoto}</dd>
          </dl>
          <TestButton channel={channel} />
        </section>
      )}
      <Button tone="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? text.hide : text.show}
      </Button>
    </div>
  )
}

function PhotoDetails({ photo }: { photo: Photo }) {
  const text = useText({ latest }).debug
  const format = useFormat()
  const translate = useServerSentence()
  const states = { processing: text.processing, ready: text.complete, failed: text.failed }
  const details = [photo.id, photo.filename, format.dateTime(photo.created_at)]
  if (photo.width !== null && photo.height !== null) details.push(`${photo.width} × ${photo.height}`)
  if (photo.size_bytes !== null) details.push(format.size(photo.size_bytes))
  return (
    <ul>
      {details.map((detail) => (
        <li key={detail} translate="no">
          {detail}
        </li>
      ))}
      <li>{states[photoStateOf(photo)]}</li>
      {photo.error_message && <li translate="no">{translate(photo.error_message)}</li>}
    </ul>
  )
}

function TestButton({ channel }: { channel: DebugChannel }) {
  const text = useText({ latest }).debug
  const format = useFormat()
  const [testOutcome, setTestOutcome] = useState<'sent' | 'closed' | number | null>(null)
  const { onTest, sendTest } = channel
  useEffect(() => onTest(() => setTestOutcome(Date.now())), [onTest])
  const messages = { sent: text.testSent, closed: text.testFailed }
  return (
    <div className="latest__test">
      <Button onClick={() => setTestOutcome(sendTest() ? 'sent' : 'closed')}>{text.test}</Button>
      <output>
        {typeof testOutcome === 'number'
          ? text.testAnswered(format.clock(testOutcome))
          : testOutcome && messages[testOutcome]}
      </output>
    </div>
  )
}
