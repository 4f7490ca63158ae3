import type { User } from '@keepsnap/contract/accounts.ts'
import {
  brandNameProblem,
  nameChars,
  normalizeName,
  usernameProblem,
  type NameProblem,
} from '@keepsnap/contract/names.ts'
import { useId, useRef, useState, type SubmitEvent } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { account } from '../../messages/en/account.ts'
import { names } from '../../messages/en/names.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { SaveStatus } from '../../ui/SaveStatus.tsx'
import { useTextSetting } from './useTextSetting.ts'

/** The username, which only its owner and admins see. */
export function UsernameField({ user }: { user: User }) {
  const { username: messages } = useText({ names })
  const problemOf = (name: string): string | undefined => messageOf(usernameProblem(name), messages)
  const { username } = useText({ account }).profile
  return (
    <NameField
      name="username"
      value={user.username}
      text={username}
      maxChars={nameChars.username}
      problemOf={problemOf}
    />
  )
}

/** The name that guests are shown. It may be left empty. */
export function BrandNameField({ user }: { user: User }) {
  const { brandName: messages } = useText({ names })
  const problemOf = (name: string): string | undefined =>
    name === '' ? undefined : messageOf(brandNameProblem(name), messages)
  const { brandName } = useText({ account }).profile
  const text = user.email_verified
    ? brandName
    : { ...brandName, hint: `${brandName.hint} ${brandName.afterConfirming}` }
  return (
    <NameField
      name="brand_name"
      value={user.brand_name ?? ''}
      text={text}
      maxChars={nameChars.brandName}
      problemOf={problemOf}
    />
  )
}

const messageOf = (problem: NameProblem | null, messages: Record<NameProblem, string>): string | undefined =>
  problem === null ? undefined : messages[problem]

interface NameFieldProps {
  name: 'username' | 'brand_name'
  /** What is saved. */
  value: string
  text: { label: string; hint: string; saved: string; failed: string }
  maxChars: number
  problemOf: (name: string) => string | undefined
}

/** A text that is saved with its own button. */
function NameField({ name, value, text, maxChars, problemOf }: NameFieldProps) {
  const { save: saveLabel } = useText({ account }).profile
  const [draft, setDraft] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | undefined>()
  const form = useRef<HTMLFormElement>(null)
  const hintId = useId()
  const setting = useTextSetting(name, text)

  const change = (typed: string): void => {
    setDraft(typed)
    setProblem(undefined)
    setting.clearError()
  }
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const typed = normalizeName(draft ?? value)
    const found = problemOf(typed)
    setProblem(found)
    if (found !== undefined) form.current?.querySelector('input')?.focus()
    else if (!setting.isSaving) {
      setDraft(typed)
      setting.save(typed)
    }
  }
  return (
    <form className="text-setting" ref={form} onSubmit={submit} noValidate>
      <Field
        label={text.label}
        name={name}
        autoComplete="off"
        spellCheck={false}
        translate="no"
        maxLength={2 * maxChars}
        value={draft ?? value}
        error={problem ?? setting.error}
        aria-describedby={hintId}
        onChange={({ target }) => change(target.value)}
      />
      <Button type="submit" busy={setting.isSaving} aria-label={`${saveLabel}: ${text.label}`}>
        {saveLabel}
      </Button>
      <p className="tiny muted" id={hintId}>
        {text.hint}
      </p>
      <SaveStatus message={setting.message} />
    </form>
  )
}
