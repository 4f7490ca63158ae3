import { useEffect, useState } from 'react'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { latest } from '../../../messages/en/latest.ts'
import { Button } from '../../../ui/Button.tsx'
import { stateOf } from '../codes.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'

/** What the panel asks of the live channel; the page brings it. */
export interface DebugChannel {
  /** In the reader's words. */
  state: string
  /** False when the channel is not open. */
  sendTest: () => boolean
  onTest: (heard: () => void) => () => void
}

interface Props {
  channel: DebugChannel
  /** Milliseconds; null when nothing has been fetched. */
  fetchedAt: number | null
  photo: Photo | null
}

/** For admins: what the stage knows, and a test of the live channel. */
export function StageDebug({ channel, fetchedAt, photo }: Props) {
  const text = useText({ latest }).debug
  const format = useFormat()
  const [open, setOpen] = useState(false)
  return (
    <div className={open ? 'stage__admin stage__admin--open' : 'stage__admin'}>
      {open && (
        <section className="stage__debug" aria-label={text.panel}>
          <dl>
            <dt>{text.connection}</dt>
            <dd>{channel.state}</dd>
            <dt>{text.fetched}</dt>
            <dd className="num">
              {fetchedAt === null ? text.never : <span translate="no">{format.clock(fetchedAt)}</span>}
            </dd>
            <dt>{text.photo}</dt>
            <dd>{photo ? <PhotoFacts photo={photo} /> : text.noPhoto}</dd>
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

function PhotoFacts({ photo }: { photo: Photo }) {
  const text = useText({ latest }).debug
  const format = useFormat()
  const words = { processing: text.processing, ready: text.complete, failed: text.failed }
  const facts = [photo.id, photo.filename, format.dateTime(photo.created_at)]
  if (photo.width !== null && photo.height !== null) facts.push(`${photo.width} × ${photo.height}`)
  if (photo.size_bytes !== null) facts.push(format.size(photo.size_bytes))
  return (
    <ul>
      {facts.map((fact) => (
        <li key={fact} translate="no">
          {fact}
        </li>
      ))}
      <li>{words[stateOf(photo)]}</li>
      {photo.error_message && <li translate="no">{photo.error_message}</li>}
    </ul>
  )
}

function TestButton({ channel }: { channel: DebugChannel }) {
  const text = useText({ latest }).debug
  const format = useFormat()
  const [outcome, setOutcome] = useState<'sent' | 'closed' | number | null>(null)
  const { onTest, sendTest } = channel
  useEffect(() => onTest(() => setOutcome(Date.now())), [onTest])
  const words = { sent: text.testSent, closed: text.testFailed }
  return (
    <div className="stage__test">
      <Button onClick={() => setOutcome(sendTest() ? 'sent' : 'closed')}>{text.test}</Button>
      <output>{typeof outcome === 'number' ? text.testHeard(format.clock(outcome)) : outcome && words[outcome]}</output>
    </div>
  )
}
