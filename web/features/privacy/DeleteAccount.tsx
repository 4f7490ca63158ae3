import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { currentUserQuery } from '../../lib/current-user.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { security } from '../../messages/en/security.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { CurrentPasswordField } from '../../ui/CurrentPasswordField.tsx'
import { useDeleteAccount } from './queries.ts'

interface Props {
  photos: number
  onDeleted: () => void
}

/** Deletes the account, after a dialog that lists what will be deleted and asks for the password. */
export function DeleteAccount({ photos, onDeleted }: Props) {
  const text = useText({ security }).deletion
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
    <div>
      <p>
        <b>{text.title}</b>
        <span>{text.hint}</span>
      </p>
      <Button tone="danger" onClick={show}>
        {text.open}
      </Button>
      <Dialog
        role="alertdialog"
        open={open}
        onClose={() => setOpen(false)}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-what`}
      >
        <h2 id={`${id}-title`}>{text.heading}</h2>
        <div id={`${id}-what`} className="stack dialog__deleted-items">
          <p>{text.question}</p>
          <DeletedItems photos={photos} />
          <p className="small muted">{text.exportFirst}</p>
        </div>
        <DeleteAccountForm onClose={() => setOpen(false)} onDeleted={onDeleted} />
      </Dialog>
    </div>
  )
}

function DeletedItems({ photos }: { photos: number }) {
  const text = useText({ security }).deletion
  const format = useFormat()
  return (
    <ul className="bullet-list">
      <li>{photos > 0 ? text.photos(format.count(photos), photos === 1) : text.noPhotos}</li>
      <li>{text.codes}</li>
      <li>{text.requests}</li>
      <li>{text.brand}</li>
    </ul>
  )
}

function DeleteAccountForm({ onClose, onDeleted }: { onClose: () => void; onDeleted: () => void }) {
  const { deletion: text, genericError } = useText({ security })
  const [password, setPassword] = useState('')
  const deleteAccount = useDeleteAccount(onDeleted)
  return (
    <DialogForm
      errors={password === '' ? { password: text.passwordNeeded } : {}}
      problem={deleteAccount.isError ? errorMessage(deleteAccount.error, genericError) : undefined}
      submit={text.submit}
      danger
      busy={deleteAccount.isPending}
      onSubmit={() => deleteAccount.mutate(password)}
      onClose={onClose}
    >
      {(shown) => (
        <CurrentPasswordField
          label={text.password}
          name="password"
          value={password}
          error={shown['password']}
          onChange={setPassword}
        />
      )}
    </DialogForm>
  )
}
