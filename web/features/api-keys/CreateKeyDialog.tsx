import type { ApiKey } from '@keepsnap/contract/api-keys.ts'
import { apiKeyNameProblem, normalizeName } from '@keepsnap/contract/names.ts'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { errorMessage } from '../../lib/error-message.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { apiKeys } from '../../messages/en/api-keys.ts'
import { names } from '../../messages/en/names.ts'
import { security } from '../../messages/en/security.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { Field } from '../../ui/Field.tsx'
import { useCreateKey } from './queries.ts'

interface FormProps {
  onClose: () => void
  onCreated: (key: ApiKey) => void
}

/** Asks for the name of a new key and when it expires. */
export function CreateKeyDialog({ open, ...form }: FormProps & { open: boolean }) {
  const id = useId()
  const text = useText({ apiKeys }).creation
  return (
    <Dialog open={open} onClose={form.onClose} aria-labelledby={id}>
      <h2 id={id}>{text.title}</h2>
      <p>{text.lead}</p>
      <CreateKeyForm {...form} />
    </Dialog>
  )
}

function CreateKeyForm({ onClose, onCreated }: FormProps) {
  const text = useText({ apiKeys }).creation
  const { apiKey: messages } = useText({ names })
  const [name, setName] = useState('')
  const [wasTyped, setWasTyped] = useState(false)
  const [expiresInDays, setExpiresInDays] = useState<number | null>(null)
  const { confirmation, problem: failure, ...creation } = useCreateKey(useText({ security }).confirmation, onCreated)
  const normalizedName = normalizeName(name)
  const problem = apiKeyNameProblem(normalizedName)
  const message = problem === null ? undefined : messages[problem]
  return (
    <DialogForm
      errors={message === undefined ? {} : { name: message }}
      problem={failure ? errorMessage(failure, text.failed) : undefined}
      submit={text.submit}
      disabled={normalizedName === ''}
      busy={creation.isPending}
      onSubmit={() => !confirmation.isMissing() && creation.mutate({ name: normalizedName, expiresInDays })}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <Field
            name="name"
            label={text.label}
            placeholder={text.placeholder}
            autoComplete="off"
            value={name}
            // A blank name cannot be submitted, so this error is shown before.
            error={shown['name'] ?? (wasTyped && problem === 'missing' ? message : undefined)}
            onChange={({ target }) => {
              setName(target.value)
              setWasTyped(true)
            }}
          />
          <ExpiryField days={expiresInDays} onChange={setExpiresInDays} />
          {confirmation.field}
        </>
      )}
    </DialogForm>
  )
}

const expiryChoices = [30, 90, 365] as const

function ExpiryField({ days, onChange }: { days: number | null; onChange: (days: number | null) => void }) {
  const text = useText({ apiKeys }).creation
  const format = useFormat()
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{text.expiry}</label>
      <div className="select">
        <select
          className="input"
          id={id}
          value={days ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
        >
          <option value="">{text.expiryNever}</option>
          {expiryChoices.map((choice) => (
            <option key={choice} value={choice}>
              {choice === 365 ? text.expiryYear : text.expiryDays(format.count(choice))}
            </option>
          ))}
        </select>
        <ChevronDown className="icon" />
      </div>
    </div>
  )
}
