import { deviceOf } from '@keepsnap/contract/devices.ts'
import type { SessionDetails } from '@keepsnap/contract/security.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { hasFailed } from '../../lib/query-failure.ts'
import { type ShowMessage, useTemporaryMessage } from '../../lib/temporary-message.ts'
import { security } from '../../messages/en/security.ts'
import { states } from '../../messages/en/states.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { SaveStatus } from '../../ui/SaveStatus.tsx'
import { sessionsQuery, useEndAllSessions, useEndSession } from './queries.ts'

/** What else opens the account, as the dialog that signs out everywhere shows it; empty where nothing does. */
export interface OtherAccess {
  list: ReactNode
  /** What is selected to be deleted, and deletes it. */
  selected: number
  deleteSelected: () => Promise<void>
}

interface Props {
  access: OtherAccess
  onEndedAll: () => void
}

/** The devices with a session: their number, a list on request, and signing out one or all of them. */
export function Sessions({ access, onEndedAll }: Props) {
  const { sessions: text, genericError } = useText({ security })
  const { tryAgain } = useText({ states })
  const format = useFormat()
  const listId = useId()
  const query = useQuery(sessionsQuery(useApi()))
  const { data, isFetching, refetch } = query
  const sessions = data?.sessions
  const isNotLoaded = !sessions && hasFailed(query)
  const [open, setOpen] = useState(false)
  const [message, showMessage] = useTemporaryMessage()
  const count = sessions?.length ?? 0
  return (
    <div className="security-actions__more">
      <p>
        <b id={`${listId}-name`}>{sessions ? text.title(format.count(count), count === 1) : text.loading}</b>
        {isNotLoaded && <span>{text.failed}</span>}
      </p>
      <div className="row">
        {isNotLoaded ? (
          <Button busy={isFetching} onClick={() => void refetch()}>
            {tryAgain}
          </Button>
        ) : (
          <Button
            tone="ghost"
            disabled={!sessions}
            aria-expanded={open}
            aria-controls={listId}
            onClick={() => setOpen(!open)}
          >
            {open ? text.hide : text.show}
          </Button>
        )}
        <EndAllSessions
          access={access}
          onEnded={onEndedAll}
          onFailed={(error) => showMessage({ tone: 'bad', text: errorMessage(error, genericError) })}
        />
      </div>
      <ul
        className="session-list"
        id={listId}
        tabIndex={-1}
        aria-labelledby={`${listId}-name`}
        hidden={!open || count === 0}
      >
        {sessions?.map((session) => (
          <SessionItem key={session.id} session={session} showMessage={showMessage} />
        ))}
      </ul>
      <SaveStatus message={message} />
    </div>
  )
}

function SessionItem({ session, showMessage }: { session: SessionDetails; showMessage: ShowMessage }) {
  const { sessions: text, genericError } = useText({ security })
  const format = useFormat()
  const endOneSession = useEndSession()
  const device = useDevice(session)
  const endSession = (): void =>
    endOneSession.mutate(session.id, {
      onSuccess: () => showMessage({ tone: 'ok', text: text.ended }),
      onError: (error) => showMessage({ tone: 'bad', text: errorMessage(error, genericError) }),
    })
  return (
    <li>
      <div className="session-list__device">
        <b translate="no">{device}</b>
        <span className="session-list__times small muted tabular-numbers">
          <span>{text.used(format.dateTime(session.last_used_at))}</span>
          <span>{text.since(format.date(session.created_at))}</span>
        </span>
      </div>
      {session.current ? (
        <span className="badge badge--ok">{text.thisDevice}</span>
      ) : (
        <Button aria-label={text.endOne(device)} busy={endOneSession.isPending} onClick={endSession}>
          {text.end}
        </Button>
      )}
    </li>
  )
}

/** The name of the device: browser and system. */
function useDevice({ user_agent }: SessionDetails): string {
  const { sessions: text } = useText({ security })
  const { browser, system } = deviceOf(user_agent)
  if (browser === null && system === null) return text.unknown
  return system === null ? (browser ?? text.unknown) : text.browserOnSystem(browser ?? text.browser, system)
}

interface EndAllProps {
  access: OtherAccess
  onEnded: () => void
  onFailed: (error: Error) => void
}

function EndAllSessions({ access, onEnded, onFailed }: EndAllProps) {
  const { sessions: text, access: accessText } = useText({ security })
  const format = useFormat()
  const [confirmOpen, setConfirmOpen] = useState(false)
  const endAll = useEndAllSessions({ before: access.deleteSelected, onEnded })
  const confirmEndAll = (): void =>
    endAll.mutate(undefined, { onError: onFailed, onSettled: () => setConfirmOpen(false) })
  return (
    <>
      <Button onClick={() => setConfirmOpen(true)}>{text.endAll}</Button>
      <ConfirmDialog
        open={confirmOpen}
        title={text.endAll}
        question={text.endAllQuestion}
        details={
          access.list && (
            <>
              <p>{accessText.endAllLead}</p>
              {access.list}
            </>
          )
        }
        confirm={access.selected > 0 ? accessText.deleteAndEndAll(format.count(access.selected)) : text.endAll}
        busy={endAll.isPending}
        onConfirm={confirmEndAll}
        onClose={() => setConfirmOpen(false)}
      />
    </>
  )
}
