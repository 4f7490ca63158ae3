import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import {
  changePassword,
  deviceOf,
  endOneSession,
  endSessions,
  listSessions,
  type SessionDetails,
} from '@keepsnap/contract/security.ts'
import { type EventGrant, revokeEventGrants } from '@keepsnap/contract/event-archives.ts'
import { endHelpers, type Helper } from '@keepsnap/contract/event-helpers.ts'
import { type ApiKey, deleteApiKeys, deleteWebhooks, type Webhook } from '@keepsnap/contract/integrations.ts'
import { errorMessage, isTransient } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { useApi, useCurrentUser, useSession } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { security } from '../../messages/en/settings.ts'
import { session } from '../../messages/en/accounts.ts'
import { ActionRow } from '../../ui/ActionRow.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { CurrentPasswordField, emptyPassword, newPasswordErrors, NewPasswordFields } from '../../ui/PasswordFields.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { hasFailed } from '../../ui/QueryView.tsx'
import { SaveStatus, type ShowMessage, useTemporaryMessage } from '../../ui/SaveStatus.tsx'
import { states } from '../../messages/en/frame.ts'
import { eventGrantsQuery, helpersQuery } from '../events/event-grants.ts'
import { apiKeysQuery } from '../integrations/api-keys.ts'
import { webhooksQuery } from '../integrations/webhooks.ts'

/** Changes the password, in a dialog. */
export function ChangePassword() {
  const text = useText({ security }).password
  const [isPasswordDialogOpen, setPasswordDialogOpen] = useState(false)
  return (
    <ActionRow name={text.title} hint={text.hint}>
      <Button onClick={() => setPasswordDialogOpen(true)}>{text.change}</Button>
      <Dialog open={isPasswordDialogOpen} onClose={() => setPasswordDialogOpen(false)} title={text.change}>
        <ChangePasswordForm onClose={() => setPasswordDialogOpen(false)} />
      </Dialog>
    </ActionRow>
  )
}

function ChangePasswordForm({ onClose }: { onClose: () => void }) {
  const { password: text, genericError } = useText({ security })
  const passwordText = useText({ session })
  const toast = useToast()
  const api = useApi()
  const currentSession = useSession()
  // This session continues with a new token; the others end.
  const change = useMutation({
    mutationFn: (body: { current_password: string; new_password: string }) =>
      currentSession.whileReplacing(async () => {
        const { token } = currentSession.state()
        const { access_token } = await api.call(changePassword, { body })
        toast({ text: text.done })
        onClose()
        if (token !== null) currentSession.renew(token, access_token)
      }),
  })
  const [currentPassword, setCurrentPassword] = useState('')
  const [newPassword, setNewPassword] = useState(emptyPassword)
  return (
    <DialogForm
      errors={{
        ...(currentPassword === '' && { current: text.currentNeeded }),
        ...newPasswordErrors(newPassword, passwordText),
      }}
      problem={change.isError ? errorMessage(change.error, genericError) : undefined}
      submit={text.submit}
      busy={change.isPending}
      onSubmit={() => change.mutate({ current_password: currentPassword, new_password: newPassword.password })}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <CurrentPasswordField
            label={text.current}
            name="current"
            value={currentPassword}
            error={shown['current']}
            onChange={setCurrentPassword}
          />
          <NewPasswordFields labels={text} value={newPassword} errors={shown} onChange={setNewPassword} />
        </>
      )}
    </DialogForm>
  )
}

/** The user's sessions, last used first, and when the password was set. */
const sessionsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['user', 'sessions'],
    queryFn: ({ signal }) => api.call(listSessions, {}, { signal }),
    retry: (failures, error) => failures < 1 && isTransient(error),
  })

