import {
  sendSupportMessage,
  supportFields,
  type SupportFields,
  supportProblems,
  type SupportProblems,
} from '@keepsnap/contract/support.ts'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { type KeyValueStorage, openStorage } from '../../lib/storage.ts'
import { refusedFields } from './problem-text.ts'

/** Who writes, as far as it is known. */
export interface Sender {
  userId: string | null
  name: string
  email: string
}

export interface SupportFormState {
  fields: SupportFields
  problems: SupportProblems
  change: (name: keyof SupportFields, value: string) => void
  submit: (event: SubmitEvent<HTMLFormElement>) => void
  isSending: boolean
  /** Why the whole message was not sent; null also when fields were refused. */
  failure: Error | null
}

const none: SupportProblems = {}
const without = (problems: SupportProblems, name: keyof SupportFields): SupportProblems =>
  Object.fromEntries(Object.entries(problems).filter(([field]) => field !== name))
const hasProblems = (problems: SupportProblems): boolean => Object.keys(problems).length > 0

/** The contact form: filled with the sender's name and address, kept until it is sent, sent once. */
export function useSupportForm(sender: Sender, onSent: (sent: SupportFields) => void): SupportFormState {
  const { draft, write, clear } = useDraft(sender.userId)
  const [isChecked, setChecked] = useState(false)
  const [refused, setRefused] = useState(none)
  const fields: SupportFields = { name: sender.name, email: sender.email, subject: '', message: '', ...draft }
  const sending = useSending({
    onSent: () => {
      clear()
      onSent(fields)
    },
    onError: (error, form) => {
      const problems = refusedFields(error, fields)
      setRefused(problems)
      focusFirst(form, problems)
    },
  })
  return {
    fields,
    problems: isChecked ? { ...supportProblems(fields), ...refused } : none,
    change(name, value) {
      write({ ...draft, [name]: value })
      setRefused((problems) => without(problems, name))
    },
    submit(event) {
      event.preventDefault()
      const form = event.currentTarget
      setChecked(true)
      const found = supportProblems(fields)
      if (hasProblems(found)) return focusFirst(form, found)
      setRefused(none)
      sending.send(form, { ...fields, ...honeypotOf(form) })
    },
    isSending: sending.isPending,
    failure: hasProblems(refused) ? null : sending.error,
  }
}

function useDraft(userId: string | null) {
  const [drafts] = useState(() => createDraftStore())
  const [draft, setDraft] = useState<Draft>(() => drafts.read(userId))
  return {
    draft,
    write(changed: Draft) {
      setDraft(changed)
      drafts.write(userId, changed)
    },
    clear: () => drafts.clear(),
  }
}

/** Sends one message at a time. */
function useSending(on: { onSent: () => void; onError: (error: Error, form: HTMLFormElement) => void }) {
  const api = useApi()
  // The state of the mutation changes only with the next rendering, after a second click.
  const isUnderWay = useRef(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: SupportFields & { website?: string }) =>
      api.call(sendSupportMessage, { query: { lang: document.documentElement.lang }, body }),
    onSuccess: on.onSent,
    onSettled: () => {
      isUnderWay.current = false
    },
  })
  return {
    isPending,
    error,
    send(form: HTMLFormElement, body: Parameters<typeof mutate>[0]) {
      if (isUnderWay.current) return
      isUnderWay.current = true
      mutate(body, { onError: (problem) => on.onError(problem, form) })
    },
  }
}

/** The value of the honeypot field, which only bots fill in. */
function honeypotOf(form: HTMLFormElement): { website?: string } {
  const field = form.elements.namedItem('website')
  return field instanceof HTMLInputElement && field.value !== '' ? { website: field.value } : {}
}

function focusFirst(form: HTMLFormElement, problems: SupportProblems): void {
  const first = supportFields.find((name) => problems[name] !== undefined)
  const field = first && form.elements.namedItem(first)
  if (field instanceof HTMLElement) field.focus()
}

/** What was typed into the form; a field that was not touched is missing. */
type Draft = Partial<SupportFields>

const storageKey = 'support-draft'

/**
 * What was typed in this tab, kept across reloads until it is sent. A draft belongs to the account that was signed in: nobody
 * who signs in afterwards sees it. That of a visitor goes on after signing in.
 */
interface DraftStore {
  read(userId: string | null): Draft
  write(userId: string | null, draft: Draft): void
  clear(): void
}

function createDraftStore(storage: KeyValueStorage = openStorage(() => window.sessionStorage)): DraftStore {
  return {
    read(userId) {
      const stored = parse(storage.get(storageKey))
      const owner = stored['owner']
      if (owner !== undefined && owner !== userId) return {}
      return Object.fromEntries(
        supportFields.flatMap((name) => (stored[name] === undefined ? [] : [[name, stored[name]]])),
      )
    },
    write: (userId, draft) =>
      storage.set(storageKey, JSON.stringify({ ...draft, ...(userId !== null && { owner: userId }) })),
    clear: () => storage.set(storageKey, null),
  }
}

/** The texts of a stored object; anything else may have been written by another version, or by hand. */
function parse(text: string | null): Record<string, string> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}
