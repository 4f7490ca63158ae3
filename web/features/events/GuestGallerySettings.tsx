import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Event } from '@keepsnap/contract/events.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { useText } from '../../lib/i18n.tsx'
import { event as messages } from '../../messages/en/events.ts'
import { Button } from '../../ui/Button.tsx'
import { Choices } from '../../ui/Choices.tsx'
import { Field } from '../../ui/Field.tsx'
import { SaveStatus, useTemporaryMessage } from '../../ui/SaveStatus.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useChangeEvent, useSavedOfEvent } from './events.ts'

/** Whether guests with the code see all photos, when, where they learn of it, and whether they get all as one file. */
export function GuestGallerySettings({ event }: { event: Event }) {
  const text = useText({ event: messages })
  const { gallery } = text
  const mode = useSavedOfEvent(event, 'gallery', text)
  const onLatest = useSavedOfEvent(event, 'code_on_latest', text)
  const onPages = useSavedOfEvent(event, 'link_on_photo_pages', text)
  const archive = useSavedOfEvent(event, 'guest_archive', text)
  return (
    <>
      <Choices
        legend={gallery.label}
        options={[
          { value: 'off', label: gallery.off, hint: gallery.offHint },
          { value: 'link', label: gallery.link, hint: gallery.linkHint },
        ]}
        setting={mode}
      />
      <TimesForm event={event} />
      {mode.value === 'link' && (
        <div>
          <Switch {...gallery.onPages} checked={onPages.value} onChange={onPages.change} message={onPages.message} />
          <Switch
            {...gallery.onLatest}
            checked={onLatest.value}
            onChange={onLatest.change}
            message={onLatest.message}
          />
          <Switch {...gallery.archive} checked={archive.value} onChange={archive.change} message={archive.message} />
        </div>
      )}
    </>
  )
}

/** A time as `datetime-local` has it: in the time zone of this device. */
function localTime(iso: string | null): string {
  if (iso === null) return ''
  const time = new Date(iso)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const isoTime = (local: string): string | null => (local === '' ? null : new Date(local).toISOString())

/** When the gallery opens and when it closes, saved together. */
function TimesForm({ event }: { event: Event }) {
  const text = useText({ event: messages })
  const { gallery } = text
  const saved = { opens: localTime(event.gallery_opens_at), closes: localTime(event.closes_at) }
  const [draft, setDraft] = useState<Partial<typeof saved>>({})
  const [message, showMessage] = useTemporaryMessage()
  const values = { ...saved, ...draft }
  const isWrong = values.opens !== '' && values.closes !== '' && values.closes <= values.opens
  const hasChanged = values.opens !== saved.opens || values.closes !== saved.closes
  const { mutate, isPending } = useMutation({
    mutationFn: useChangeEvent(event.id),
    onSuccess() {
      setDraft({})
      showMessage({ tone: 'ok', text: text.saved })
    },
    onError: (error) => showMessage({ tone: 'bad', text: errorMessage(error, text.failed) }),
  })
  const change = (fields: Partial<typeof saved>): void => setDraft((before) => ({ ...before, ...fields }))
  return (
    <form
      className="event-times"
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault()
        if (!isWrong && !isPending)
          mutate({ gallery_opens_at: isoTime(values.opens), closes_at: isoTime(values.closes) })
      }}
    >
      {event.gallery === 'link' && (
        <Field
          label={gallery.opensAt}
          type="datetime-local"
          value={values.opens}
          onChange={({ target }) => change({ opens: target.value })}
        >
          <p className="tiny muted">{gallery.opensHint}</p>
        </Field>
      )}
      <Field
        label={gallery.closesAt}
        type="datetime-local"
        value={values.closes}
        error={isWrong ? gallery.order : undefined}
        onChange={({ target }) => change({ closes: target.value })}
      >
        <p className="tiny muted">{gallery.closesHint}</p>
      </Field>
      {hasChanged && (
        <div className="row event-times__save">
          <Button type="submit" disabled={isWrong} busy={isPending}>
            {gallery.times}
          </Button>
        </div>
      )}
      <SaveStatus message={message} />
    </form>
  )
}
