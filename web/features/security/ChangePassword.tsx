import { useId, useState } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { security } from '../../messages/en/security.ts'
import { session } from '../../messages/en/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { NewPasswordFields, newPasswordErrors, emptyPassword } from '../../ui/NewPasswordFields.tsx'
import { CurrentPasswordField } from '../../ui/CurrentPasswordField.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { useChangePassword } from './queries.ts'

/** Changes the password, in a dialog. */
export function ChangePassword() {
  const text = useText({ security }).password
  const [isPasswordDialogOpen, setPasswordDialogOpen] = useState(false)
  const id = useId()
  return (
    <div>
      <p>
        <b>{text.title}</b>
        <span>{text.hint}</span>
      </p>
      <Button onClick={() => setPasswordDialogOpen(true)}>{text.change}</Button>
      <Dialog open={isPasswordDialogOpen} onClose={() => setPasswordDialogOpen(false)} aria-labelledby={id}>
        <h2 id={id}>{text.change}</h2>
        <ChangePasswordForm onClose={() => setPasswordDialogOpen(false)} />
      </Dialog>
    </div>
  )
}

function ChangePasswordForm({ onClose }: { onClose: () => void }) {
  const { password: text, genericError } = useText({ security })
  const passwordText = useText({ session })
  const toast = useToast()
  const changePassword = useChangePassword(() => {
    toast({ text: text.done })
    onClose()
  })
  const [currentPassword, setCurrentPassword] = useState('')
  const [newPassword, setNewPassword] = useState(emptyPassword)
  return (
    <DialogForm
      errors={{
        ...(currentPassword === '' && { current: text.currentNeeded }),
        ...newPasswordErrors(newPassword, passwordText),
      }}
      problem={changePassword.isError ? errorMessage(changePassword.error, genericError) : undefined}
      submit={text.submit}
      busy={changePassword.isPending}
      onSubmit={() => changePassword.mutate({ current_password: currentPassword, new_password: newPassword.password })}
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
