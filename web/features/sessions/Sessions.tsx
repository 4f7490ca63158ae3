import type { Session } from '@keepsnap/contract/security.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { useTemporaryMessage } from '../../lib/temporary-message.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { security } from '../../messages/en/security.ts'
import { states } from '../../messages/en/states.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { SaveStatus } from '../../ui/SaveStatus.tsx'
import { deviceOf } from './device.ts'
import { sessionsQuery, useEndAll, useEndOne } from './queries.ts'

/** The row of devices: how many, which, and signing out on one of them or on all. */
export function Sessions({ onEndedAll }: { onEndedAll: () => void }) {
  const { sessions: text, genericError } = useText({ security })
  const { tryAgain } = useText({ states })
  const format = useFormat()
  const listId = useId()
  const { data, isError, refetch } = useQuery(sessionsQuery(useApi()))
  const [open, setOpen] = useState(false)
  const [note, say] = useTemporaryMessage()
  const count = data?.length ?? 0
  return (
    <div className="acts__more">
      <p>
        <b id={`${listId}-name`}>{data ? text.title(format.count(count), count === 1) : text.loading}</b>
        {isError && !data && <span>{text.failed}</span>}
      </p>
      <div className="row">
        {isError && !data ? (
          <Button onClick={() => void refetch()}>{tryAgain}</Button>
        ) : (
          <Button
            tone="ghost"
            disabled={!data}
            aria-expanded={open}
            aria-controls={listId}
            onClick={() => setOpen(!open)}
          >
            {open ? text.hide : text.show}
          </Button>
        )}
        <EndAll
          onEnded={onEndedAll}
          onFailed={(error) => say({ tone: 'bad', text: errorMessage(error, genericError) })}
        />
      </div>
      <ul className="keys" id={listId} tabIndex={-1} aria-labelledby={`${listId}-name`} hidden={!open || count === 0}>
        {data?.map((session) => (
          <OneSession key={session.id} session={session} onSaid={say} />
        ))}
      </ul>
      <SaveStatus message={note} />
    </div>
  )
}

function OneSession({ session, onSaid: say }: { session: Session; onSaid: ReturnType<typeof useTemporaryMessage>[1] }) {
  const { sessions: text, genericError } = useText({ security })
  const format = useFormat()
  const end = useEndOne()
  const device = useDevice(session)
  const finish = (): void =>
    end.mutate(session.id, {
      onSuccess: () => say({ tone: 'ok', text: text.ended }),
      onError: (error) => say({ tone: 'bad', text: errorMessage(error, genericError) }),
    })
  return (
    <li>
      <div className="keys__m">
        <b translate="no">{device}</b>
        <span className="keys__when small muted num">
          <span>{text.used(format.dateTime(session.last_used_at))}</span>
          <span>{text.since(format.date(session.created_at))}</span>
        </span>
      </div>
      {session.current ? (
        <span className="badge badge--ok">{text.thisDevice}</span>
      ) : (
        <Button aria-label={text.endOne(device)} busy={end.isPending} onClick={finish}>
          {text.end}
        </Button>
      )}
    </li>
  )
}

/** What people call the device. */
function useDevice({ user_agent }: Session): string {
  const { sessions: text } = useText({ security })
  const { browser, system } = deviceOf(user_agent)
  if (browser === null && system === null) return text.unknown
  return system === null ? (browser ?? text.unknown) : text.browserOnSystem(browser ?? text.browser, system)
}

function EndAll({ onEnded, onFailed }: { onEnded: () => void; onFailed: (error: Error) => void }) {
  const { sessions: text } = useText({ security })
  const [asking, setAsking] = useState(false)
  const end = useEndAll()
  const confirm = (): void =>
    end.mutate(undefined, { onSuccess: onEnded, onError: onFailed, onSettled: () => setAsking(false) })
  return (
    <>
      <Button onClick={() => setAsking(true)}>{text.endAll}</Button>
      <ConfirmDialog
        open={asking}
        title={text.endAll}
        question={text.endAllQuestion}
        confirm={text.endAll}
        busy={end.isPending}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