/** The devices with a session: their number, a list on request, and signing out one or all of them. */
export function Sessions({ onEndedAll }: { onEndedAll: () => void }) {
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
  const api = useApi()
  const queryClient = useQueryClient()
  const { queryKey } = sessionsQuery(api)
  const end = useMutation({
    mutationFn: () => api.call(endOneSession, { params: { id: session.id } }),
    async onSuccess() {
      await queryClient.cancelQueries({ queryKey })
      showMessage({ tone: 'ok', text: text.ended })
      queryClient.setQueryData(
        queryKey,
        (list) => list && { ...list, sessions: list.sessions.filter(({ id }) => id !== session.id) },
      )
    },
    async onError(error) {
      await queryClient.invalidateQueries({ queryKey })
      showMessage({ tone: 'bad', text: errorMessage(error, genericError) })
    },
  })
  const { browser, system } = deviceOf(session.user_agent)
  const device = system === null ? (browser ?? text.unknown) : text.browserOnSystem(browser ?? text.browser, system)
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
        <Button aria-label={text.endOne(device)} busy={end.isPending} onClick={() => end.mutate()}>
          {text.end}
        </Button>
      )}
    </li>
  )
}

/** Ends every session, including the one of this browser, and deletes what else opens the account, as far as it is selected. */
function EndAllSessions({ onEnded, onFailed }: { onEnded: () => void; onFailed: (error: Error) => void }) {
  const { sessions: text, access } = useText({ security })
  const format = useFormat()
  const api = useApi()
  const currentSession = useSession()
  const review = useAccessReview('present password')
  const [confirmOpen, setConfirmOpen] = useState(false)
  const endAll = useMutation({
    mutationFn: () =>
      currentSession.whileReplacing(async () => {
        await review.deleteSelected()
        await api.call(endSessions, {})
        onEnded()
      }),
    onError: onFailed,
    onSettled: () => setConfirmOpen(false),
  })
  return (
    <>
      <Button onClick={() => setConfirmOpen(true)}>{text.endAll}</Button>
      <ConfirmDialog
        open={confirmOpen}
        title={text.endAll}
        question={text.endAllQuestion}
        details={
          review.all.length > 0 && (
            <>
              <p>{access.endAllLead}</p>
              <AccessList {...review} />
            </>
          )
        }
        confirm={review.count > 0 ? access.deleteAndEndAll(format.count(review.count)) : text.endAll}
        busy={endAll.isPending}
        onConfirm={() => endAll.mutate()}
        onClose={() => setConfirmOpen(false)}
      />
    </>
  )
}

/** Something that opens the account, or photos of it, without a password. */
interface Access {
  id: string
  kind: 'key' | 'webhook' | 'grant' | 'helper'
  /** Name of the key or helper, host of the webhook, or address to which a link to an event's photos was sent. */
  name: string
  createdAt: string
  lastUsedAt: string | null
  /** Of a grant or helper. */
  event?: string
}

const noGrants: { grants: readonly EventGrant[] } = { grants: [] }
const noHelpers: { helpers: readonly Helper[] } = { helpers: [] }

const accessOf = (
  keys: readonly ApiKey[],
  webhooks: readonly Webhook[],
  grants: readonly EventGrant[],
  helpers: readonly Helper[],
): Access[] =>
  [
    ...keys.map(({ id, name, created_at, last_used_at }) => {
      return { id, kind: 'key' as const, name, createdAt: created_at, lastUsedAt: last_used_at }
    }),
    ...webhooks.map(({ id, url, url_set_at, last_used_at }) => {
      return { id, kind: 'webhook' as const, name: new URL(url).host, createdAt: url_set_at, lastUsedAt: last_used_at }
    }),
    ...grants.map(({ id, email, event_name, created_at }) => {
      return { id, kind: 'grant' as const, name: email, event: event_name, createdAt: created_at, lastUsedAt: null }
    }),
    ...helpers.map(({ id, name, event_name, created_at }) => {
      return { id, kind: 'helper' as const, name, event: event_name, createdAt: created_at, lastUsedAt: null }
    }),
  ].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))

/**
 * The keys and webhooks of the account, and which of them are to be deleted. What was created since a password was set that may
 * have leaked is selected at first: the present one, or the one before it when it has just been replaced.
 */
