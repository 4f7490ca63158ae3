import { Download, Plus, Send, X } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  createEventGrant,
  eventArchiveSize,
  type EventGrant,
  resendEventGrant,
  revokeEventGrant,
} from '@keepsnap/contract/event-archives.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { isEmail } from '@keepsnap/contract/form-rules.ts'
import { confirmPassword } from '@keepsnap/contract/security.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useServerSentence } from '../../lib/server-sentences.ts'
import { eventArchive } from '../../messages/en/event-archive.ts'
import { states } from '../../messages/en/frame.ts'
import { security } from '../../messages/en/settings.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmAction, Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { Field } from '../../ui/Field.tsx'
import { LoadFailedNote, QueryView, Skeleton } from '../../ui/QueryView.tsx'
import { Section } from '../../ui/SectionLinks.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { usePasswordConfirmation } from '../../ui/usePasswordConfirmation.tsx'
import { useArchiveDownload } from '../photos/DownloadPhotos.tsx'
import { grantsOfEventQuery } from './event-grants.ts'
import './event-archive.css'

const archiveSizeQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['events', id, 'archive'] as const,
    queryFn: ({ signal }) => api.call(eventArchiveSize, { params: { id } }, { signal }),
  })

/** Two sections of the page of an event: all of its photos as one file, and links to them for people without an account. */
export function EventArchive({ event }: { event: Event }) {
  const text = useText({ eventArchive })
  return (
    <>
      <Section id="everything" title={text.heading} lead={text.lead}>
        <DownloadAll event={event} />
      </Section>
      <Section id="grants" title={text.grants.heading} lead={text.grants.lead}>
        <Grants event={event} />
      </Section>
    </>
  )
}

function DownloadAll({ event: { id } }: { event: Event }) {
  const text = useText({ eventArchive })
  const format = useFormat()
  const query = useQuery(archiveSizeQuery(useApi(), id))
  const { download, busy } = useArchiveDownload()
  return (
    <QueryView query={query} loading={<Loading />} failed={text.failed} renderFailed={renderFailed}>
      {({ photos, size_bytes: bytes }) =>
        photos === 0 ? (
          <p className="muted">{text.none}</p>
        ) : (
          <div className="row event-archive">
            <Button busy={busy} onClick={() => download({ event: id })}>
              {!busy && <Download className="icon" />}
              {text.download}
            </Button>
            <span className="tabular-numbers">{text.size(photos, format.count(photos), format.size(bytes))}</span>
          </div>
        )
      }
    </QueryView>
  )
}

function Loading() {
  const { loading } = useText({ states })
  return (
    <div>
      <output className="visually-hidden">{loading}</output>
      <Skeleton height="3rem" />
    </div>
  )
}

const renderFailed = (failure: ComponentProps<typeof LoadFailedNote>) => <LoadFailedNote {...failure} />

function Grants({ event: { id } }: { event: Event }) {
  const text = useText({ eventArchive }).grants
  const toast = useToast()
  const api = useApi()
  const queryClient = useQueryClient()
  const query = useQuery(grantsOfEventQuery(api, id))
  const [isSending, setIsSending] = useState(false)
  const [grantToRevoke, setGrantToRevoke] = useState<EventGrant | null>(null)
  const refetch = (): void => void queryClient.invalidateQueries({ queryKey: grantsOfEventQuery(api, id).queryKey })
  const onSent = ({ email }: EventGrant): void => {
    toast({ text: text.sent(email) })
    refetch()
  }
  const resending = useMutation({
    mutationFn: (grant: EventGrant) => api.call(resendEventGrant, { params: { id, grant_id: grant.id } }),
    onSuccess: onSent,
    onError: (error) => toast({ text: errorMessage(error, text.failedToSend), tone: 'bad' }),
  })
  const revocation = useMutation({
    mutationFn: (grantId: string) => api.call(revokeEventGrant, { params: { id, grant_id: grantId } }),
    onSettled: refetch,
  })
  return (
    <>
      <QueryView query={query} loading={<Loading />} failed={text.loadFailed} renderFailed={renderFailed}>
        {({ grants }) => (
          <>
            {grants.length === 0 ? (
              <p className="muted">{text.none}</p>
            ) : (
              <ul className="event-grants" aria-label={text.list}>
                {grants.map((grant) => (
                  <GrantItem
                    key={grant.id}
                    grant={grant}
                    now={query.dataUpdatedAt}
                    busy={resending.isPending && resending.variables.id === grant.id}
                    onResend={() => resending.mutate(grant)}
                    onRevoke={() => setGrantToRevoke(grant)}
                  />
                ))}
              </ul>
            )}
            <div className="row">
              <Button onClick={() => setIsSending(true)}>
                <Plus className="icon" />
                {text.send}
              </Button>
            </div>
          </>
        )}
      </QueryView>
      <Dialog open={isSending} onClose={() => setIsSending(false)} title={text.heading}>
        <SendForm
          eventId={id}
          onClose={() => setIsSending(false)}
          onSent={(grant) => {
            setIsSending(false)
            onSent(grant)
          }}
        />
      </Dialog>
      <ConfirmAction
        open={grantToRevoke !== null}
        title={text.revocation.title}
        question={text.revocation.question(grantToRevoke?.email ?? '')}
        confirm={text.revocation.confirm}
        dismiss={text.revocation.keep}
        action={revocation}
        input={grantToRevoke?.id ?? ''}
        problemOf={(error) => errorMessage(error, text.revocation.failed)}
        onDone={() => toast({ text: text.revocation.done })}
        onClose={() => setGrantToRevoke(null)}
      />
    </>
  )
}

