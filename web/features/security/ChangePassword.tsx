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
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div>
      <p>
        <b>{text.title}</b>
        <span>{text.hint}</span>
      </p>
      <Button onClick={() => setOpen(true)}>{text.change}</Button>
      <Dialog open={open} onClose={() => setOpen(false)} aria-labelledby={id}>
        <h2 id={id}>{text.change}</h2>
        <Form onClose={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

function Form({ onClose }: { onClose: () => void }) {
  const { password: text, genericError } = useText({ security })
  const passwordText = useText({ session })
  const toast = useToast()
  const change = useChangePassword(() => {
    toast({ text: text.done })
    onClose()
  })
  const [current, setCurrent] = useState('')
  const [value, setValue] = useState(emptyPassword)
  return (
    <DialogForm
      errors={{ ...(current === '' && { current: text.currentNeeded }), ...newPasswordErrors(value, passwordText) }}
      problem={change.isError ? errorMessage(change.error, genericError) : undefined}
      submit={text.submit}
      busy={change.isPending}
      onSubmit={() => change.mutate({ current_password: current, new_password: value.password })}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <CurrentPasswordField
            label={text.current}
            name="current"
            value={current}
            error={shown['current']}
            onChange={setCurrent}
          />
          <NewPasswordFields labels={text} value={value} errors={shown} onChange={setValue} />
        </>
      )}
    </DialogForm>
  )
}
