import { type SubmitEvent, useId, useState } from 'react'
import type { Event, GuestPhotos } from '@keepsnap/contract/events.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { event as messages } from '../../messages/en/events.ts'
import { Button } from '../../ui/Button.tsx'
import { Choices } from '../../ui/Choices.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { SaveStatus } from '../../ui/SaveStatus.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useSavedOfEvent } from './events.ts'

/** Whether guests add photos, and whether the owner looks first. */
export function GuestPhotosSettings({ event }: { event: Event }) {
  const text = useText({ event: messages })
  const { guests } = text
  const mode = useSavedOfEvent(event, 'guest_photos', text)
  const paused = useSavedOfEvent(event, 'guest_paused', text)
  const emails = useSavedOfEvent(event, 'review_emails', text)
  const [isAsking, setIsAsking] = useState(false)
  const change = (next: GuestPhotos): void => {
    if (next === 'direct' && mode.value !== 'direct') setIsAsking(true)
    else mode.change(next)
  }
  return (
    <>
      <Choices
        legend={guests.label}
        options={[
          { value: 'off', label: guests.off, hint: guests.offHint },
          { value: 'review', label: guests.review, hint: guests.reviewHint },
          { value: 'direct', label: guests.direct, hint: guests.directHint },
        ]}
        setting={{ ...mode, change }}
      />
      {mode.value !== 'off' && (
        <>
          <Switch {...guests.paused} checked={paused.value} onChange={paused.change} message={paused.message} />
          <Allowance event={event} />
          <Switch {...guests.emails} checked={emails.value} onChange={emails.change} message={emails.message} />
        </>
      )}
      <ConfirmDialog
        open={isAsking}
        title={guests.confirmTitle}
        question={guests.confirmQuestion}
        confirm={guests.confirm}
        tone="primary"
        onConfirm={() => {
          setIsAsking(false)
          mode.change('direct')
        }}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}

/** How many photos guests may add. */
function Allowance({ event }: { event: Event }) {
  const text = useText({ event: messages })
  const { guests } = text
  const format = useFormat()
  const setting = useSavedOfEvent(event, 'guest_allowance', text)
  const [draft, setDraft] = useState<string | null>(null)
  const [isChecked, setChecked] = useState(false)
  const hint = useId()
  const typed = (draft ?? String(event.guest_allowance ?? '')).trim()
  const isValid = typed === '' || (/^[1-9]\d{0,5}$/.test(typed) && Number(typed) <= eventLimits.allowanceMax)
  const problem = isChecked && !isValid ? guests.allowanceProblem(format.count(eventLimits.allowanceMax)) : undefined
  const submit = (submitted: SubmitEvent): void => {
    submitted.preventDefault()
    setChecked(true)
    if (isValid && !setting.isSaving) setting.change(typed === '' ? null : Number(typed), () => setDraft(null))
  }
  return (
    <form className="text-setting" onSubmit={submit} noValidate>
      <Field
        label={guests.allowance}
        inputMode="numeric"
        autoComplete="off"
        value={draft ?? String(event.guest_allowance ?? '')}
        error={problem ?? setting.error}
        aria-describedby={hint}
        onChange={({ target }) => {
          setDraft(target.value)
          setChecked(false)
          setting.clearError()
        }}
      />
      <Button type="submit" busy={setting.isSaving} aria-label={`${text.save}: ${guests.allowance}`}>
        {text.save}
      </Button>
      <p className="tiny muted" id={hint}>
        {guests.allowanceHint}
      </p>
      <SaveStatus message={setting.message?.tone === 'ok' ? setting.message : null} />
    </form>
  )
}