function useAccessReview(leaked: 'present password' | 'previous password') {
  const api = useApi()
  const queryClient = useQueryClient()
  const { data: keys } = useQuery(apiKeysQuery(api))
  const { data: webhooks } = useQuery(webhooksQuery(api))
  const { user } = useCurrentUser()
  const hasEvents = user !== null && user.current_event_id !== undefined
  const { data: grants = hasEvents ? undefined : noGrants } = useQuery({ ...eventGrantsQuery(api), enabled: hasEvents })
  const { data: helpers = hasEvents ? undefined : noHelpers } = useQuery({ ...helpersQuery(api), enabled: hasEvents })
  const { data: sessions } = useQuery(sessionsQuery(api))
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const since = leaked === 'present password' ? sessions?.password_set_at : sessions?.previous_password_set_at
  const isLoaded = keys && webhooks && grants && helpers && since !== undefined
  const all = isLoaded ? accessOf(keys, webhooks, grants.grants, helpers.helpers) : []
  const isSuspect = ({ createdAt }: Access): boolean => Date.parse(createdAt) >= Date.parse(since ?? '')
  const isSelected = (one: Access): boolean => (chosen ? chosen.has(one.id) : isSuspect(one))
  const selected = all.filter(isSelected)
  const idsOf = (kind: Access['kind']): string[] => selected.flatMap((one) => (one.kind === kind ? one.id : []))
  return {
    all,
    isSelected,
    count: selected.length,
    toggle(one: Access) {
      const ids = new Set(selected.map(({ id }) => id))
      if (!ids.delete(one.id)) ids.add(one.id)
      setChosen(ids)
    },
    async deleteSelected() {
      const [keyIds, webhookIds, grantIds, helperIds] = [
        idsOf('key'),
        idsOf('webhook'),
        idsOf('grant'),
        idsOf('helper'),
      ]
      if (keyIds.length > 0) await api.call(deleteApiKeys, { body: { ids: keyIds } })
      if (webhookIds.length > 0) await api.call(deleteWebhooks, { body: { ids: webhookIds } })
      if (grantIds.length > 0) await api.call(revokeEventGrants, { body: { ids: grantIds } })
      if (helperIds.length > 0) await api.call(endHelpers, { body: { ids: helperIds } })
      for (const { queryKey } of [apiKeysQuery(api), webhooksQuery(api), eventGrantsQuery(api), helpersQuery(api)])
        void queryClient.invalidateQueries({ queryKey })
    },
  }
}
/** The keys and webhooks, each with a box to select it. */
function AccessList({ all, isSelected, toggle }: ReturnType<typeof useAccessReview>) {
  const { access: text } = useText({ security })
  const format = useFormat()
  const id = useId()
  const hasGrants = all.some(({ event }) => event !== undefined)
  return (
    <ul className="session-list access-list" aria-label={hasGrants ? text.listWithGrants : text.list}>
      {all.map((one) => (
        <li key={one.id}>
          <input
            type="checkbox"
            id={`${id}-${one.id}`}
            checked={isSelected(one)}
            aria-describedby={`${id}-${one.id}-times`}
            onChange={() => toggle(one)}
          />
          <div className="session-list__device">
            <label htmlFor={`${id}-${one.id}`}>
              <b>
                {one.kind === 'grant' || one.kind === 'helper'
                  ? text[one.kind](one.name, one.event ?? '')
                  : text[one.kind](one.name)}
              </b>
            </label>
            <span className="session-list__times small muted tabular-numbers" id={`${id}-${one.id}-times`}>
              <span>{text.created(format.date(one.createdAt))}</span>
              {one.event === undefined && (
                <span>{one.lastUsedAt === null ? text.neverUsed : text.used(format.dateTime(one.lastUsedAt))}</span>
              )}
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** After a password reset: shows what still opens the account. Not shown where there is nothing. */
export function AccessReviewDialog({ onClose }: { onClose: () => void }) {
  const { access: text } = useText({ security })
  const toast = useToast()
  const format = useFormat()
  const review = useAccessReview('previous password')
  const deletion = useMutation({
    mutationFn: review.deleteSelected,
    onSuccess() {
      toast({ text: text.done })
      onClose()
    },
  })
  const isAnySelected = review.count > 0
  return (
    <ConfirmDialog
      open={review.all.length > 0}
      title={text.title}
      question={text.lead}
      details={<AccessList {...review} />}
      confirm={isAnySelected ? text.delete(format.count(review.count)) : text.keepAll}
      tone={isAnySelected ? 'danger' : 'primary'}
      {...(isAnySelected && { dismiss: text.keepAll })}
      problem={deletion.error && errorMessage(deletion.error, text.failed)}
      busy={deletion.isPending}
      onConfirm={() => (isAnySelected ? deletion.mutate() : onClose())}
      onClose={onClose}
    />
  )
}
