import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type Archive, deleteAccount, exportState, requestExport } from '@keepsnap/contract/security.ts'
import { errorMessage, isTransient } from '../../lib/api-errors.ts'
import { currentUserQuery, useApi, useSession } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { security } from '../../messages/en/settings.ts'
import { ActionRow } from '../../ui/ActionRow.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { CurrentPasswordField } from '../../ui/PasswordFields.tsx'
import { hasFailed } from '../../ui/QueryView.tsx'
import { Note } from '../../ui/Note.tsx'

const exportKey = ['user', 'export'] as const
const exportPollMs = 4_000

/** Deletes the account, after a dialog that lists what will be deleted and asks for the password. */
export function DeleteAccount({ photos, onDeleted }: { photos: number; onDeleted: () => void }) {
  const text = useText({ security }).deletion
  const format = useFormat()
  const [open, setOpen] = useState(false)
  const id = useId()
  const { queryKey } = currentUserQuery(useApi())
  const queryClient = useQueryClient()
  const show = (): void => {
    setOpen(true)
    // The number of photos as it is now.
    void queryClient.invalidateQueries({ queryKey })
  }
  return (
    <ActionRow name={text.title} hint={text.hint}>
      <Button tone="danger" onClick={show}>
        {text.submit}
      </Button>
      <Dialog role="alertdialog" open={open} onClose={() => setOpen(false)} title={text.submit} aria-describedby={id}>
        <div id={id} className="stack dialog__deleted-items">
          <p>{text.question}</p>
          <ul className="bullet-list">
            <li>{photos > 0 ? text.photos(format.count(photos), photos === 1) : text.noPhotos}</li>
            <li>{text.codes}</li>
            <li>{text.requests}</li>
            <li>{text.brand}</li>
          </ul>
          <p className="small muted">{text.exportFirst}</p>
        </div>
        <DeleteAccountForm onClose={() => setOpen(false)} onDeleted={onDeleted} />
      </Dialog>
    </ActionRow>
  )
}

function DeleteAccountForm({ onClose, onDeleted }: { onClose: () => void; onDeleted: () => void }) {
  const { confirmation, deletion: text, genericError } = useText({ security })
  const [password, setPassword] = useState('')
  const api = useApi()
  const session = useSession()
  const deletion = useMutation({
    mutationFn: () =>
      session.whileReplacing(async () => {
        await api.call(deleteAccount, { body: { password } })
        onDeleted()
      }),
  })
  return (
    <DialogForm
      errors={password === '' ? { password: confirmation.passwordNeeded } : {}}
      problem={deletion.isError ? errorMessage(deletion.error, genericError) : undefined}
      submit={text.submit}
      danger
      busy={deletion.isPending}
      onSubmit={() => deletion.mutate()}
      onClose={onClose}
    >
      {(shown) => (
        <CurrentPasswordField
          label={confirmation.password}
          name="password"
          value={password}
          error={shown['password']}
          onChange={setPassword}
        />
      )}
    </DialogForm>
  )
}

/** Requests an archive of the user's data, and shows its state. */
export function ExportData({ email }: { email: string }) {
  const { data: text, genericError } = useText({ security })
  const api = useApi()
  const queryClient = useQueryClient()
  // The last archive; polled while it is being created.
  const query = useQuery({
    queryKey: exportKey,
    queryFn: ({ signal }) => api.call(exportState, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'queued' ? exportPollMs : false),
    retry: (failures, error) => failures < 1 && isTransient(error),
  })
  const archive = query.data
  const request = useMutation({
    mutationFn: () => api.call(requestExport, {}),
    async onSuccess(requested) {
      await queryClient.cancelQueries({ queryKey: exportKey })
      queryClient.setQueryData<Archive>(exportKey, requested)
    },
  })
  const isQueued = archive?.state === 'queued'
  return (
    <ActionRow name={text.title} hint={text.hint} className="security-actions__more">
      <Button busy={request.isPending || isQueued} onClick={() => request.mutate()}>
        {archive?.state === 'ready' ? text.again : text.start}
      </Button>
      {request.isError ? (
        <Note tone="bad">{errorMessage(request.error, genericError)}</Note>
      ) : (
        archive && <ExportState archive={archive} email={email} />
      )}
      {hasFailed(query) && !archive && <Note tone="plain">{text.loadFailed}</Note>}
    </ActionRow>
  )
}

function ExportState({ archive, email }: { archive: Archive; email: string }) {
  const text = useText({ security }).data
  const format = useFormat()
  if (archive.state === 'queued') return <Note tone="plain">{text.queued(email)}</Note>
  if (archive.state === 'failed') return <Note tone="bad">{text.failed}</Note>
  if (archive.state === 'none' || archive.expires_at === null) return null
  return <Note tone="ok">{text.ready(format.size(archive.size_bytes ?? 0), format.dateTime(archive.expires_at))}</Note>
}