interface GrantItemProps {
  grant: EventGrant
  /** When the list was fetched, in milliseconds. */
  now: number
  busy: boolean
  onResend: () => void
  onRevoke: () => void
}

function GrantItem({ grant, now, busy, onResend, onRevoke }: GrantItemProps) {
  const text = useText({ eventArchive }).grants
  const format = useFormat()
  const { email, state, failure, expires_at: expiresAt, revoked_at: revokedAt } = grant
  const reason = useServerSentence()(failure)
  const isExpired = Date.parse(expiresAt) <= now
  const isOpen = revokedAt === null && !isExpired
  const closed = revokedAt === null ? text.expired : text.revoked
  return (
    <li>
      <div className="event-grants__details">
        <b>
          <EmailAddress email={email} />
        </b>
        <span className="small muted tabular-numbers">{isOpen ? text.until(format.date(expiresAt)) : closed}</span>
        {isOpen && state !== 'sent' && (
          <span className={state === 'failed' ? 'badge badge--bad' : 'badge'}>{text.states[state]}</span>
        )}
        {isOpen && reason !== null && <span className="small">{reason}</span>}
      </div>
      {isOpen && (
        <div className="row">
          <Button
            tone="ghost"
            busy={busy}
            disabled={state === 'queued'}
            aria-label={text.resendTo(email)}
            onClick={onResend}
          >
            {!busy && <Send className="icon" />}
            {text.resend}
          </Button>
          <Button tone="ghost" aria-label={text.revokeOf(email)} onClick={onRevoke}>
            <X className="icon" />
            {text.revoke}
          </Button>
        </div>
      )}
    </li>
  )
}

interface SendFormProps {
  eventId: string
  onSent: (grant: EventGrant) => void
  onClose: () => void
}

/** Asks for the address that gets a link. */
function SendForm({ eventId, onSent, onClose }: SendFormProps) {
  const text = useText({ eventArchive }).grants
  const api = useApi()
  const [email, setEmail] = useState('')
  const confirmation = usePasswordConfirmation(useText({ security }).confirmation, (password) =>
    api.call(confirmPassword, { body: { password } }),
  )
  const creation = useMutation({
    mutationFn: () =>
      confirmation.run(() => api.call(createEventGrant, { params: { id: eventId }, body: { email: email.trim() } })),
    onSuccess: onSent,
  })
  const failure = confirmation.problemOf(creation.error)
  return (
    <DialogForm
      errors={isEmail(email.trim()) ? {} : { email: text.emailNeeded }}
      problem={failure ? errorMessage(failure, text.failedToSend) : undefined}
      submit={text.send}
      busy={creation.isPending}
      onSubmit={() => !confirmation.isMissing() && creation.mutate()}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <Field
            name="email"
            type="email"
            label={text.address}
            placeholder={text.placeholder}
            autoComplete="off"
            value={email}
            error={shown['email']}
            onChange={({ target }) => setEmail(target.value)}
          />
          {confirmation.field}
        </>
      )}
    </DialogForm>
  )
}
