import { useRef, useState, type SubmitEvent } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { reset } from '../../messages/en/reset.ts'
import { session } from '../../messages/en/session.ts'
import { Button } from '../../ui/Button.tsx'
import { NewPasswordFields, newPasswordErrors, emptyPassword } from '../../ui/NewPasswordFields.tsx'
import { Note } from '../../ui/Note.tsx'
import { isDeadLink, resetMessage, useResetPassword } from './reset-queries.ts'

interface Props {
  token: string
  onDone: () => void
  /** The link was refused; only a new one helps. */
  onDead: (why: string) => void
}

/** A new password, typed twice. */
export function ResetForm({ token, onDone, onDead }: Props) {
  const text = useText({ reset })
  const errors = useText({ session })
  const [value, setValue] = useState(emptyPassword)
  const [tried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const set = useResetPassword()
  const wrong = newPasswordErrors(value, errors)

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    setTried(true)
    const [first] = Object.keys(wrong)
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
    else if (!set.isPending) {
      const onError = (error: Error): void => {
        if (isDeadLink(error)) onDead(resetMessage(error, text.reset.invalid.missing))
      }
      set.mutate({ token, new_password: value.password }, { onSuccess: onDone, onError })
    }
  }
  return (
    <>
      {set.isError && <Note tone="bad">{resetMessage(set.error, text.genericError)}</Note>}
      <form className="stack auth__fields" ref={form} onSubmit={submit} noValidate>
        <NewPasswordFields labels={text.reset} value={value} errors={tried ? wrong : {}} onChange={setValue} />
        <Button type="submit" tone="primary" large block busy={set.isPending}>
          {text.reset.submit}
        </Button>
      </form>
    </>
  )
}
